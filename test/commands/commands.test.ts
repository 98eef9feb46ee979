import fc from "fast-check";
import { afterEach, beforeEach, test, vi } from "vitest";
import { type CommandName, commands } from "./commands.ts";
import { realTime } from "./model.ts";
import { type PathName, paths } from "./reads.ts";
import { World } from "./world.ts";

/** Number of commands, in sequences of up to `longest`. CONTRIBUTING.md says how to try more. */
const total = Number(process.env["COMMANDS"] ?? 120);
const longest = 40;

/** Milliseconds after which shrinking a failure ends, so that it is told before the test times out. */
const patience = 30_000 + total * 50;

beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => realTime.passed));
afterEach(() => void vi.restoreAllMocks());

const command = fc.oneof(
  ...Object.entries(commands).map(([name, { value, weight }]) => ({
    weight,
    arbitrary: value.map((drawn) => ({ name: name as CommandName, value: drawn })),
  })),
);
const read = fc.record({
  environment: fc.nat(2),
  key: fc.nat(20),
  name: fc.constantFrom(...(Object.keys(paths) as PathName[])),
  id: fc.nat(5),
});
const step = fc.record({
  command,
  environment: fc.nat(2),
  overHttp: fc.boolean(),
  reads: fc.array(read, { maxLength: 3 }),
});

test("whatever is commanded, the sandbox is as its model", { timeout: patience + 30_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: longest, size: "max" }), async (steps) => {
      const world = await World.open();
      try {
        for (const { command: given, environment, overHttp, reads } of steps) {
          const act = commands[given.name].act(given.value, world.environmentAt(environment), world);
          await world.perform(environment, overHttp, act);
          for (const one of reads) await world.read(one);
        }
        await world.compare();
      } finally {
        await world.close();
      }
    }),
    { numRuns: Math.ceil(total / (longest / 2)), interruptAfterTimeLimit: patience },
  );
});
