import { expect, test } from "vitest";
import { stopMachineTime } from "../support/machine-time.ts";
import { known } from "../support/sandbox.ts";
import { openControl } from "../support/sandboxes.ts";

const present = "2026-01-15T12:00:00.000Z";
const [first, last] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];

test("the clock is read, set forward and set back, to an instant of any form", async () => {
  const { clock } = await openControl();
  expect(await clock.get()).toEqual({ now: present, speed: 0 });
  for (const [input, now] of [
    ["2026-02-01", "2026-02-01T00:00:00.000Z"],
    ["2026-02-01T13:00+01:00", "2026-02-01T12:00:00.000Z"],
    ["20260201T120000.5Z", "2026-02-01T12:00:00.500Z"],
    ["fixture", present],
    [new Date("2026-02-01T12:00:00.500Z") as never, "2026-02-01T12:00:00.500Z"],
    [last, last],
  ] as const) {
    expect(await clock.set(first)).toMatchObject({ now: first, speed: 0 });
    expect(await clock.advanceTo(input)).toMatchObject({ now });
    expect(await clock.set({ now: first })).toMatchObject({ now: first, speed: 0 });
    expect(await clock.set({ now: input })).toMatchObject({ now, speed: 0 });
    expect(await clock.set({})).toMatchObject({ now, speed: 0 });
  }
});

test("neither an advance nor a speed moves the clock beyond the year 9999", async () => {
  const passTime = stopMachineTime();
  const { clock } = await openControl();
  await clock.set({ now: last, speed: 1 });
  passTime(10_000);
  expect(await clock.get()).toEqual({ now: last, speed: 1 });
  await clock.set({ speed: 0 });
  await expect(clock.advance(1)).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("9999") });
  expect(await clock.get()).toEqual({ now: last, speed: 0 });
});

test.each([0, "previous", "soon"])("an advance to %j is refused with the valid forms", async (to) => {
  const { clock } = await openControl();
  await expect(clock.advanceTo(to as never)).rejects.toMatchObject({
    code: "invalid",
    message: `to is ${JSON.stringify(to)}; expected an instant such as 2026-01-15T12:00:00Z or 2026-01-15, "now", "fixture" or "next".`,
  });
});

test('"now" is the machine\'s time', async () => {
  const { clock } = await openControl();
  const earliest = new Date().toISOString();
  const { now } = await clock.set("now");
  expect(earliest <= now && now <= new Date().toISOString()).toBe(true);
});

test("a running clock moves by its speed, and continues from its instant when the speed changes", async () => {
  const passTime = stopMachineTime();
  const { clock } = await openControl();
  for (const [speed, elapsedMs, now] of [
    [1, 1500, "2026-01-15T12:00:01.500Z"],
    [0, 1500, "2026-01-15T12:00:01.500Z"],
    [60, 1500, "2026-01-15T12:01:31.500Z"],
    [0.5, 1500, "2026-01-15T12:01:32.250Z"],
    [0.5, 1, "2026-01-15T12:01:32.250Z"],
  ] as const) {
    expect(await clock.set({ speed })).toMatchObject({ speed });
    passTime(elapsedMs);
    expect(await clock.get()).toEqual({ now, speed });
  }
});

test("a response has every change up to its clock reading, however fast the clock runs", async () => {
  const scenario = { repeat: { count: 200, every: "10m" }, steps: [{ event: "PAYMENT SUBMITTED" }] };
  const sandbox = await openControl({ scenarios: [scenario] });
  // A minute of the clock passes with each read of the machine's time.
  stopMachineTime(1);
  await sandbox.clock.set({ speed: 60_000 });
  const responses: [now: string, investments: number | undefined][] = [];
  for (let round = 0; round < 20; round++) {
    const { clock, offerings } = await sandbox.describe();
    responses.push([clock.now, offerings[0]?.investments]);
  }
  await sandbox.clock.set({ speed: 0 });
  for (const [now, investments] of responses) {
    const { total } = await sandbox.investments.list({ offering_id: known.aurora, to: now });
    expect([now, investments]).toEqual([now, total]);
  }
});
