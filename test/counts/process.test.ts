import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

/** The heap of a process in bytes, and the handles that prevent it from ending. */
interface ProcessUsage {
  readonly heap: number;
  /** The part of the heap with objects that have survived collections. */
  readonly old: number;
  readonly holds: readonly string[];
}

/** Runs a sandbox in a child process with this many MB for new objects; requests use one connection. */
async function serve(megabytes: number) {
  const program = fileURLToPath(new URL("serving-process.js", import.meta.url));
  const semiSpaces = ["min", "max"].map((which) => `--${which}-semi-space-size=${megabytes}`);
  const child = fork(program, { execArgv: ["--expose-gc", ...semiSpaces] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [served] = await once(child, "message");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const headers = { authorization: `Bearer ${served.key}` };
  return {
    paths: {
      investment: `/investments/${served.investment}`,
      list: `/offerings/${served.offering}/investments?size=20`,
    },
    ask: async (path: string, times: number): Promise<void> => {
      for (let nth = 0; nth < times; nth++) {
        const [response] = await once(get(served.url + path, { agent, headers }), "response");
        expect(response.statusCode).toBe(200);
        await once(response.resume(), "end");
      }
    },
    /** Returns the memory and the handles of the process, "collect" after a garbage collection. */
    measure: async (what: "collect" | "tell"): Promise<ProcessUsage> => {
      const response = once(child, "message");
      child.send(what);
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
  // 64 MB hold all garbage of a measurement, so nothing is collected during it and the difference is complete.
  const { paths, ask, measure } = await serve(64);
  await ask(paths[path], 300);
  const before = await measure("collect");
  await ask(paths[path], 200);
  const after = await measure("tell");
  const each = (after.heap - before.heap) / 200;
  expect(each).toBeGreaterThan(1000);
  expect(each).toBeLessThan(32_000);
});

test("objects made for a request do not outlive it, the journal included", async () => {
  const { paths, ask, measure } = await serve(1);
  // More requests than the journal holds: from then on each entry replaces another.
  await ask(paths.investment, 2000);
  const before = await measure("collect");
  await ask(paths.investment, 4000);
  const after = await measure("tell");
  expect((after.old - before.old) / 4000).toBeLessThan(200);
});

test("requests leave no handle open, and closing lets the process end", async () => {
  const { paths, ask, measure, close } = await serve(64);
  await ask(paths.investment, 2);
  const { holds } = await measure("tell");
  await ask(paths.list, 50);
  expect((await measure("tell")).holds.toSorted()).toEqual(holds.toSorted());
  expect(await close()).toBe(0);
});
