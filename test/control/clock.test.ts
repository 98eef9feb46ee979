import { describe, expect, test } from "vitest";
import { openControl } from "../support/sandboxes.ts";

const present = "2026-01-15T12:00:00.000Z";

describe("clock", () => {
  test("the clock is read, set forward and set back", async () => {
    const { clock } = await openControl();
    expect(await clock.get()).toEqual({ now: present, speed: 0 });
    expect(await clock.set({ now: "2027-01-01T00:00:00.000Z" })).toEqual({ now: "2027-01-01T00:00:00.000Z", speed: 0 });
    expect(await clock.set({ now: "2025-01-01T00:00:00.000Z" })).toEqual({ now: "2025-01-01T00:00:00.000Z", speed: 0 });
    expect(await clock.set("2025-01-01")).toEqual({ now: "2025-01-01T00:00:00.000Z", speed: 0 });
    expect(await clock.set({})).toEqual({ now: "2025-01-01T00:00:00.000Z", speed: 0 });
    expect(await clock.set({ speed: 60 })).toMatchObject({ speed: 60 });
  });

  test.each([
    ["2026-02-01", "2026-02-01T00:00:00.000Z"],
    ["2026-02-01T13:00+01:00", "2026-02-01T12:00:00.000Z"],
    ["20260201T120000.5Z", "2026-02-01T12:00:00.500Z"],
    ["fixture", present],
    [new Date("2026-02-01T12:00:00.500Z") as never, "2026-02-01T12:00:00.500Z"],
  ])("accepts an instant written as %s", async (input, now) => {
    const { clock } = await openControl();
    expect(await clock.advanceTo(input)).toMatchObject({ now });
    await clock.set("2020-01-01");
    expect(await clock.set(input)).toEqual({ now, speed: 0 });
    expect(await clock.set({ now: input })).toEqual({ now, speed: 0 });
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
    const before = new Date().toISOString();
    const { now } = await clock.set("now");
    expect(before <= now && now <= new Date().toISOString()).toBe(true);
  });

  test.each([
    ["1500", "2026-01-15T12:00:01.500Z"],
    ["2d", "2026-01-17T12:00:00.000Z"],
    ["1h30m", "2026-01-15T13:30:00.000Z"],
    ["PT1H", "2026-01-15T13:00:00.000Z"],
    [1500, "2026-01-15T12:00:01.500Z"],
    [0, present],
  ])("advances by %j", async (by, now) => {
    const { clock } = await openControl();
    expect(await clock.advance(by)).toEqual({ now, speed: 0, applied: [], applied_count: 0, stopped: [] });
    expect((await clock.get()).now).toBe(now);
  });

  test("a running clock moves by itself", async () => {
    const { clock } = await openControl();
    await clock.set({ speed: 100_000 });
    const { now } = await clock.get();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await clock.get()).now > now).toBe(true);
  });
});
