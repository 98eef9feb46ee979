import fc from "fast-check";
import { afterEach, beforeEach, test, vi } from "vitest";
import { type CommandName, commands } from "./commands.ts";
import { realTime } from "./model.ts";
import { type PathName, paths } from "./reads.ts";
import { type Read, World } from "./world.ts";

/** Number of commands, in sequences of up to `longest`. CONTRIBUTING.md says how to try more. */
const total = Number(process.env["COMMANDS"] ?? 100);
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
const whichEnvironment = fc.constantFrom(0, 0, 0, 1, 2);
const read = fc.record({
  environment: whichEnvironment,
  key: fc.nat(9),
  name: fc.constantFrom(...(Object.keys(paths) as PathName[])),
  id: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4, 5),
});
const step = fc.record({
  command,
  environment: whichEnvironment,
  overHttp: fc.boolean(),
  reads: fc.array(read, { maxLength: 2 }),
});

test("whatever is commanded, the sandbox is as its model", { timeout: patience + 30_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: longest, size: "max" }), async (steps) => {
      const world = await World.open();
      let before: readonly Read[] = [];
      try {
        for (const { command: given, environment, overHttp, reads } of steps) {
          const act = commands[given.name].act(given.value, world.environmentAt(environment), world);
          await world.perform(environment, overHttp, act);
          // The same once more, for what gives the same state has to give the same bytes.
          for (const one of [...before, ...reads]) await world.read(one);
          before = reads;
        }
        await world.compare();
      } finally {
        await world.close();
      }
    }),
    { numRuns: Math.ceil(total / (longest / 2)), interruptAfterTimeLimit: patience },
  );
});
