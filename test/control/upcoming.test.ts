import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/public/control.ts";
import { known } from "../support/sandbox.ts";
import { openControl } from "../support/sandboxes.ts";

/** Repetitions begin in order, and sample dates in another: the next change is seldom the next repetition's. */
const scenarios: Readonly<Record<string, string | object>> = {
  "live-demo": "live-demo",
  "busy-day": "busy-day",
  "spans from the start of each": {
    repeat: { count: 30, every: "1h", jitter: "20m" },
    steps: [
      { after: "1h..2d", event: "PROFILE SUBMITTED" },
      { after: "10m..1d", investment: { step: "SIGNERS" } },
    ],
  },
  "a span of instants": {
    repeat: { count: 20, every: "3h" },
    steps: [
      { at: "2026-01-16T00:00:00Z..2026-01-18T12:00:00Z", event: "PROFILE SUBMITTED" },
      { next: true, sign: "all" },
    ],
  },
};

/** An advance, a setting, or a reset. */
const moves = ["7s", "91m", "2026-01-15T13:00:00Z", "30h", "reset", "1d", "2026-01-15T12:00:03Z", "4d"];

async function move(sandbox: Sandbox, to: string): Promise<void> {
  if (to === "reset") await sandbox.reset();
  else await (to.startsWith("20") ? sandbox.clock.set(to) : sandbox.clock.advance(to));
}

/** Compares everything that the sandbox says about the future, and returns the date of the next change. */
async function expectAgreement(sandbox: Sandbox): Promise<string | null> {
  const { clock, next } = await sandbox.pulse();
  const runs = await sandbox.runs.list();
  expect((await sandbox.histogram()).next).toBe(next);
  for (const { id, investment_ids, repetitions, next_date, next_repetition_date } of runs) {
    expect((await sandbox.histogram({ run: id })).next).toBe(next_date);
    expect(next_repetition_date === null).toBe(investment_ids.length === repetitions);
  }
  const dates = runs.flatMap(({ next_date: date }) => date ?? []).toSorted();
  expect(dates[0] ?? null).toBe(next);
  const change = (await sandbox.timeline({ from: clock.now })).find(({ date }) => date > clock.now);
  expect((change?.date ?? "9999") >= (next ?? "9999")).toBe(true);
  return next;
}

describe("upcoming", () => {
  test.each(Object.keys(scenarios))(
    "every operation has the exact date of the next change, at any time: %s",
    async (name) => {
      const sandbox = await openControl({ scenarios: [scenarios[name] ?? ""] });
      for (const to of moves) {
        await move(sandbox, to);
        for (let steps = 0; steps < 2; steps++) {
          const nextDate = await expectAgreement(sandbox);
          if (nextDate === null) break;
          const instantBefore = new Date(Date.parse(nextDate) - 1).toISOString();
          expect(await sandbox.clock.set(instantBefore), `${to}: before ${nextDate}`).toMatchObject({
            now: instantBefore,
            speed: 0,
            applied_count: 0,
            undone_count: 0,
          });
          expect((await sandbox.clock.advanceTo(instantBefore)).applied_count).toBe(0);
          const { applied } = await sandbox.clock.advanceTo(nextDate);
          expect(new Set(applied.map(({ date }) => date))).toEqual(new Set([nextDate]));
        }
      }
      await sandbox.clock.advance("60d");
      expect(await expectAgreement(sandbox)).toBe(null);
      expect((await sandbox.runs.list()).map(({ next_repetition_date: date }) => date)).toEqual([null]);
    },
  );

  test("the next change of an investment includes the repetitions on it", async () => {
    const sandbox = await openControl();
    const daily = { repeat: { count: 3, every: "1d" }, steps: [{ after: "1h", event: "PROFILE SUBMITTED" }] };
    const waiting = { repeat: { count: 2, every: "3d" }, steps: [{ next: true, event: "PROFILE APPROVED" }] };
    const nextDateOf = async (filter: object): Promise<string | null> => (await sandbox.histogram(filter)).next;
    await sandbox.play(daily, { investment_id: known.whole });
    // The second repetition of this run does not bring a change by itself: it waits.
    await sandbox.play(waiting, { investment_id: known.closed });
    await sandbox.clock.advance("2h");
    expect(await nextDateOf({ investment_id: known.whole })).toBe("2026-01-16T13:00:00.000Z");
    expect(await nextDateOf({ investment_id: known.whole, run: "run-2" })).toBe(null);
    expect(await nextDateOf({ investment_id: known.closed })).toBe(null);
    expect(await sandbox.runs.list()).toMatchObject([
      { next_date: "2026-01-16T13:00:00.000Z", next_repetition_date: "2026-01-16T13:00:00.000Z" },
      { next_date: "2026-01-18T12:00:00.000Z", next_repetition_date: "2026-01-18T12:00:00.000Z" },
    ]);
    await sandbox.runs.stop("run-1");
    expect(await nextDateOf({})).toBe(null);
    expect((await sandbox.runs.list())[0]).toMatchObject({ next_date: null, next_repetition_date: null });
    await expect(sandbox.clock.next()).rejects.toMatchObject({ code: "conflict" });
    expect((await sandbox.runs.list())[1]).toMatchObject({ investment_ids: [known.closed] });
  });
});
