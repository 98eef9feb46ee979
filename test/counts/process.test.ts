import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

/** The heap of a process in bytes, and the handles that prevent it from ending. */
interface ProcessUsage {
  readonly heap: number;
  /** The part of the heap with objects that have survived collections. */
  readonly oldHeap: number;
  readonly handles: readonly string[];
}

/** Runs a sandbox in a child process with this many MB for new objects; requests use one connection. */
async function serve(megabytes: number) {
  const program = fileURLToPath(new URL("serving-process.js", import.meta.url));
  const semiSpaces = ["min", "max"].map((bound) => `--${bound}-semi-space-size=${megabytes}`);
  const child = fork(program, { execArgv: ["--expose-gc", ...semiSpaces] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [ready] = await once(child, "message");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const headers = { authorization: `Bearer ${ready.key}` };
  return {
    paths: {
      investment: `/investments/${ready.investment}`,
      list: `/offerings/${ready.offering}/investments?size=20`,
    },
    ask: async (path: string, count: number): Promise<void> => {
      for (let index = 0; index < count; index++) {
        const [response] = await once(get(ready.url + path, { agent, headers }), "response");
        expect(response.statusCode).toBe(200);
        await once(response.resume(), "end");
      }
    },
    /** Returns the memory and the handles of the process, "collect" after a garbage collection. */
    measure: async (command: "collect" | "tell"): Promise<ProcessUsage> => {
      const response = once(child, "message");
      child.send(command);
      const [usage] = await response;
      return usage;
    },
    /** Closes the sandbox, and waits for the end of the process. */
    close: async (): Promise<number> => {
      const exit = once(child, "exit");
      child.send("close");
      const [code] = await exit;
      return code;
    },
  };
}

test.for([
  ["an investment", "investment"],
  ["a page of a list", "list"],
] as const)("serving %s from the cache takes little memory", async ([, path]) => {
  // All garbage of a measurement fits into 64 MB, so nothing is collected and the difference is complete.
  const { paths, ask, measure } = await serve(64);
  await ask(paths[path], 300);
  const usageBefore = await measure("collect");
  await ask(paths[path], 200);
  const usageAfter = await measure("tell");
  const bytesPerRequest = (usageAfter.heap - usageBefore.heap) / 200;
  expect(bytesPerRequest).toBeGreaterThan(1000);
  expect(bytesPerRequest).toBeLessThan(32_000);
});

test("objects made for a request do not outlive it, the journal included", async () => {
  const { paths, ask, measure } = await serve(1);
  // More requests than the journal holds: from then on each entry replaces another.
  await ask(paths.investment, 2000);
  const usageBefore = await measure("collect");
  await ask(paths.investment, 4000);
  const usageAfter = await measure("tell");
  expect((usageAfter.oldHeap - usageBefore.oldHeap) / 4000).toBeLessThan(200);
});

test("requests leave no handle open, and closing lets the process end", async () => {
  const { paths, ask, measure, close } = await serve(64);
  await ask(paths.investment, 2);
  const { handles } = await measure("tell");
  await ask(paths.list, 50);
  expect((await measure("tell")).handles.toSorted()).toEqual(handles.toSorted());
  expect(await close()).toBe(0);
});
