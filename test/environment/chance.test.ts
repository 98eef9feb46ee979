import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Environment, FaultRule } from "../../src/control.ts";
import { startSandbox } from "../../src/index.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read, ways } from "../support/sandboxes.ts";

const hour = 3_600_000;
const path = `/investments/${known.whole}/status`;

/** A script that draws the dates of its first and its third step. */
const drawing = {
  repeat: { count: 12, every: "1h" },
  steps: [
    { after: "1h..2d", event: "PROFILE SUBMITTED" },
    { after: "1m", investment: { step: "SIGNERS" } },
    { after: "10m..1h", investment: { step: null } },
  ],
};

/** The dates of the steps of all repetitions, each list in the order of the repetitions. */
async function datesOf(environment: Environment, steps: number): Promise<(string | null)[][]> {
  const [run] = await environment.runs.list();
  return Array.from({ length: steps }, (_, at) =>
    (run?.steps ?? []).filter(({ index }) => index === at).map(({ due }) => due),
  );
}

async function played(environment: Environment, scenario: object, steps = 3): Promise<(string | null)[][]> {
  await environment.reset();
  await environment.play(scenario);
  await environment.clock.advance("10d");
  return datesOf(environment, steps);
}

const gaps = (from: readonly (string | null)[], to: readonly (string | null)[]): number[] =>
  from.map((date, at) => Date.parse(to[at] ?? "") - Date.parse(date ?? ""));

/** Whether each of so many requests met a fault. */
async function met(environment: Environment, count: number): Promise<boolean[]> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at++) statuses.push((await read(environment, path)).status);
  return statuses.map((status) => status === 503);
}

describe.each(ways)("%s", (way) => {
  test("steps happen within their spans, spread over them, and the same way whenever the script is played", async () => {
    const sandbox = await openControl(way);
    const [first = [], second = [], third = []] = await played(sandbox, drawing);
    const start = Date.parse("2026-01-15T12:00:00.000Z");
    const waits = first.map((date, at) => Date.parse(date ?? "") - start - at * hour);
    expect(waits.every((wait) => wait >= hour && wait <= 48 * hour)).toBe(true);
    expect(new Set(waits).size).toBe(12);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(20 * hour);
    expect(gaps(first, second)).toEqual(Array.from({ length: 12 }, () => 60_000));
    const pauses = gaps(second, third);
    expect(pauses.every((pause) => pause >= hour / 6 && pause <= hour)).toBe(true);
    expect(new Set(pauses).size).toBe(12);
    // Whoever looks in between, step by step and back again.
    await sandbox.reset();
    await sandbox.play(drawing);
    for (let days = 0; days < 5; days++) await sandbox.clock.advance("2d");
    expect(await datesOf(sandbox, 3)).toEqual([first, second, third]);
    await sandbox.clock.set("2026-01-15T12:00:00Z");
    await sandbox.clock.advance("10d");
    expect(await datesOf(sandbox, 3)).toEqual([first, second, third]);
    const other = await sandbox.openEnvironment();
    expect(await played(other, drawing)).toEqual([first, second, third]);
    await other.close();
  });

  test("every investment is there from its first step on, though a later repetition may overtake an earlier one", async () => {
    const sandbox = await openControl(way);
    await sandbox.play(drawing);
    const seen = new Map<string, string>();
    for (let at = 0; at < 60; at++) {
      const { now } = await sandbox.clock.advance("1h");
      for (const { id, create_date: date } of await created(sandbox))
        if (date <= now && !seen.has(id)) seen.set(id, now);
    }
    const [run] = await sandbox.runs.list();
    const firsts = (run?.steps ?? []).filter(({ index }) => index === 0);
    const dates = firsts.map(({ due }) => due ?? "");
    expect(dates).not.toEqual(dates.toSorted());
    for (const { investment_id: id, due } of firsts) {
      const late = Date.parse(seen.get(id) ?? "") - Date.parse(due ?? "");
      expect(late >= 0 && late < hour).toBe(true);
    }
  });

  test("a step that comes or goes moves no other", async () => {
    const sandbox = await openControl(way);
    const [first, second, third] = await played(sandbox, drawing);
    const [one, two, three] = drawing.steps;
    const more = [one, two, { after: 0, event: "SUBSCRIPTION SUBMITTED" }, three, { after: "1h..2h", event: "A B" }];
    const dates = await played(sandbox, { ...drawing, steps: more }, 5);
    expect([dates[0], dates[1], dates[3]]).toEqual([first, second, third]);
  });

  test("a step at a span comes after the step before it, and not after the end", async () => {
    const sandbox = await openControl(way);
    const day = (date: string | null | undefined): number =>
      Date.parse(date ?? "") - Date.parse("2026-01-15T12:00:00Z");
    const steps = [
      { at: "1d..3d", event: "PROFILE SUBMITTED" },
      { at: "1d..3d", event: "SUBSCRIPTION SUBMITTED" },
      { at: "2026-01-19..2026-01-20T12:00Z", event: "PAYMENT SUBMITTED" },
    ];
    const dates = await played(sandbox, { repeat: { count: 8, every: 0 }, steps });
    for (let at = 0; at < 8; at++) {
      const [first = 0, second = 0, third = 0] = dates.map((list) => day(list[at]) / (24 * hour));
      expect(1 <= first && first <= second && second <= 3).toBe(true);
      expect(3.5 <= third && third <= 5).toBe(true);
    }
    expect(new Set(dates.flat()).size).toBe(24);
  });

  test("a fault meets a share of the requests: the same ones, and about as many", async () => {
    const sandbox = await openControl(way);
    const rule = { match: { path: "/investments/*/status" }, respond: { status: 503 }, share: 0.3 };
    await sandbox.faults.add(rule);
    const before = await sandbox.snapshot();
    const hits = await met(sandbox, 60);
    const used = hits.filter(Boolean).length;
    expect(used).toBeGreaterThan(8);
    expect(used).toBeLessThan(30);
    expect(await sandbox.faults.list()).toMatchObject([{ share: 0.3, used }]);
    await sandbox.restore(before);
    expect(await met(sandbox, 20)).toEqual(hits.slice(0, 20));
    // Requests that do not match count for nothing, nor does a snapshot halfway.
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

  test("a fault lasts as long as it is told, and waits a number of milliseconds or a span of them", async () => {
    const sandbox = await openControl(way);
    const fault = await sandbox.faults.add({ respond: { status: 503 }, delay: "1ms..3ms", for: "30s" });
    expect(fault).toMatchObject({ from: "2026-01-15T12:00:00.000Z", until: "2026-01-15T12:00:30.000Z", active: true });
    expect(fault).not.toHaveProperty("for");
    expect(await met(sandbox, 1)).toEqual([true]);
    await sandbox.clock.advance(30_000);
    expect(await met(sandbox, 1)).toEqual([false]);
    await sandbox.faults.add({ delay: 5, times: 1 });
    expect(await met(sandbox, 1)).toEqual([false]);
    for (const refused of [{ delay: "11m" }, { delay: "1s..11m" }, { delay: "3s..1s" }, { delay: 1, share: 2 }]) {
      await expect(sandbox.faults.add(refused as FaultRule)).rejects.toMatchObject({ code: "invalid" });
    }
  });
});

async function created(environment: Environment): Promise<{ readonly id: string; readonly create_date: string }[]> {
  const { json } = await read(environment, `/offerings/${known.aurora}/investments?size=100&sort=create_date`);
  return json.data.map((one: { id: string; attributes: { create_date: string } }) => ({
    id: one.id,
    create_date: one.attributes.create_date,
  }));
}

test("another seed draws other dates, requests and delays", async () => {
  const outcomes: string[] = [];
  for (const seed of [1, 1, 2]) {
    const sandbox = await openControl("in process", { seed });
    const dates = await played(sandbox, drawing);
    await sandbox.faults.add({ respond: { status: 503 }, share: 0.5 });
    outcomes.push(JSON.stringify([dates, await met(sandbox, 20)]));
  }
  expect(outcomes[0]).toBe(outcomes[1]);
  expect(outcomes[2]).not.toBe(outcomes[0]);
});

test("a restart goes on with the same draws", async () => {
  const db = (await writeFixture({})).replace(/\.json$/, ".db.json");
  const options = { db, fixture: { offerings: [{ investments: [{ id: known.whole }] }] }, scenarios: [] };
  const rule = { respond: { status: 503 }, share: 0.5 };
  const hits: boolean[][] = [];
  for (const parts of [[20], [7, 13]]) {
    for (const [at, count] of parts.entries()) {
      const sandbox = await startSandbox(options);
      if (at === 0) {
        await sandbox.reset();
        await sandbox.faults.add(rule);
        hits.push([]);
      }
      for (let asked = 0; asked < count; asked++) {
        hits.at(-1)?.push((await read(sandbox, path, sandbox.keys.partner)).status === 503);
      }
      await sandbox.close();
    }
  }
  expect(hits[1]).toEqual(hits[0]);
});

test("every draw lies in its span, whatever the span", async () => {
  const sandbox = await openControl("in process");
  const spans = fc.tuple(fc.nat(10_000_000), fc.nat(10_000_000)).map(([least, more]) => [least, least + more] as const);
  await fc.assert(
    fc.asyncProperty(fc.array(spans, { minLength: 1, maxLength: 4 }), async (written) => {
      await sandbox.reset();
      const steps = written.map(([least, most]) => ({ after: `${least}ms..${most}ms`, event: "A B" }));
      const { steps: shown } = await sandbox.play({ steps });
      let last = "2026-01-15T12:00:00.000Z";
      for (const [at, [least, most]] of written.entries()) {
        const [gap = -1] = gaps([last], [shown[at]?.due ?? null]);
        expect(least <= gap && gap <= most).toBe(true);
        last = shown[at]?.due ?? "";
      }
    }),
    { numRuns: 20 },
  );
});
