import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Environment } from "../../src/environment/environment.ts";
import { formatInstant } from "../../src/model/instant.ts";
import type { ScenarioEffect } from "../../src/scenario/step-effects.ts";
import type { Scenario, Step } from "../../src/scenario/scenario.ts";
import { draws } from "../support/draws.ts";
import { offeringIds, setupOf, present, smallDataset, uuid } from "../support/small-dataset.ts";

const start = Date.parse(present);
const dataset = smallDataset(3);

const effect: fc.Arbitrary<ScenarioEffect> = fc
  .record({
    event: fc.constantFrom("PROFILE", "PAYMENT"),
    status: fc.constantFrom("PENDING", "CLOSED"),
    alias: fc.constantFrom("wire", "card"),
    amount: fc.integer({ min: 1, max: 99 }),
    name: fc.string({ maxLength: 5 }),
  })
  .chain(({ event, status, alias, amount, name }) =>
    fc.constantFrom<ScenarioEffect[]>(
      { kind: "event", event, action: "SUBMITTED", description: null },
      { kind: "investment", attributes: { status } },
      { kind: "payment", alias, attributes: { amount, status: "succeeded" } },
      { kind: "sign", who: "all" },
      { kind: "investor", email: null, attributes: { last_name: name } },
      { kind: "offering", attributes: { name } },
      { kind: "key", issue: { type: "partner" } },
      { kind: "fault", fault: { delay: "1s" }, for: 3000 },
    ),
  );
const step: fc.Arbitrary<Step> = fc.record({
  trigger: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 4000 }).map((by) => ({ kind: "after" as const, by })) },
    { weight: 1, arbitrary: fc.constant({ kind: "next" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "after_reads" as const, reads: 2 }) },
  ),
  effects: fc.array(effect, { minLength: 1, maxLength: 3 }),
});
const scenario: fc.Arbitrary<Scenario> = fc.record({
  name: fc.constant("random"),
  description: fc.constant(""),
  offering: fc.constantFrom(null, ...offeringIds),
  investment: fc.constant<Scenario["investment"]>({ amount: 500 }),
  repeat: fc.option(
    fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      every: fc.integer({ min: 1, max: 3000 }),
      jitter: fc.integer({ min: 0, max: 500 }),
    }),
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
});

type Command =
  | { kind: "play"; scenario: Scenario }
  | { kind: "move"; by: number }
  | { kind: "next" }
  | { kind: "read" }
  | { kind: "stop" }
  | { kind: "patch"; index: number };
const command: fc.Arbitrary<Command> = fc.oneof(
  scenario.map((script): Command => ({ kind: "play", scenario: script })),
  fc.integer({ min: -3000, max: 6000 }).map((by): Command => ({ kind: "move", by })),
  fc.constantFrom<Command>({ kind: "next" }, { kind: "read" }, { kind: "stop" }),
  fc.integer({ min: 0, max: 2 }).map((index): Command => ({ kind: "patch", index })),
);

async function perform(environment: Environment, commands: readonly Command[]): Promise<void> {
  await environment.parts.runs.prepare();
  for (const action of commands) {
    const { runs, clock } = environment.parts;
    const { now, state } = await environment.whenCaughtUp((reading) => reading);
    switch (action.kind) {
      case "play":
        runs.play(action.scenario, {});
        break;
      case "move":
        clock.set({ now: formatInstant(clock.milliseconds + action.by) });
        break;
      case "next":
        for (const run of runs.all) if (runs.describe(run).status === "waiting") runs.next(run);
        break;
      case "read":
        for (const id of offeringIds)
          for (const { id: investmentId } of Array.from(state.investmentsOf(id).byCreation))
            environment.wasRead(investmentId);
        break;
      case "stop":
        for (const run of runs.all.slice(0, 1)) runs.stop(run);
        break;
      case "patch":
        environment.record([
          { kind: "investment", date: now, investment_id: uuid(2, action.index), attributes: { expedited: true } },
        ]);
    }
  }
}

/** Everything a client can read, as text. */
async function bytesAt(environment: Environment, milliseconds: number): Promise<string> {
  environment.parts.clock.set({ now: formatInstant(milliseconds) });
  const { state } = await environment.whenCaughtUp((reading) => reading);
  return JSON.stringify([
    offeringIds.map((id) => [
      state.offering(id),
      state.investmentsOf(id).byCreation.map((head) => state.investment(head.id)),
    ]),
    [...state.keys],
    [...state.faults],
  ]);
}

describe("runs", () => {
  test("never let a repetition begin before the one before it, however large the jitter", async () => {
    const environment = new Environment(setupOf(dataset));
    const { runs } = environment.parts;
    await runs.prepare();
    const trigger = { kind: "after", by: 0 } as const;
    const run = runs.play(
      {
        name: "jittery",
        description: "",
        offering: null,
        investment: {},
        repeat: { count: 50, every: 10, jitter: 5000 },
        steps: [{ trigger, effects: [{ kind: "offering", attributes: { status: "ACTIVE" } }] }],
      },
      {},
    );
    await bytesAt(environment, start + 20_000);
    const starts = run.tracks.map((track) => track.start);
    expect(starts).toHaveLength(50);
    expect(starts).toEqual(starts.toSorted());
  });

  test("yield to other work while thousands of repetitions begin, and begin each once", async () => {
    const environment = new Environment(setupOf(dataset));
    const { runs, clock } = environment.parts;
    await runs.prepare();
    const recording: Step = {
      trigger: { kind: "after", by: 0 },
      effects: [{ kind: "event", event: "A", action: "B", description: null }],
    };
    const [name, description, offering] = ["many", "", null];
    const repeat = { count: 1000, every: 1, jitter: 0 };
    const run = runs.play({ name, description, offering, investment: {}, repeat, steps: [recording] }, {});
    clock.advance(1000);
    const [trackCounts, counts]: [Set<number>, number[]] = [new Set(), []];
    const whole = Promise.all([1, 2].map(() => environment.whenCaughtUp(() => trackCounts.add(run.tracks.length))));
    for (let others = true; others;) {
      counts.push(run.tracks.length);
      environment.read();
      expect(run.tracks).toHaveLength(counts.at(-1) ?? 0);
      others = await Promise.race([whole.then(() => false), new Promise<true>((turn) => setImmediate(turn, true))]);
    }
    const largestBatch = Math.max(...counts.map((count, at) => count - (counts[at - 1] ?? 0)));
    expect(counts.length).toBeGreaterThan(3);
    expect(largestBatch).toBeLessThan(300);
    expect([...trackCounts]).toEqual([1000]);
    expect(new Set(run.tracks.map((track) => track.investment_id)).size).toBe(1000);
  });

  const instants = Array.from({ length: 12 }, (_, at) => start - 2000 + at * 2500);
  const commands = fc.array(command, { maxLength: 12 });
  const walks = fc.array(fc.nat({ max: instants.length - 1 }), { maxLength: 20 });

  test("give the same bytes at the same instant, however the clock got there", async () => {
    await fc.assert(
      fc.asyncProperty(commands, walks, async (acts, walk) => {
        const environment = new Environment(setupOf(dataset));
        await perform(environment, acts);
        const bytes: string[] = [];
        for (const instant of instants) bytes.push(await bytesAt(environment, instant));
        const leapt = new Environment(setupOf(dataset));
        await perform(leapt, acts);
        expect(await bytesAt(leapt, instants.at(-1) ?? 0)).toBe(bytes.at(-1));
        for (const at of walk) expect(await bytesAt(environment, instants[at] ?? 0)).toBe(bytes[at]);
      }),
      { numRuns: draws(38) },
    );
  });
});
