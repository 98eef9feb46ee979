import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/public/control.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

const hour = 3_600_000;
const path = `/investments/${known.whole}/status`;

/** A script with random dates of its first and third step. */
const drawing = {
  repeat: { count: 12, every: "1h" },
  steps: [
    { after: "1h..2d", event: "PROFILE SUBMITTED" },
    { after: "1m", investment: { step: "SIGNERS" } },
    { after: "10m..1h", investment: { step: null } },
  ],
};

/** Dates of all steps: a list for each step, in the order of the repetitions. */
async function datesOf(environment: Environment, steps: number): Promise<(string | null)[][]> {
  const [run] = await environment.runs.list();
  return Array.from({ length: steps }, (_, at) =>
    (run?.steps ?? []).filter(({ index }) => index === at).map(({ due }) => due),
  );
}

async function playedDates(environment: Environment, scenario: object, steps = 3): Promise<(string | null)[][]> {
  await environment.reset();
  await environment.play(scenario);
  await environment.clock.advance("10d");
  return datesOf(environment, steps);
}

const gaps = (from: readonly (string | null)[], to: readonly (string | null)[]): number[] =>
  from.map((date, at) => Date.parse(to[at] ?? "") - Date.parse(date ?? ""));

/** Sends requests, and returns for each whether it met the fault. */
async function met(environment: Environment, count: number): Promise<boolean[]> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at++) statuses.push((await read(environment, path)).status);
  return statuses.map((status) => status === 503);
}

describe("chance", () => {
  test("random dates are within their spans, vary, and repeat when the script is played again", async () => {
    const sandbox = await openControl();
    const [first = [], second = [], third = []] = await playedDates(sandbox, drawing);
    const start = Date.parse("2026-01-15T12:00:00.000Z");
    const waits = first.map((date, at) => Date.parse(date ?? "") - start - at * hour);
    expect(waits.every((wait) => wait >= hour && wait <= 48 * hour)).toBe(true);
    expect(new Set(waits).size).toBe(12);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(20 * hour);
    expect(gaps(first, second)).toEqual(Array.from({ length: 12 }, () => 60_000));
    const pauses = gaps(second, third);
    expect(pauses.every((pause) => pause >= hour / 6 && pause <= hour)).toBe(true);
    expect(new Set(pauses).size).toBe(12);
    // Reading in between, and going back, changes no date.
    await sandbox.reset();
    await sandbox.play(drawing);
    for (let days = 0; days < 5; days++) await sandbox.clock.advance("2d");
    expect(await datesOf(sandbox, 3)).toEqual([first, second, third]);
    await sandbox.clock.set("2026-01-15T12:00:00Z");
    await sandbox.clock.advance("10d");
    expect(await datesOf(sandbox, 3)).toEqual([first, second, third]);
    const otherEnvironment = await sandbox.openEnvironment();
    expect(await playedDates(otherEnvironment, drawing)).toEqual([first, second, third]);
    await otherEnvironment.close();
  });

  test("an investment appears with its first step, even if a later repetition is earlier", async () => {
    const sandbox = await openControl();
    await sandbox.play(drawing);
    const firstSightings = new Map<string, string>();
    for (let at = 0; at < 60; at++) {
      const { now } = await sandbox.clock.advance("1h");
      for (const { id, create_date: date } of await created(sandbox))
        if (date <= now && !firstSightings.has(id)) firstSightings.set(id, now);
    }
    const [run] = await sandbox.runs.list();
    const firsts = (run?.steps ?? []).filter(({ index }) => index === 0);
    const dates = firsts.map(({ due }) => due ?? "");
    expect(dates).not.toEqual(dates.toSorted());
    for (const { investment_id: id, due } of firsts) {
      const late = Date.parse(firstSightings.get(id) ?? "") - Date.parse(due ?? "");
      expect(late >= 0 && late < hour).toBe(true);
    }
  });

  test("an added step does not change the random dates of the other steps", async () => {
    const sandbox = await openControl();
    const [first, second, third] = await playedDates(sandbox, drawing);
    const [firstStep, secondStep, thirdStep] = drawing.steps;
    const extendedSteps = [
      firstStep,
      secondStep,
      { after: 0, event: "SUBSCRIPTION SUBMITTED" },
      thirdStep,
      { after: "1h..2h", event: "A B" },
    ];
    const dates = await playedDates(sandbox, { ...drawing, steps: extendedSteps }, 5);
    expect([dates[0], dates[1], dates[3]]).toEqual([first, second, third]);
  });

  test("a step at a random date is after the previous step, and within its span", async () => {
    const sandbox = await openControl();
    const day = (date: string | null | undefined): number =>
      Date.parse(date ?? "") - Date.parse("2026-01-15T12:00:00Z");
    const steps = [
      { at: "1d..3d", event: "PROFILE SUBMITTED" },
      { at: "1d..3d", event: "SUBSCRIPTION SUBMITTED" },
      { at: "2026-01-19..2026-01-20T12:00Z", event: "PAYMENT SUBMITTED" },
    ];
    const dates = await playedDates(sandbox, { repeat: { count: 8, every: 0 }, steps });
    for (let at = 0; at < 8; at++) {
      const [first = 0, second = 0, third = 0] = dates.map((list) => day(list[at]) / (24 * hour));
      expect(1 <= first && first <= second && second <= 3).toBe(true);
      expect(3.5 <= third && third <= 5).toBe(true);
    }
    expect(new Set(dates.flat()).size).toBe(24);
  });

  test("a fault applies to about its share of the requests, and to the same requests after a restore", async () => {
    const sandbox = await openControl();
    const rule = { match: { path: "/investments/*/status" }, respond: { status: 503 }, share: 0.3 };
    await sandbox.faults.add(rule);
    const before = await sandbox.snapshot();
    const hits = await met(sandbox, 60);
    const hitCount = hits.filter(Boolean).length;
    expect(hitCount).toBeGreaterThan(8);
    expect(hitCount).toBeLessThan(30);
    expect(await sandbox.faults.list()).toMatchObject([{ share: 0.3, used: hitCount }]);
    await sandbox.restore(before);
    expect(await met(sandbox, 20)).toEqual(hits.slice(0, 20));
    // Requests that do not match, and a restored snapshot, do not change the draws.
    await read(sandbox, `/offerings/${known.aurora}`);
    await sandbox.restore(await sandbox.snapshot());
    expect(await met(sandbox, 40)).toEqual(hits.slice(20));
    await sandbox.reset();
    await sandbox.faults.add(rule);
    expect(await met(sandbox, 10)).toEqual(hits.slice(0, 10));
    await sandbox.faults.remove();
    await sandbox.faults.add({ ...rule, share: 0 });
    await sandbox.faults.add({ ...rule, share: 1, times: 2 });
    expect(await met(sandbox, 3)).toEqual([true, true, false]);
  });
});

async function created(environment: Environment): Promise<{ readonly id: string; readonly create_date: string }[]> {
  const { json } = await read(environment, `/offerings/${known.aurora}/investments?size=100&sort=create_date`);
  return json.data.map((investment: { id: string; attributes: { create_date: string } }) => ({
    id: investment.id,
    create_date: investment.attributes.create_date,
  }));
}

test("another seed gives other dates, requests and delays", async () => {
  const outcomes: string[] = [];
  for (const seed of [1, 1, 2]) {
    const sandbox = await openControl({ seed });
    const dates = await playedDates(sandbox, drawing);
    await sandbox.faults.add({ respond: { status: 503 }, share: 0.5 });
    outcomes.push(JSON.stringify([dates, await met(sandbox, 20)]));
  }
  expect(outcomes[0]).toBe(outcomes[1]);
  expect(outcomes[2]).not.toBe(outcomes[0]);
});
