import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stepBack, stepForward } from "../../src/control/clock.ts";
import { listTimeline, createHistogram } from "../../src/control/timeline.ts";
import type { DatedEffect, Effect } from "../../src/model/resources.ts";
import { Environment } from "../../src/environment/environment.ts";
import { formatInstant } from "../../src/time/instant.ts";
import { caseCount } from "../support/case-count.ts";
import { offeringIds, configOf, present, smallDataset, uuid } from "../support/small-dataset.ts";

const start = Date.parse(present);
const dataset = smallDataset(4);
const template = dataset.investment(uuid(2, 0));
if (!template) throw new Error("the small dataset has no investments");

/** Dates within ten seconds: many effects share an instant. */
const anyDate = fc.integer({ min: 0, max: 10 }).map((seconds) => formatInstant(start + seconds * 1000));
const fields = fc.record({
  date: anyDate,
  index: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom("PENDING", "CLOSED"),
  amount: fc.integer({ min: 0, max: 100 }),
  name: fc.string(),
});
type Fields = typeof fields extends fc.Arbitrary<infer Drawn> ? Drawn : never;
const effectOf: readonly ((drawn: Fields) => Effect)[] = [
  ({ index, status }) => ({ kind: "investment", investment_id: uuid(2, index), attributes: { status } }),
  ({ index, amount }) => {
    const attributes = { amount, status: "succeeded" as const };
    return { kind: "payment", investment_id: uuid(2, index), id: uuid(5, index), attributes };
  },
  ({ index, name }) => {
    return { kind: "investor", investment_id: uuid(2, index), id: uuid(3, index), attributes: { last_name: name } };
  },
  ({ name }) => ({ kind: "offering", offering_id: offeringIds[0], attributes: { name } }),
  ({ index }) => {
    return { kind: "signing_party", investment_id: uuid(2, index), id: uuid(4, index), attributes: { signed: true } };
  },
];
const effects: fc.Arbitrary<DatedEffect[]> = fc
  .array(
    fc.tuple(fields, fc.constantFrom(...effectOf)).map(([drawn, effect]) => ({ date: drawn.date, ...effect(drawn) })),
    { maxLength: 20 },
  )
  .chain((some) =>
    fc.array(anyDate, { maxLength: 5 }).map((dates) => [
      ...some,
      ...dates.flatMap((date, at): DatedEffect[] => {
        const [id, of] = [uuid(7, at), { create_date: date, modify_date: date }];
        const event = { id: uuid(8, at), event: "PROFILE", action: "SUBMITTED", description: null, create_date: date };
        const payment = { id: uuid(9, at), amount: 10.1, status: "succeeded" as const, category: "SANDPAY", ...of };
        const investment = { ...template, id, create_date: date, investment_number: 100 + at };
        return [
          { kind: "new_investment", date, investment },
          { kind: "event", date, investment_id: id, event },
          { kind: "new_payment", date, investment_id: id, payment },
        ];
      }),
    ]),
  );

function openEnvironment(recorded: readonly DatedEffect[]): Environment {
  const environment = new Environment(configOf(dataset));
  environment.record(recorded);
  return environment;
}

function bytesAt(environment: Environment, milliseconds: number): string {
  environment.internals.clock.set({ now: formatInstant(milliseconds) });
  return bytesOf(environment);
}

/** Everything a client can read, as text. */
function bytesOf(environment: Environment): string {
  const { state } = environment.read();
  return JSON.stringify(
    offeringIds.map((id) => [
      state.offering(id),
      state.investmentsOf(id).byCreation.map((head) => state.investment(head.id)),
      state
        .investmentsOf(id)
        .inOrder("status", (left, right) => left.status.length - right.status.length)
        .slice(0, Infinity)
        .map((head) => state.investment(head.id)),
    ]),
  );
}

describe("state at an instant", () => {
  test("is the same after steps, one advance, or a rewind, and whenever its changes were recorded", () => {
    const walks = fc.array(fc.integer({ min: -2, max: 12 }), { maxLength: 20 });
    fc.assert(
      fc.property(effects, walks, fc.integer({ min: 0, max: 11 }), (recorded, walk, second) => {
        const at = start + second * 1000;
        const advance = bytesAt(openEnvironment(recorded), at);
        const walker = openEnvironment(recorded);
        for (const stop of walk) bytesAt(walker, start + stop * 1000);
        expect(bytesAt(walker, at)).toBe(advance);
        const stepper = openEnvironment(recorded);
        for (let step = 0; step < second; step++) bytesAt(stepper, start + step * 1000);
        expect(bytesAt(stepper, at)).toBe(advance);
        bytesAt(stepper, start + 1_000_000);
        expect(bytesAt(stepper, at)).toBe(advance);
        const late = openEnvironment([]);
        bytesAt(late, start + 20_000);
        late.record(recorded);
        expect(bytesAt(late, at)).toBe(advance);
      }),
      { numRuns: caseCount(50) },
    );
  });
});

describe("stepping", () => {
  test("goes to each instant of the timeline forward and back, and shows the same state each time", async () => {
    await fc.assert(
      fc.asyncProperty(effects, async (recorded) => {
        const environment = openEnvironment(recorded);
        bytesAt(environment, start - 1000);
        const { changes } = environment.internals.history.timeline;
        const dates = [...new Set(changes.map(({ date }) => date))];
        const before = (date: string): string => formatInstant(Date.parse(date) - 1);
        const states = new Map([[dates[0] === undefined ? "" : before(dates[0]), bytesOf(environment)]]);
        for (const date of dates) {
          const { now, applied } = await stepForward(environment);
          expect([now, applied.length]).toEqual([date, changes.filter((change) => change.date === date).length]);
          states.set(now, bytesOf(environment));
        }
        await expect(stepForward(environment)).rejects.toMatchObject({ code: "conflict" });
        bytesAt(environment, start + 1_000_000);
        for (const [position, date] of [...dates.entries()].toReversed()) {
          const { now, undone, undone_count } = await stepBack(environment);
          expect(now).toBe(dates[position - 1] ?? before(date));
          expect(bytesOf(environment)).toBe(states.get(now));
          expect(undone.map((change) => change.date)).toEqual(Array(undone_count).fill(date));
          // Forward and back once more.
          expect((await stepForward(environment)).applied).toEqual(undone);
          expect(await stepBack(environment)).toMatchObject({ now, undone });
        }
        await expect(stepBack(environment)).rejects.toMatchObject({ code: "conflict" });
      }),
      { numRuns: caseCount(15) },
    );
  });

  test("a histogram counts every change once, and no bucket spans the present", () => {
    const maxBuckets = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(undefined));
    fc.assert(
      fc.property(effects, fc.integer({ min: -1, max: 12 }), maxBuckets, (recorded, second, buckets) => {
        const environment = openEnvironment(recorded);
        environment.internals.clock.set({ now: formatInstant(start + second * 1000) });
        const changes = listTimeline(environment, {});
        const { now, applied, ...outlined } = createHistogram(environment, { buckets });
        const dates = [...new Set(changes.map(({ date }) => date))];
        const sides = [dates.filter((date) => date <= now), dates.filter((date) => date > now)] as const;
        expect(outlined).toMatchObject({
          first: dates[0] ?? null,
          last: dates.at(-1) ?? null,
          previous: sides[0].at(-1) ?? null,
          next: sides[1][0] ?? null,
          total: changes.length,
        });
        expect(applied).toBe(changes.filter(({ date }) => date <= now).length);
        const bound = Math.max(buckets ?? 200, sides.filter((side) => side.length > 0).length);
        expect(outlined.buckets).toHaveLength(Math.min(bound, dates.length));
        expect(outlined.buckets.flatMap(({ from, to }) => dates.filter((date) => from <= date && date <= to))).toEqual(
          dates,
        );
        for (const { from, to, count, kinds } of outlined.buckets) {
          expect(from <= now).toBe(to <= now);
          const bucketChanges = listTimeline(environment, { from, to });
          expect(count).toBe(bucketChanges.length);
          const counts = bucketChanges.map((change) => [
            change.kind,
            bucketChanges.filter(({ kind }) => kind === change.kind).length,
          ]);
          expect(kinds).toEqual(Object.fromEntries(counts));
        }
        for (const side of sides) {
          const sizes = outlined.buckets
            .filter(({ from }) => side.includes(from))
            .map(({ from, to }) => side.filter((date) => from <= date && date <= to).length);
          if (sizes.length > 0) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: caseCount(50) },
    );
  });
});
