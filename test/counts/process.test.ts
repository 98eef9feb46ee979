import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

/** The bytes of the heap of a process, and the things that keep it alive. */
interface Held {
  readonly heap: number;
  /** Of these, those of objects that have outlived others. */
  readonly old: number;
  readonly holds: readonly string[];
}

/** A sandbox in a process of its own, with so many MB for new objects, which is asked over one connection. */
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
      for (let asked = 0; asked < times; asked++) {
        const [response] = await once(get(served.url + path, { agent, headers }), "response");
        expect(response.statusCode).toBe(200);
        await once(response.resume(), "end");
      }
    },
    /** Tells what the process holds, after collecting all garbage or as it is. */
    held: async (what: "collect" | "tell"): Promise<Held> => {
      const answer = once(child, "message");
      child.send(what);
      const [held] = await answer;
      return held;
    },
    /** Closes the sandbox, and waits until the process ends by itself. */
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
] as const)("serving %s that was read before takes little memory", async ([, path]) => {
  // With room for all garbage of a measurement, none is collected meanwhile, and what is left is all that there was.
  const { paths, ask, held } = await serve(64);
  await ask(paths[path], 300);
  const before = await held("collect");
  await ask(paths[path], 200);
  const after = await held("tell");
  const each = (after.heap - before.heap) / 200;
  expect(each).toBeGreaterThan(1000);
  expect(each).toBeLessThan(32_000);
});

test("what a request makes does not outlive it, the journal included", async () => {
  const { paths, ask, held } = await serve(1);
  // More than the journal has room for: from then on each request takes the place of another.
  await ask(paths.investment, 2000);
  const before = await held("collect");
  await ask(paths.investment, 4000);
  const after = await held("tell");
  expect((after.old - before.old) / 4000).toBeLessThan(200);
});

test("requests leave nothing open, and closing lets the process end", async () => {
  const { paths, ask, held, close } = await serve(64);
  await ask(paths.investment, 2);
  const { holds } = await held("tell");
  await ask(paths.list, 50);
  expect((await held("tell")).holds.toSorted()).toEqual(holds.toSorted());
  expect(await close()).toBe(0);
});
