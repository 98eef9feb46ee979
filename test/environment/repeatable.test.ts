import { expect, test } from "vitest";
import type { Environment } from "../../src/public/control.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, openSandbox } from "../support/sandbox.ts";

/** Commands for creating something; they return its ids and secrets. */
const creations: readonly ((environment: Environment) => Promise<readonly string[]>)[] = [
  async ({ keys }) => {
    const { id, key } = await keys.issue({ type: "partner", offering_id: "aurora" });
    return [id, key];
  },
  async ({ investments }) => [(await investments.create({ amount: 100 })).id],
  async ({ investments }) => [(await investments.recordEvent(known.whole, { event: "A", action: "B" })).id],
  async ({ faults }) => [(await faults.add({ match: { path: "/nowhere" }, respond: { status: 500 } })).id],
];

/** Investments that arrive while the clock runs, each with a key. */
const arrivals = {
  repeat: { count: 30, every: "10m", jitter: "4m" },
  investment: { amount: 100 },
  steps: [{ event: "REGISTRATION COMPLETED" }, { after: "3m", key: { issue: { type: "partner" } } }],
};

test("the same commands give the same ids and secrets, at any pace, with or without reads in between", async () => {
  const pass = stopMachineTime();
  const { sandbox } = await openSandbox();
  const created = async (pause: number, readsBetween: boolean): Promise<string[]> => {
    await using environment = await sandbox.openEnvironment({ id: "story", speed: 60 });
    await environment.play(arrivals);
    const ids: string[] = [];
    for (const create of [...creations, ...creations]) {
      pass(pause);
      if (readsBetween) await environment.describe();
      ids.push(...(await create(environment)));
    }
    return ids;
  };
  const told = await created(1000, false);
  expect(await created(1000, true)).toEqual(told);
  expect(await created(45_000, false)).toEqual(told);
  expect(new Set(told).size).toBe(told.length);
});
