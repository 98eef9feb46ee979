import { inputLimits } from "../bounds/bounds.ts";
import type { Instant } from "../time/instant.ts";
import { ConflictError } from "../validation/errors.ts";
import { nameOfInvestment } from "../model/summaries.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { RunDescription, RunStep } from "../public/scenarios.ts";
import type { StateAtInstant, StateView } from "./state.ts";

/** One run of a scenario, as plain data. Snapshots contain it, with the script that it had when it began. */
export interface Run {
  readonly id: string;
  readonly scenario: Scenario;
  readonly offering_id: string;
  readonly start: Instant;
  /** The existing investment that the run uses; null for new ones. */
  readonly investment_id: string | null;
  /** The repetitions that have begun, in order. */
  readonly repetitions: Repetition[];
  stopped: boolean;
  /** The reason why a step or repetition failed, which stops the run; null without a failure. */
  problem: string | null;
}

/** One repetition of a run: the script played on one investment. */
export interface Repetition {
  readonly investment_id: string;
  readonly start: Instant;
  /** The dates of the steps that already have a date; null for a step that was stopped before its date. */
  readonly step_dates: (Instant | null)[];
  /** The ids of this repetition's payments, by the alias in the script. */
  readonly payments: Record<string, string>;
  /** Reads of the investment since the last step happened. */
  reads: number;
}

/** Returns how often a run plays its script. */
export function repetitionCount({ scenario }: Run): number {
  return scenario.repeat?.count ?? 1;
}

/** Creates a run that has not begun. Throws ConflictError if there would be too many runs or repetitions. */
export function newRun(runs: readonly Run[], fields: Omit<Run, "id" | "repetitions" | "stopped" | "problem">): Run {
  const ids = new Set(runs.map(({ id }) => id));
  let number = runs.length + 1;
  // The ids in an edited snapshot may have gaps.
  while (ids.has(`run-${number}`)) number++;
  const run = { id: `run-${number}`, ...fields, repetitions: [], stopped: false, problem: null };
  refuseTooManyRuns(runs, run);
  return run;
}

function refuseTooManyRuns(runs: readonly Run[], addedRun: Run): void {
  if (runs.length >= inputLimits.runs) {
    throw new ConflictError(`The environment has ${runs.length.toLocaleString("en")} runs; reset it, or open another.`);
  }
  const counts = runs.map((run) => (run.stopped ? run.repetitions.length : repetitionCount(run)));
  const [addedCount, existingCount] = [repetitionCount(addedRun), counts.reduce((sum, count) => sum + count, 0)];
  if (existingCount + addedCount <= inputLimits.repetitions) return;
  const numbers = [addedCount, existingCount, inputLimits.repetitions];
  const [addedText, existingText, limitText] = numbers.map((number) => number.toLocaleString("en"));
  throw new ConflictError(
    `Scenario ${addedRun.scenario.name} would add ${addedText} repetitions to the ${existingText} of the environment; the limit is ${limitText}. Stop unfinished runs, reset the environment, or open another.`,
  );
}

/** Whether the last dated step of a repetition is in the past. */
export function hasPassedLastStep({ step_dates, start }: Repetition, now: Instant): boolean {
  return (step_dates.at(-1) ?? start) <= now;
}

/** Describes a run at an instant, with the state of that instant. */
export function describeRun(
  run: Run,
  { now, state }: StateAtInstant,
  nextRepetition: Instant | null,
  investmentName: (id: string) => string | undefined,
): RunDescription {
  const steps = run.repetitions.flatMap((repetition) =>
    run.scenario.steps.map((_, index) => describeStep(run, repetition, index, now)),
  );
  return {
    id: run.id,
    title: runTitle(run, state),
    scenario: run.scenario.name,
    status: runStatus(run, steps),
    problem: run.problem,
    repetitions: repetitionCount(run),
    next_date: nextDate(steps, nextRepetition),
    next_repetition_date: nextRepetition,
    investment_ids: run.repetitions.map((repetition) => repetition.investment_id),
    investment_names: run.repetitions.map(({ investment_id: id }) => investmentName(id) ?? id),
    steps,
  };
}

/** Returns `closing on #148 Ada Lovelace`; with repetitions, only the name of the scenario. */
export function runTitle(run: Run, state: StateView): string {
  const [repetition] = run.repetitions;
  const investment = repetition && repetitionCount(run) === 1 ? state.investment(repetition.investment_id) : undefined;
  return investment ? `${run.scenario.name} on ${nameOfInvestment(investment)}` : run.scenario.name;
}

/** Returns the date of the next dated step or repetition; null if there is none. */
function nextDate(steps: readonly RunStep[], nextRepetition: Instant | null): Instant | null {
  let next = nextRepetition;
  for (const { status, due } of steps) {
    if (status === "scheduled" && due !== null && (next === null || due < next)) next = due;
  }
  return next;
}

/** Returns the status of a run: `waiting` if it needs more than time to continue. */
function runStatus(run: Run, steps: readonly RunStep[]): RunDescription["status"] {
  if (run.stopped) return "stopped";
  const hasStep = (status: RunStep["status"]): boolean => steps.some((step) => step.status === status);
  if (run.repetitions.length < repetitionCount(run) || hasStep("scheduled")) return "running";
  if (hasStep("waiting")) return "waiting";
  return hasStep("pending") ? "running" : "finished";
}

function describeStep(run: Run, repetition: Repetition, index: number, now: Instant): RunStep {
  const { investment_id, step_dates } = repetition;
  const due = step_dates[index] ?? null;
  const status = (): RunStep["status"] => {
    if (due !== null && due <= now) return "done";
    if (run.stopped) return "stopped";
    if (due !== null) return "scheduled";
    return index === step_dates.length && hasPassedLastStep(repetition, now) ? "waiting" : "pending";
  };
  return { index, investment_id, status: status(), due };
}
