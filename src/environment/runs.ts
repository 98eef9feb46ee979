import type { PlaySubject, RunDescription } from "../control.ts";
import type { completeInvestment } from "../fixture/complete/investment.ts";
import type { Instant } from "../model/instant.ts";
import { Impossible } from "../model/mistakes.ts";
import type { Investment, Key, Offering } from "../model/resources.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { DatedEffect } from "../model/change.ts";
import {
  describeRun,
  firstDate,
  hasArrived,
  newRun,
  nextRepetition,
  placeOfRepetition,
  type Run,
  startOfRepetition,
  type Track,
} from "./run.ts";
import { schedule } from "./schedule.ts";
import type { StateView } from "./state.ts";

/** The environment, as its runs need it. */
export interface RunHost {
  readonly id: string;
  readonly seed: number;
  /** The present, and the state at it. */
  read(): { readonly now: Instant; readonly state: StateView };
  /** The state at an instant, or at the present where that is earlier. */
  stateAt(date: Instant): StateView;
  /** In the order of the fixture. */
  readonly offerings: readonly Offering[];
  /** The keys that are there from the beginning, and those issued up to an instant, which may be yet to come. */
  keysBy(date: Instant): readonly Key[];
  /** Puts effects on the timeline, all or none. */
  record(effects: readonly DatedEffect[]): void;
  /** Takes what a run has put there after an instant off the timeline. */
  forget(runId: string, after: Instant): void;
}

/** The runs of an environment. They put changes on its timeline; what waits dates itself when it fires. */
export class Runs {
  readonly #host: RunHost;
  readonly #runs: Run[];
  /** The tracks that wait for reads, by investment. */
  readonly #waiting = new Map<string, Set<[Run, Track]>>();
  #complete: typeof completeInvestment | undefined;
  #nextDue: { readonly run: Run | undefined; readonly date: Instant } | undefined;

  constructor(host: RunHost, runs: readonly Run[] = []) {
    this.#host = host;
    this.#runs = [...runs];
    for (const run of runs) for (const track of run.tracks) this.#watch(run, track);
  }

  /** In the order in which they began; plain data. */
  get all(): readonly Run[] {
    return this.#runs;
  }

  describe(run: Run): RunDescription {
    return describeRun(run, this.#host.read().now);
  }

  /**
   * Begins a run. `prepared()` must have been awaited when the scenario brings investments into being. Throws Impossible, by
   * scenario, step and reason, when its first repetition is impossible; then nothing has changed.
   */
  play(scenario: Scenario, subject: PlaySubject): Run {
    const run = newRun(this.#nextId, scenario, subject, this.#host);
    this.#begin(run);
    this.#add(run);
    return run;
  }

  /** Begins a run that is known to be possible, and leaves its first repetition to come when it is due. */
  playLater(scenario: Scenario): Run {
    const run = newRun(this.#nextId, scenario, {}, this.#host);
    this.#add(run);
    return run;
  }

  get #nextId(): string {
    return `run-${this.#runs.length + 1}`;
  }

  #add(run: Run): void {
    this.#runs.push(run);
    this.#nextDue = undefined;
  }

  /** Loads what bringing investments into being needs, unless it is there. */
  async prepare(): Promise<void> {
    this.#complete ??= (await import("../fixture/complete/investment.ts")).completeInvestment;
  }

  /** Whether a repetition is due that cannot begin before `prepare()`. */
  needsPreparation(now: Instant): boolean {
    const { run, date } = this.#due;
    return this.#complete === undefined && date <= now && run?.investment_id === null;
  }

  /** Begins the repetitions that are due, earliest first, so that it does not matter how often this is asked. */
  beginDue(now: Instant): void {
    for (;;) {
      const { run: due, date } = this.#due;
      if (!due || date > now || this.needsPreparation(now)) return;
      this.#orStop(due, () => this.#begin(due));
    }
  }

  /** What goes wrong where nobody can be told stops the run, which says why. */
  #orStop(run: Run, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.stop(run);
      run.problem = messageOf(error);
    }
  }

  /** Plays the step that waits, of every repetition that has one. Throws Impossible when none does. */
  next(run: Run): void {
    const { now } = this.#host.read();
    const waiting = run.stopped ? [] : run.tracks.filter((track) => isWaiting(run, track) && hasArrived(track, now));
    if (waiting.length === 0) {
      const { status } = describeRun(run, now);
      throw new Impossible(`Run ${run.id} (${run.scenario.name}) has no step that waits: it is ${status}.`);
    }
    for (const track of waiting) this.#fire(run, track, now);
  }

  /** Takes away what has not happened. */
  stop(run: Run): void {
    const { now } = this.#host.read();
    run.stopped = true;
    this.#nextDue = undefined;
    this.#host.forget(run.id, now);
    for (const track of run.tracks) {
      for (const [index, due] of track.dues.entries()) if (due !== null && due > now) track.dues[index] = null;
      this.#unwatch(run, track);
    }
  }

  /** Counts a read of an investment, after it was answered; answers whether a step waited for it. */
  wasRead(investmentId: string): boolean {
    const waiting = this.#waiting.get(investmentId);
    if (!waiting) return false;
    const { now } = this.#host.read();
    let counted = false;
    for (const [run, track] of Array.from(waiting)) {
      const trigger = run.scenario.steps[track.dues.length]?.trigger;
      if (trigger?.kind !== "after_reads" || !hasArrived(track, now)) continue;
      track.reads += 1;
      counted = true;
      if (track.reads >= trigger.reads) this.#orStop(run, () => this.#fire(run, track, now));
    }
    return counted;
  }

  /** The run whose next repetition comes first, and when; never is after every instant. */
  get #due(): { readonly run: Run | undefined; readonly date: Instant } {
    if (!this.#nextDue) {
      let due: { run: Run | undefined; date: Instant } = { run: undefined, date: never };
      for (const run of this.#runs) {
        const date = nextRepetition(run, this.#host.seed) ?? never;
        if (date < due.date) due = { run, date };
      }
      this.#nextDue = due;
    }
    return this.#nextDue;
  }

  /** Begins the next repetition of a run. */
  #begin(run: Run): void {
    const { seed } = this.#host;
    const start = startOfRepetition(run, run.tracks.length, seed);
    const date = firstDate(run, start);
    const existing = run.investment_id === null ? undefined : this.#host.stateAt(date).investment(run.investment_id);
    if (run.investment_id !== null && !existing) throw investmentGone(run);
    const investment = existing ?? this.#newInvestment(run, date);
    const track: Track = { investment_id: investment.id, start, dues: [], payments: {}, reads: 0 };
    const setting = { host: this.#host, repetition: run.tracks.length, investment };
    const arrival: DatedEffect[] = existing
      ? []
      : [{ kind: "new_investment", date, investment, origin: { run: run.id, step: 0 } }];
    this.#put(run, () => [...arrival, ...schedule(run, track, setting)]);
    run.tracks.push(track);
    this.#nextDue = undefined;
    this.#watch(run, track);
  }

  #newInvestment({ id, ...run }: Run, date: Instant): Investment {
    if (!this.#complete) throw new Error("bringing an investment into being needs preparation");
    const { scenario, offering_id, tracks } = run;
    const place = placeOfRepetition({ id, ...run }, tracks.length, this.#host.seed);
    const beginning = { status: "PENDING", step: null, payments: [], events: [], create_date: date, modify_date: date };
    const written = typeof scenario.investment === "string" ? {} : scenario.investment;
    const created = Date.parse(date);
    const price = this.#host.stateAt(date).investmentsOf(offering_id).byCreation.last?.price ?? 10;
    const completed = this.#complete(
      { ...beginning, ...written },
      { place, createDate: created, investmentNumber: 0, now: created, price, closing: 0 },
    );
    return { ...completed, offering_id };
  }

  /** Lets the step that a track waits with happen now. Throws Impossible when that is impossible; then nothing has changed. */
  #fire(run: Run, track: Track, now: Instant): void {
    const investment = this.#host.read().state.investment(track.investment_id);
    if (!investment) throw investmentGone(run);
    const moved = structuredClone(track);
    const setting = { host: this.#host, repetition: run.tracks.indexOf(track), investment };
    this.#put(run, () => schedule(run, moved, setting, now));
    this.#unwatch(run, track);
    Object.assign(track, moved);
    this.#watch(run, track);
  }

  /** Puts changes of a run on the timeline, and says of which scenario they are when they are impossible. */
  #put(run: Run, changes: () => readonly DatedEffect[]): void {
    try {
      this.#host.record(changes());
    } catch (error) {
      throw new Impossible(`Scenario ${run.scenario.name}, ${messageOf(error)}.`, { cause: error });
    }
  }

  #watch(run: Run, track: Track): void {
    if (run.stopped || run.scenario.steps[track.dues.length]?.trigger.kind !== "after_reads") return;
    const waiting = this.#waiting.get(track.investment_id) ?? new Set();
    this.#waiting.set(track.investment_id, waiting.add([run, track]));
  }

  #unwatch(run: Run, track: Track): void {
    const waiting = this.#waiting.get(track.investment_id);
    for (const entry of waiting ?? []) if (entry[0] === run && entry[1] === track) waiting?.delete(entry);
    if (waiting?.size === 0) this.#waiting.delete(track.investment_id);
  }
}

function investmentGone({ scenario }: Run): Impossible {
  return new Impossible(`Scenario ${scenario.name}: its investment is not there now.`);
}

/** Later than any instant. */
const never = "~";

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isWaiting({ scenario }: Run, { dues }: Track): boolean {
  const trigger = scenario.steps[dues.length]?.trigger;
  return trigger?.kind === "after_reads" || trigger?.kind === "next";
}
