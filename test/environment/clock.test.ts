import { describe, expect, test } from "vitest";
import { EnvironmentClock } from "../../src/environment/clock.ts";

const start = Date.parse("2026-01-15T12:00:00.000Z");

function clockAt(speed: number): { clock: EnvironmentClock; pass: (milliseconds: number) => void } {
  let real = 1_000_000;
  return {
    clock: new EnvironmentClock({ now: start, speed }, () => real),
    pass: (milliseconds) => (real += milliseconds),
  };
}

describe("the clock", () => {
  test.each([
    [1, 1500, "2026-01-15T12:00:01.500Z"],
    [0, 1500, "2026-01-15T12:00:00.000Z"],
    [60, 1500, "2026-01-15T12:01:30.000Z"],
    [0.5, 1500, "2026-01-15T12:00:00.750Z"],
  ])("at speed %d, after %d ms of real time, shows %s", (speed, passed, expected) => {
    const { clock, pass } = clockAt(speed);
    pass(passed);
    expect(clock.now).toBe(expected);
  });

  test("keeps its instant when its speed changes, and can be set back", () => {
    const { clock, pass } = clockAt(60);
    pass(1000);
    clock.set({ speed: 0 });
    pass(1000);
    expect(clock.now).toBe("2026-01-15T12:01:00.000Z");
    clock.set({ now: "2025-12-31T23:59:59.999Z", speed: 1 });
    pass(1);
    expect(clock.now).toBe("2026-01-01T00:00:00.000Z");
  });

  test("moves the time of limits by real time and advances only", () => {
    const { clock, pass } = clockAt(3600);
    const before = clock.limitTime;
    pass(10);
    clock.set({ now: "2030-01-01T00:00:00.000Z" });
    expect(clock.limitTime - before).toBe(10);
    clock.advance(5000);
    expect(clock.limitTime - before).toBe(5010);
  });

  test("opened from a later real time, goes on from where it was set", () => {
    let real = 1_000_000;
    const clock = new EnvironmentClock({ now: start, speed: 60, at: 1_060_000 }, () => real);
    expect(clock.milliseconds).toBe(start);
    real += 1000;
    expect(clock.milliseconds).toBe(start + 60_000);
  });

  test("stops at the last instant of the year 9999", () => {
    const { clock, pass } = clockAt(0);
    clock.set({ now: "9999-12-31T23:59:59.000Z", speed: 1 });
    pass(10_000);
    expect(clock.now).toBe("9999-12-31T23:59:59.999Z");
  });

  test.each([-1, Number.NaN, Infinity])("refuses the speed %d", (speed) => {
    expect(() => clockAt(speed)).toThrow("speed");
  });

  test("refuses to advance backwards or beyond the year 9999, and keeps its instant", () => {
    const { clock } = clockAt(0);
    expect(() => clock.advance(-1)).toThrow("advance");
    expect(() => clock.advance(1e18)).toThrow("9999");
    expect(() => clock.advance("5" as never)).toThrow("advance");
    expect(clock.now).toBe("2026-01-15T12:00:00.000Z");
  });

  test("takes instants of the years 0000 to 9999, and no others", () => {
    const { clock } = clockAt(0);
    const [first, last] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];
    for (const now of [first, last]) {
      clock.set({ now });
      expect([clock.now, clock.milliseconds]).toEqual([now, Date.parse(now)]);
    }
    for (const now of [Date.parse(first) - 1, Date.parse(last) + 1, Number.NaN]) {
      expect(() => new EnvironmentClock({ now, speed: 0 })).toThrow("in the years 0000 to 9999");
    }
    expect(() => clock.set({ now: "2026-02-30T00:00:00.000Z", speed: 5 })).toThrow("in the years 0000 to 9999");
    expect([clock.now, clock.speed]).toEqual([last, 0]);
  });
});
