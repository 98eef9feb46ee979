import fc from "fast-check";
import { test } from "vitest";
import { caseCount } from "../support/case-count.ts";
import { known } from "../support/sandbox.ts";
import { type CommandName, commands } from "./commands.ts";
import { addMinutes, people, start } from "./model.ts";
import { type PathName, paths } from "./requests.ts";
import { type Read, World } from "./world.ts";

interface Step {
  readonly command: { readonly name: CommandName; readonly value: never };
  readonly environment: number;
  readonly overHttp: boolean;
  readonly reads: readonly Read[];
}

const command = fc.oneof(
  ...Object.entries(commands).map(([name, { value, weight }]) => ({
    weight,
    arbitrary: value.map((argument) => ({ name: name as CommandName, value: argument as never })),
  })),
);
const environment = fc.constantFrom(0, 0, 0, 1, 2);
const anyRead = fc.record({
  environment,
  key: fc.nat(9),
  name: fc.constantFrom(...(Object.keys(paths) as PathName[])),
  id: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4, 5),
});
const step: fc.Arbitrary<Step> = fc.record({
  command,
  environment,
  overHttp: fc.boolean(),
  reads: fc.array(anyRead, { maxLength: 2 }),
});

const investment = { amount: 100, ...people };
const rule = { respond: { status: 503 } };

/** Sequences tried in every run: random ones seldom contain them. */
const fixedSequences: readonly (readonly [CommandName, unknown])[][] = [
  [
    ["play a scenario", { investment, steps: [{ after: "0m", key: { revoke: "partner" } }] }],
    ["play a scenario", { investment, steps: [{ after: "10m", event: "PAYMENT SUBMITTED" }] }],
    ["stop a run", [0, null]],
    ["add a fault", rule],
    ["advance the clock", 20],
    ["add a fault", rule],
    ["remove all faults", null],
    ["record an event", [0, null]],
    ["set the clock", addMinutes(start, 10)],
    ["fill a limit", [0, 7]],
    ["take a snapshot", null],
    ["restore a snapshot", 0],
    ["restart", null],
  ],
  // A label of two offerings; a fault of its time, of its number, and removed; steps that wait; an unused environment.
  [
    ["issue a key", [0, "partner"]],
    ["issue a key", [1, "marketing"]],
    ["play a scenario", { investment, offering: known.borealis, steps: [{ after: "0m", key: { revoke: "mine" } }] }],
    ["play a scenario", { investment, steps: [{ after: "10m", fault: { ...rule, for: "10m" } }] }],
    ["advance the clock", 10],
    ["advance the clock", 10],
    ["set the clock", addMinutes(start, 10)],
    ["add a fault", { ...rule, times: 2 }],
    ["remove a fault", [1, null]],
    ["set the clock", start],
    ["set the clock", addMinutes(start, 10)],
    [
      "play a scenario",
      {
        investment,
        steps: [
          { next: true, investment: { step: "SIGNERS" } },
          { next: true, sign: "all" },
        ],
      },
    ],
    ["play the waiting step", [0, null]],
    ["play the waiting step", [0, null]],
    ["play the waiting step", [0, null]],
    ["open an environment", { id: "one", clock: start, rate_limit: 3, ttl_seconds: 100, assumptions: {} }],
    ["let a minute pass", 60_000],
    ["let a minute pass", 60_000],
  ],
];
const examples = fixedSequences.map((sequence): [Step[]] => [
  sequence.map(([name, value]) => ({
    command: { name, value: value as never },
    environment: 0,
    overHttp: false,
    reads: [0, 1, 2, 3].map((key) => ({ environment: 0, key, name: "events" as PathName, id: 0 })),
  })),
]);

test("after any sequence of commands the sandbox equals its model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
      const world = await World.open();
      let readsBefore: readonly Read[] = [];
      try {
        for (const {
          command: { name, value },
          environment: environmentIndex,
          overHttp,
          reads,
        } of steps) {
          await world.perform(environmentIndex, overHttp, (model) => commands[name].make(value, model));
          // Repeats the reads before the command: equal state has to give equal bytes.
          for (const read of [...readsBefore, ...reads]) await world.read(read);
          readsBefore = reads;
        }
        await world.compare();
      } finally {
        await world.close();
      }
    }),
    { examples, numRuns: examples.length + caseCount(4) },
  );
});
