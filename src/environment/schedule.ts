import { numberBetween, SeedPath } from "../fixture/complete/seed-path.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { type DurationRange, day } from "../time/duration.ts";
import { earlier, type Instant, instantAfter, never } from "../time/instant.ts";
import { ConflictError, messageOf } from "../validation/errors.ts";
import type { Key, DatedEffect } from "../model/resources.ts";
import { changesOf, type StepContext } from "../scenario/step-effects.ts";
import type { Scenario, Step } from "../scenario/scenario.ts";
import type { History } from "./history.ts";
import { findKey } from "./references.ts";
import { type Repetition, repetitionCount, type Run } from "./run.ts";

/** Returns the seed path of everything that is generated for a repetition. */
function seedPathOfRepetition(run: Run, index: number, seed: number, routingPrefix?: string): SeedPath {
  return SeedPath.root(seed, routingPrefix).at("runs", run.id, index);
}

/**
 * Returns the start of a repetition. Starts are evenly spaced, at the same times on each day, and then moved by a
 * jitter that follows from the seed. No start is earlier than `previousStart`: repetitions begin in order.
 */
function startOfRepetition(run: Run, index: number, previousStart: Instant, seed: number): Instant {
  const { repeat } = run.scenario;
  if (!repeat || index === 0) return run.start;
  const { every, jitter, per_day: perDay = Infinity } = repeat;
  const days = Math.floor(index / perDay);
  const offsetMs = days === 0 ? index * every : days * day + (index % perDay) * every;
  const shiftMs = (seedPathOfRepetition(run, index, seed).at("jitter").random().next() * 2 - 1) * jitter;
  const start = instantAfter(run.start, Math.max(0, Math.round(offsetMs + shiftMs)));
  return start < previousStart ? previousStart : start;
}

/** A repetition that has not begun. */
interface UpcomingRepetition {
  readonly index: number;
  /** The date of its first step. */
  readonly date: Instant;
}

/**
 * Returns the repetition whose first step is earliest, of those that have not begun; undefined if none is left
 * before the last instant. Repetitions with a lower index may have later dates. They begin together with it, because
 * repetitions begin in order.
 */
function nextRepetition(run: Run, seed: number): UpcomingRepetition | undefined {
  if (run.stopped) return undefined;
  let next: UpcomingRepetition | undefined;
  let start = run.repetitions.at(-1)?.start ?? run.start;
  try {
    for (let index = run.repetitions.length; index < repetitionCount(run); index++) {
      start = startOfRepetition(run, index, start, seed);
      // No later repetition can be earlier.
      if (next && firstDate(run, start, ([least]) => least) >= next.date) break;
      const date = dateOfCreation(run, index, seed, start);
      if (!next || date < next.date) next = { index, date };
    }
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
  }
  return next;
}

/** The repetitions that have not begun, with their exact dates. Their changes are not on the timeline yet. */
export class UpcomingRepetitions {
  readonly #seed: number;
  readonly #unfinished = new Set<Run>();
  /** The next repetition of each run. It is cached, because finding it takes long. */
  readonly #next = new Map<Run, UpcomingRepetition>();
  #first: { readonly run: Run; readonly next: UpcomingRepetition } | undefined;

  constructor(seed: number, runs: readonly Run[]) {
    this.#seed = seed;
    for (const run of runs) this.add(run);
  }

  add(run: Run): void {
    this.#first = undefined;
    if (run.repetitions.length < repetitionCount(run)) this.#unfinished.add(run);
  }

  /** Returns the next repetition of a run; undefined if none is left. */
  of(run: Run): UpcomingRepetition | undefined {
    const cached = this.#next.get(run);
    if (cached && cached.index >= run.repetitions.length && !run.stopped) return cached;
    this.#next.delete(run);
    const next = nextRepetition(run, this.#seed);
    if (next) this.#next.set(run, next);
    else this.#unfinished.delete(run);
    return next;
  }

  /** The run with the earliest repetition, and the date of that repetition; `never` if none is left. */
  get first(): { readonly run: Run | undefined; readonly date: Instant } {
    // The first repetition stays the first until it has begun.
    if (!this.#first || this.of(this.#first.run) !== this.#first.next) {
      this.#first = undefined;
      for (const run of this.#unfinished) {
        const next = this.of(run);
        if (next && next.date < (this.#first?.next.date ?? never)) this.#first = { run, next };
      }
    }
    return { run: this.#first?.run, date: this.#first?.next.date ?? never };
  }

  /** Returns the date of the first change by a repetition, of all or some runs; `never` if none is left. */
  nextChange(isIncluded: (run: Run) => boolean = () => true): Instant {
    const runs = [...this.#unfinished].filter((run) => beginsWithChange(run) && isIncluded(run));
    return runs.reduce((first, run) => earlier(first, this.of(run)?.date ?? never), never);
  }
}

/** Whether a repetition begins with a change. It does not if its first step waits and its investment exists. */
function beginsWithChange({ investment_id, scenario: { steps } }: Run): boolean {
  const first = steps[0]?.trigger.kind;
  return investment_id === null || first === "after" || first === "at";
}

/** Returns the next repetition of a run: its seed path, its start, and the date of its first step. */
export function nextBeginning(run: Run, seed: number) {
  const index = run.repetitions.length;
  const start = startOfRepetition(run, index, run.repetitions.at(-1)?.start ?? run.start, seed);
  const seedPath = seedPathOfRepetition(run, index, seed);
  return { index, seedPath, start, date: dateOfCreation(run, index, seed, start) };
}

/** Returns the sampled date of the first step of a repetition; its start if the first step waits. */
function dateOfCreation(run: Run, index: number, seed: number, start: Instant): Instant {
  return firstDate(run, start, createDateSampler(run, index, 0, seed));
}

function firstDate({ scenario }: Run, start: Instant, sample: Sampler): Instant {
  const [first] = scenario.steps;
  return (first && dateOf(first, start, start, sample)) ?? start;
}

/** Samples a number between two bounds. */
type Sampler = (span: DurationRange) => number;

/**
 * Creates the sampler for the date of a step. The date follows from the seed, the run, the repetition and the step's
 * own trigger, so that added and removed steps with other triggers do not change it.
 */
function createDateSampler(run: Run, index: number, stepIndex: number, seed: number): Sampler {
  const seedPath = (): SeedPath =>
    seedPathOfRepetition(run, index, seed).at("dates", triggerNames(run.scenario)[stepIndex] ?? "");
  return (span) => numberBetween(span, () => seedPath().random());
}

const cachedTriggerNames = new WeakMap<Scenario, readonly string[]>();

/** Names the trigger of each step by its JSON, and by its number among equal triggers. */
function triggerNames(scenario: Scenario): readonly string[] {
  const cached = cachedTriggerNames.get(scenario);
  if (cached) return cached;
  const counts = new Map<string, number>();
  const names = scenario.steps.map(({ trigger }) => {
    const text = JSON.stringify(trigger);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return `${text} ${counts.get(text)}`;
  });
  cachedTriggerNames.set(scenario, names);
  return names;
}

/** Returns the keys; of those with this label only the newest, because each repetition may issue one. */
function newestByLabel(keys: readonly Key[], label: string): Key[] {
  const last = keys.findLast((key) => key.label === label);
  return keys.filter((key) => key === last || key.label !== label);
}

/** Returns the date of a step; undefined if it waits for reads or `next`. `last` is the date of the previous step. */
function dateOf({ trigger }: Step, last: Instant, start: Instant, sample: Sampler): Instant | undefined {
  switch (trigger.kind) {
    case "after": {
      const { by, most: max = by } = trigger;
      return instantAfter(last, sample([by, max]));
    }
    case "at": {
      const [base, minMs, maxMs] =
        "instant" in trigger
          ? [trigger.instant, 0, Date.parse(trigger.until ?? trigger.instant) - Date.parse(trigger.instant)]
          : [start, trigger.since, trigger.most ?? trigger.since];
      // A step is never earlier than the previous one. Only the rest of a span is left, or the previous step's instant.
      const elapsedMs = Date.parse(last) - Date.parse(base);
      return instantAfter(base, sample([Math.max(minMs, elapsedMs), Math.max(maxMs, elapsedMs)]));
    }
    case "after_reads":
    case "next":
      return undefined;
  }
}

/** Everything on which the dates and effects of a repetition depend. */
interface RepetitionContext extends Pick<StepContext, "environmentId" | "investment"> {
  readonly seed: number;
  readonly routingPrefix: string | undefined;
  /** The index of the repetition, from 0. */
  readonly index: number;
  readonly history: Pick<History, "keysBy" | "unrevokedBy">;
}

/**
 * Gives the steps of a repetition their dates, from the next step up to one that waits. Stores the dates in
 * `repetition`, and returns the effects. If the next step waits and happens now, `firedAt` is its date. Throws Error
 * with the step and the reason.
 */
export function scheduleSteps(run: Run, repetition: Repetition, context: RepetitionContext, firedAt?: Instant) {
  const { seed, routingPrefix, index, history, environmentId, investment } = context;
  const { step_dates: dates, start, payments } = repetition;
  const seedPath = seedPathOfRepetition(run, index, seed, routingPrefix);
  const issuedKeys: Key[] = [];
  const effects: DatedEffect[] = [];
  const nextIndex = dates.length;
  for (const [offset, step] of run.scenario.steps.slice(nextIndex).entries()) {
    const stepIndex = nextIndex + offset;
    const dateIfFired = offset === 0 ? firedAt : undefined;
    const date =
      dateIfFired ?? dateOf(step, dates.at(-1) ?? start, start, createDateSampler(run, index, stepIndex, seed));
    if (date === undefined) break;
    dates.push(date);
    repetition.reads = 0;
    const keys = (): readonly Key[] => [...history.keysBy(date), ...issuedKeys];
    const stepContext: StepContext = {
      seedPath: seedPath.at("steps", stepIndex),
      date,
      environmentId,
      offeringId: run.offering_id,
      investment,
      payments,
      keys,
      unrevoked: () => [...history.unrevokedBy(date), ...issuedKeys],
      keyId: (reference) => findKey(newestByLabel(keys(), reference), reference).id,
    };
    try {
      for (const [effectIndex, effect] of step.effects.entries()) {
        for (const change of changesOf(effect, effectIndex, stepContext)) {
          effects.push({ ...change, date, origin: { run: run.id, step: stepIndex } });
          if (change.kind === "new_key") issuedKeys.push(change.key);
        }
        if (effects.length > inputLimits.changes)
          throw new Error(`more than ${inputLimits.changes} changes on one investment`);
      }
    } catch (error) {
      throw new Error(`step ${stepIndex + 1}: ${messageOf(error)}`, { cause: error });
    }
  }
  return effects;
}
