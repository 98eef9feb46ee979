import { describe, expect, test } from "vitest";
import type { PlaySubject } from "../../src/control.ts";
import { Environment } from "../../src/environment/environment.ts";
import type { Run } from "../../src/environment/run.ts";
import { formatInstant } from "../../src/model/instant.ts";
import type { ScenarioEffect } from "../../src/scenario/step-effects.ts";
import type { Scenario, Step, Trigger } from "../../src/scenario/scenario.ts";
import { offeringIds, present, setupOf, smallDataset, uuid } from "../support/small-dataset.ts";

const dataset = smallDataset(2);
const first = uuid(2, 0);
const at = (seconds: number): string => formatInstant(Date.parse(present) + seconds * 1000);

const event: ScenarioEffect = { kind: "event", event: "PROFILE", action: "SUBMITTED", description: null };
const step = (trigger: Trigger, ...effects: readonly ScenarioEffect[]): Step => ({
  trigger,
  effects: effects.length > 0 ? effects : [event],
});
const after = (seconds: number): Step => step({ kind: "after", by: seconds * 1000 });
const next = step({ kind: "next" });
const reads = (count: number): Step => step({ kind: "after_reads", reads: count });

const scenario = (steps: readonly Step[], members: Partial<Scenario> = {}): Scenario => ({
  name: "tried",
  description: "",
  offering: null,
  investment: first,
  repeat: null,
  steps,
  ...members,
});

async function open(fixtureData = dataset): Promise<Environment> {
  const environment = new Environment(setupOf(fixtureData));
  await environment.stores.runs.prepare();
  return environment;
}

function moveTo({ stores }: Environment, seconds: number): void {
  stores.clock.set({ now: at(seconds) });
}

/** The status of a run, then each step's status and date in seconds. */
function progressOf(environment: Environment, run: Run): string {
  environment.read();
  const { status, steps } = environment.stores.runs.describe(run);
  const since = (due: string | null): string =>
    due === null ? "" : ` ${(Date.parse(due) - Date.parse(at(0))) / 1000}`;
  return `${status}: ${steps.map((one) => one.status + since(one.due)).join(", ")}`;
}

test("a run's steps are done, scheduled, waiting or pending at every instant", async () => {
  const environment = await open();
  const { runs } = environment.stores;
  const run = runs.play(scenario([after(1), next, after(2), reads(2)]), {});
  expect(progressOf(environment, run)).toBe("running: scheduled 1, pending, pending, pending");
  expect(() => runs.next(run)).toThrow("Run run-1 (tried) has no step that waits: it is running.");
  environment.wasRead(first);
  moveTo(environment, 1);
  expect(progressOf(environment, run)).toBe("waiting: done 1, waiting, pending, pending");
  moveTo(environment, 5);
  runs.next(run);
  expect(progressOf(environment, run)).toBe("running: done 1, done 5, scheduled 7, pending");
  environment.wasRead(first);
  moveTo(environment, 7);
  expect(progressOf(environment, run)).toBe("waiting: done 1, done 5, done 7, waiting");
  environment.wasRead(uuid(2, 1));
  environment.wasRead(first);
  expect(run.tracks[0]?.reads).toBe(1);
  moveTo(environment, 0);
  expect(progressOf(environment, run)).toBe("running: scheduled 1, scheduled 5, scheduled 7, pending");
  environment.wasRead(first);
  moveTo(environment, 8);
  environment.wasRead(first);
  expect(progressOf(environment, run)).toBe("finished: done 1, done 5, done 7, done 8");
  environment.wasRead(first);
  expect(environment.content().changes).toHaveLength(4);
  expect(() => runs.next(run)).toThrow("it is finished");
});

test("a run whose first step waits is pending before its start", async () => {
  const environment = await open();
  const run = environment.stores.runs.play(scenario([next]), {});
  expect(progressOf(environment, run)).toBe("waiting: waiting");
  moveTo(environment, -1);
  expect(progressOf(environment, run)).toBe("running: pending");
});

test("a stopped run keeps its past steps, and no others happen", async () => {
  const environment = await open();
  const { runs } = environment.stores;
  const repeat = { count: 3, every: 10_000, jitter: 0 };
  const run = runs.play(scenario([after(1), after(1), reads(1)], { investment: {}, repeat }), {});
  moveTo(environment, 11);
  environment.wasRead(run.tracks[0]?.investment_id ?? "");
  expect(progressOf(environment, run)).toBe("running: done 1, done 2, done 11, done 11, scheduled 12, pending");
  runs.stop(run);
  const stoppedProgress = "stopped: done 1, done 2, done 11, done 11, stopped, stopped";
  expect(progressOf(environment, run)).toBe(stoppedProgress);
  moveTo(environment, 100);
  for (const { investment_id } of run.tracks) environment.wasRead(investment_id);
  expect(progressOf(environment, run)).toBe(stoppedProgress);
  expect(() => runs.next(run)).toThrow("has no step that waits: it is stopped");
  expect(environment.content().changes).toHaveLength(6);
});

test("a run with repetitions to come is running, even when the first is finished", async () => {
  const environment = await open();
  const repeat = { count: 2, every: 10_000, jitter: 0 };
  const run = environment.stores.runs.play(scenario([after(1)], { investment: {}, repeat }), {});
  moveTo(environment, 10);
  expect(progressOf(environment, run)).toBe("running: done 1");
  moveTo(environment, 11);
  expect(progressOf(environment, run)).toBe("finished: done 1, done 11");
});

test("repetitions that issue and revoke keys of one label revoke each key once", async () => {
  const environment = await open();
  const issue = step({ kind: "after", by: 0 }, { kind: "key", issue: { type: "partner", label: "guest" } });
  const revoke = step({ kind: "after", by: 1000 }, { kind: "key", revoke: "guest" });
  const repeat = { count: 4, every: 10_000, jitter: 0 };
  environment.stores.runs.play(scenario([issue, revoke], { investment: {}, repeat }), {});
  moveTo(environment, 40);
  environment.read();
  const revoked = environment.stores.history.timeline.changes.filter(({ kind }) => kind === "key");
  expect(revoked.map(({ date }) => date)).toEqual([at(1), at(11), at(21), at(31)]);
  expect(environment.keys.filter(({ label }) => label === "guest").map((key) => key.revoke_date)).toEqual(
    revoked.map(({ date }) => date),
  );
});

test("a step's date counts from the step before or from the start, or is absolute", async () => {
  const environment = await open();
  const run = environment.stores.runs.play(
    scenario([
      after(3),
      step({ kind: "at", since: 4000 }),
      after(0),
      step({ kind: "at", instant: at(9) }),
      next,
      step({ kind: "at", since: 12_000 }),
    ]),
    {},
  );
  moveTo(environment, 10);
  environment.stores.runs.next(run);
  expect(progressOf(environment, run)).toBe("running: done 3, done 4, done 4, done 9, done 10, scheduled 12");
});

describe("a run is refused, and nothing is recorded:", () => {
  const issuing = step({ kind: "after", by: 0 }, { kind: "key", issue: { type: "partner" } });
  const refusals: Readonly<Record<string, readonly [scenario: Scenario, reason: RegExp, subject?: PlaySubject]>> = {
    "on no investment": [scenario([next], { investment: uuid(2, 9) }), /^Scenario tried: there is no investment "/],
    "on an investment of another offering": [
      scenario([next], { offering: offeringIds[1] }),
      /^Scenario tried: the investment is of another offering\.$/,
      { offering_id: offeringIds[1] },
    ],
    "on no offering": [
      scenario([next], { investment: {}, offering: "nowhere" }),
      /^Scenario tried: there is no offering "nowhere"\. There are /,
    ],
    "with a step after all time": [
      scenario([after(1), after(1e12)]),
      /after 2026-01-15T12:00:01.000Z is after the year 9999/,
    ],
    "with too many changes": [
      scenario([issuing, step({ kind: "after", by: 0 }, ...Array.from({ length: 3000 }, () => event))]),
      /^Scenario tried, step 2: more than 3000 changes on one investment\.$/,
    ],
    "with an impossible investment": [
      scenario([next], { investment: { id: first } }),
      /^Scenario tried: investment\.id is the same as that of another resource/,
    ],
    "with a step that is impossible": [
      scenario([after(1), step({ kind: "after", by: 0 }, { kind: "key", revoke: "nobody" })]),
      /^Scenario tried, step 2: /,
    ],
  };
  test.each(Object.entries(refusals))("%s", async (_, [script, reason, subject = {}]) => {
    const environment = await open();
    const before = environment.content();
    expect(() => environment.stores.runs.play(script, subject)).toThrow(reason);
    expect(environment.content()).toEqual(before);
  });

  test("over a fixture without offerings", async () => {
    const environment = await open({ ...dataset, offerings: [] });
    expect(() => environment.stores.runs.play(scenario([next], { investment: {} }), {})).toThrow(
      "there are no offerings",
    );
  });
});

test("an impossible step stops the run when a read fires it, and is refused when a command does", async () => {
  const environment = await open();
  const { runs } = environment.stores;
  const number: ScenarioEffect = { kind: "investment", attributes: { investment_number: 2 } };
  const waiting = runs.play(scenario([step({ kind: "next" }, number)]), {});
  const before = environment.content();
  expect(() => runs.next(waiting)).toThrow(
    /^Scenario tried, step 1 is impossible at .*investment_number is the same as/,
  );
  expect(environment.content()).toEqual(before);
  const reading = runs.play(scenario([step({ kind: "after_reads", reads: 1 }, number)]), {});
  environment.wasRead(first);
  expect(progressOf(environment, waiting)).toBe("waiting: waiting");
  expect(progressOf(environment, reading)).toBe("stopped: stopped");
  expect(reading.problem).toMatch(/^Scenario tried, step 1 is impossible at .*investment_number is the same as/);
});

test("a step on an investment that a stopped run no longer creates is refused", async () => {
  const environment = await open();
  const { runs } = environment.stores;
  const creating = runs.play(scenario([after(5), next], { investment: {} }), {});
  moveTo(environment, 6);
  const created = creating.tracks[0]?.investment_id ?? "";
  const playing = runs.play(scenario([next], { investment: created.toUpperCase() }), {});
  expect(playing.investment_id).toBe(created);
  moveTo(environment, 0);
  runs.stop(creating);
  moveTo(environment, 6);
  expect(() => runs.next(playing)).toThrow("Scenario tried: its investment is not there now.");
});

test("runs restored from a content continue, with repetitions and steps that wait for reads", async () => {
  const before = await open();
  const repeat = { count: 3, every: 10_000, jitter: 0 };
  before.stores.runs.play(scenario([reads(1)], { investment: {}, repeat }), {});
  const environment = new Environment(setupOf(dataset), before.content());
  await environment.stores.runs.prepare();
  moveTo(environment, 10);
  const [run] = environment.stores.runs.all;
  if (!run) throw new Error("the run is gone");
  expect(progressOf(environment, run)).toBe("running: waiting, waiting");
  environment.wasRead(run.tracks[0]?.investment_id ?? "");
  expect(progressOf(environment, run)).toBe("running: done 10, waiting");
  expect(before.stores.runs.all[0]?.tracks).toHaveLength(1);
});
