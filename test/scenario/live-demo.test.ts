import { expect, test } from "vitest";
import type { Change } from "../../src/model/resources.ts";
import { openSandbox } from "../support/sandbox.ts";

const second = 1000;

test("the demo changes at least once a minute at the start of every day, and its raise ends after a month", async () => {
  const { sandbox } = await openSandbox({ fixture: "demo", scenarios: "fixture" });
  const investments = (): number => sandbox.offering.investments;
  /** Advances by an hour and a half, and returns the milliseconds between its changes. */
  const pauses = async (): Promise<number[]> => {
    const start = (await sandbox.clock.get()).now;
    const { applied } = await sandbox.clock.advance("90m");
    const dates = new Set([start, ...(applied as unknown as Change[]).map(({ date }) => date)]);
    const times = Array.from(dates, (date) => Date.parse(date));
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  };
  const before = investments();
  for (const day of [1, 2]) {
    const [first = Infinity, ...laterPauses] = await pauses();
    expect(first).toBeLessThanOrEqual(15 * second);
    expect(Math.max(...laterPauses)).toBeLessThanOrEqual(60 * second);
    expect(laterPauses.reduce((sum, pause) => sum + pause, 0) / laterPauses.length).toBeGreaterThanOrEqual(10 * second);
    await sandbox.clock.advance("22h30m");
    expect(investments() - before).toBe(day * 24);
  }
  for (const [by, day] of [
    ["5d", 7],
    ["23d", 30],
    ["300d", 30],
  ] as const) {
    await sandbox.clock.advance(by);
    expect(investments() - before).toBe(day * 24);
  }
});

test("a sandbox in code plays no scenario by default, even after a reload, and those of its fixture on request", async () => {
  const { sandbox } = await openSandbox({ fixture: "demo" });
  expect(await sandbox.runs.list()).toEqual([]);
  expect((await sandbox.clock.advance("3d")).applied).toEqual([]);
  await sandbox.reload({ fixture: "demo", rateLimit: 1 });
  await sandbox.reset();
  expect(await sandbox.runs.list()).toEqual([]);
  await sandbox.reload({ fixture: "demo", scenarios: "fixture" });
  await sandbox.reset();
  expect(await sandbox.runs.list()).toMatchObject([{ scenario: "live-demo" }]);
});
