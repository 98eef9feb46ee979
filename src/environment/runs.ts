import type { PlaySubject, RunDescription } from "../public/control.ts";
import type { Instant } from "../time/instant.ts";
import { ConflictError, messageOf } from "../validation/errors.ts";
import type { Investment, DatedEffect } from "../model/resources.ts";
import { TimeSlice } from "../bounds/time-slice.ts";
import type { Scenario, Trigger } from "../scenario/scenario.ts";
import { newInvestmentOf } from "../scenario/signing-parties.ts";
import type { EnvironmentConfig } from "./document.ts";
import type { History } from "./history.ts";
import { findSubject } from "./references.ts";
import { describeRun, hasPassedLastStep, newRun, type Repetition, type Run } from "./run.ts";
import { nextBeginning, scheduleSteps, UpcomingRepetitions } from "./schedule.ts";

const loadNewInvestment = () => import("./new-investment.ts");
let newInvestmentModule: Awaited<ReturnType<typeof loadNewInvestment>> | undefined;

type RunConfig = Pick<EnvironmentConfig, "id" | "routingPrefix" | "dataset">;

/** The runs of an environment. It puts their changes on the timeline; a waiting step gets its date when it fires. */
export class RunPlayer {
  readonly #config: RunConfig;
  readonly #history: History;
  readonly #onProblem: (run: Run) => void;
  readonly #runs: Run[];
  readonly #upcoming: UpcomingRepetitions;
  /** The repetitions that wait for reads of each investment, with their runs. */
  readonly #waitingRepetitions = new Map<string, Map<Repetition, Run>>();
  #pendingCatchUp: Promise<void> | undefined;
  /** Whether no more repetitions begin, because the environment was deleted or reset. */
  isCancelled = false;

  constructor(config: RunConfig, history: History, onProblem: (run: Run) => void, runs: readonly Run[] = []) {
    this.#config = config;
    this.#history = history;
    this.#onProblem = onProblem;
    this.#runs = [...runs];
    this.#upcoming = new UpcomingRepetitions(config.dataset.seed, runs);
    for (const run of runs) for (const repetition of run.repetitions) this.#watch(run, repetition);
  }

  /** The runs as plain data, in the order in which they were added. */
  get all(): readonly Run[] {
    return this.#runs;
  }

  describe(run: Run): RunDescription {
    const nextRepetition = this.#upcoming.of(run)?.date ?? null;
    return describeRun(run, this.#history.read(), nextRepetition, (id) => this.#history.investmentName(id));
  }

  /** Returns the date of the next change by a repetition that has not begun, of all or some runs; `never` without. */
  nextDate(isIncluded?: (run: Run) => boolean): Instant {
    return this.#upcoming.nextChange(isIncluded);
  }

  /**
   * Begins a run. Await `prepare()` first if the scenario creates investments. Throws ConflictError, and changes
   * nothing, if the first repetition is impossible, or if there would be too many runs or repetitions.
   */
  play(scenario: Scenario, subject: PlaySubject): Run {
    const run = this.#newRun(scenario, subject);
    this.#beginRepetition(run);
    this.#add(run);
    return run;
  }

  /** Adds a run that begins when it is due. Throws ConflictError if there would be too many runs or repetitions. */
  playLater(scenario: Scenario): void {
    this.#add(this.#newRun(scenario, {}));
  }

  async prepare(): Promise<void> {
    newInvestmentModule ??= await loadNewInvestment();
  }

  /**
   * Begins all due repetitions, earliest first, so that the result does not depend on the number of calls. Other
   * requests can run in between. Returns undefined if none is due.
   */
  catchUp(now: Instant): Promise<void> | undefined {
    if (this.#pendingCatchUp === undefined && !this.isCancelled && this.#upcoming.first.date <= now) {
      this.#pendingCatchUp = this.#beginDueRepetitions(now).finally(() => (this.#pendingCatchUp = undefined));
    }
    return this.#pendingCatchUp;
  }

  async #beginDueRepetitions(now: Instant): Promise<void> {
    await this.prepare();
    const timeSlice = new TimeSlice();
    while (!this.isCancelled) {
      const { run, date } = this.#upcoming.first;
      if (!run || date > now) return;
      this.#stopOnFailure(run, () => this.#beginRepetition(run));
      await timeSlice.yieldIfDue();
    }
  }

  /** Fires every waiting step. Throws ConflictError, and changes nothing, if none waits or one is impossible. */
  next(run: Run): void {
    const { now } = this.#history.read();
    const isWaiting = (repetition: Repetition) =>
      nextTrigger(run, repetition) !== undefined && hasPassedLastStep(repetition, now);
    const waiting = run.stopped ? [] : run.repetitions.filter(isWaiting);
    if (waiting.length === 0) {
      const { status } = this.describe(run);
      throw new ConflictError(`Run ${run.id} (${run.scenario.name}) has no step that waits: it is ${status}.`);
    }
    this.#fire(run, waiting, now);
  }

  /** Stops a run, and removes its upcoming changes. */
  stop(run: Run): void {
    const { now } = this.#history.read();
    run.stopped = true;
    this.#history.removeRunChanges(run.id, now);
    for (const repetition of run.repetitions) {
      for (const [index, due] of repetition.step_dates.entries())
        if (due !== null && due > now) repetition.step_dates[index] = null;
      this.#unwatch(repetition);
    }
  }

  /** Counts a read of an investment after its response. Returns whether a step waited for the read. */
  countRead(investmentId: string): boolean {
    const waiting = this.#waitingRepetitions.get(investmentId);
    if (!waiting) return false;
    const { now } = this.#history.read();
    let isCounted = false;
    for (const [repetition, run] of Array.from(waiting)) {
      const trigger = nextTrigger(run, repetition);
      if (trigger?.kind !== "after_reads" || !hasPassedLastStep(repetition, now)) continue;
      repetition.reads += 1;
      isCounted = true;
      if (repetition.reads >= trigger.reads) this.#stopOnFailure(run, () => this.#fire(run, [repetition], now));
    }
    return isCounted;
  }

  #newRun(scenario: Scenario, subject: PlaySubject): Run {
    const subjectIds = findSubject(scenario, subject, this.#history);
    return newRun(this.#runs, { scenario, ...subjectIds, start: this.#history.read().now });
  }

  #add(run: Run): void {
    this.#runs.push(run);
    this.#upcoming.add(run);
  }

  #beginRepetition(run: Run): void {
    const beginning = nextBeginning(run, this.#config.dataset.seed);
    const { index, start, date } = beginning;
    const existingInvestment =
      run.investment_id === null ? undefined : this.#history.stateAt(date).investment(run.investment_id);
    if (run.investment_id !== null && !existingInvestment) throw missingInvestmentError(run);
    const investment = existingInvestment ?? this.#newInvestment(run, beginning);
    const repetition: Repetition = { investment_id: investment.id, start, step_dates: [], payments: {}, reads: 0 };
    const origin = { run: run.id, step: 0 };
    const creation: DatedEffect[] = existingInvestment ? [] : [{ kind: "new_investment", date, investment, origin }];
    this.#record(run, () => [...creation, ...this.#schedule(run, repetition, index, investment)]);
    run.repetitions.push(repetition);
    this.#watch(run, repetition);
  }

  #newInvestment(run: Run, { seedPath, date }: ReturnType<typeof nextBeginning>): Investment {
    if (!newInvestmentModule) throw new Error("an investment cannot be created before prepare() has resolved");
    const { scenario, offering_id: offeringId } = run;
    const investment = { written: newInvestmentOf(scenario), path: ["investment"], seedPath, offeringId, date };
    try {
      return newInvestmentModule.newInvestment({ ...investment, statuses: "any" }, this.#history);
    } catch (error) {
      throw new ConflictError(`Scenario ${scenario.name}: ${messageOf(error)}`, { cause: error });
    }
  }

  /** Fires the waiting steps of repetitions. Throws ConflictError, and changes nothing, if one is impossible. */
  #fire(run: Run, repetitions: readonly Repetition[], now: Instant): void {
    const investmentOf = (repetition: Repetition) => this.#history.read().state.investment(repetition.investment_id);
    if (!repetitions.every(investmentOf)) throw missingInvestmentError(run);
    const copiedRepetitions = structuredClone(repetitions);
    const schedules = copiedRepetitions.map((copy, index) => () => {
      const repetition = repetitions[index] ?? copy;
      const investment = investmentOf(repetition);
      return investment ? this.#schedule(run, copy, run.repetitions.indexOf(repetition), investment, now) : [];
    });
    this.#record(run, ...schedules);
    for (const [index, repetition] of repetitions.entries()) {
      this.#unwatch(repetition);
      Object.assign(repetition, copiedRepetitions[index]);
      this.#watch(run, repetition);
    }
  }

  #schedule(run: Run, repetition: Repetition, index: number, investment: Investment, firedAt?: Instant): DatedEffect[] {
    const { id: environmentId, routingPrefix, dataset } = this.#config;
    const context = { environmentId, seed: dataset.seed, routingPrefix, index, investment, history: this.#history };
    return scheduleSteps(run, repetition, context, firedAt);
  }

  /** Puts effects on the timeline. Throws ConflictError with the name of the scenario. */
  #record(run: Run, ...sources: readonly (() => readonly DatedEffect[])[]): void {
    try {
      this.#history.record(...sources);
    } catch (error) {
      throw new ConflictError(`Scenario ${run.scenario.name}, ${messageOf(error)}.`, { cause: error });
    }
  }

  /** Stops the run if `act` fails, and stores the reason in the run, because no caller gets the error. */
  #stopOnFailure(run: Run, act: () => void): void {
    try {
      act();
    } catch (error) {
      run.problem = messageOf(error);
      this.stop(run);
      this.#onProblem(run);
    }
  }

  #watch(run: Run, repetition: Repetition): void {
    if (run.stopped || nextTrigger(run, repetition)?.kind !== "after_reads") return;
    const waiting = this.#waitingRepetitions.get(repetition.investment_id) ?? new Map<Repetition, Run>();
    this.#waitingRepetitions.set(repetition.investment_id, waiting.set(repetition, run));
  }

  #unwatch(repetition: Repetition): void {
    const waiting = this.#waitingRepetitions.get(repetition.investment_id);
    waiting?.delete(repetition);
    if (waiting?.size === 0) this.#waitingRepetitions.delete(repetition.investment_id);
  }
}

/** Returns the trigger of the first step without a date. */
function nextTrigger({ scenario }: Run, { step_dates }: Repetition): Trigger | undefined {
  return scenario.steps[step_dates.length]?.trigger;
}

function missingInvestmentError({ scenario }: Run): ConflictError {
  return new ConflictError(`Scenario ${scenario.name}: its investment does not exist now.`);
}
