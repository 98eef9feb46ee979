import { compareText } from "../../src/model/order.ts";
import {
  type Change,
  type Environment,
  type Fact,
  removeFutureFacts,
  investmentOf,
  isRefused,
  addMinutes,
  record,
  refuse,
  stateAt,
} from "./model.ts";
import type { Scenario, Step } from "./scenarios.ts";

export interface Run {
  readonly id: string;
  readonly scenario: Scenario;
  readonly offering_id: string;
  readonly start: string;
  /** The investment to play on; null for new ones. */
  readonly investment_id: string | null;
  readonly repetitions: Repetition[];
  stopped: boolean;
}

/** A repetition of a scenario. */
interface Repetition {
  /** The real id once it is known; before, a placeholder such as `run-1#0`. */
  readonly investment_id: string;
  readonly start: string;
  /** Instants of the steps, as far as they are known; null for a step cancelled by `stop`. */
  step_dates: (string | null)[];
  /** Reads of the investment since the current step began to wait. */
  reads: number;
}

export function play(environment: Environment, scenario: Scenario): void {
  const { runs, now } = environment.content;
  const { offerings, investments } = stateAt(environment);
  const { investment, offering, steps } = scenario;
  let since = 0;
  for (const { after, at } of steps) {
    since += minutes(after);
    if (at !== undefined && minutes(at) < since) refuse();
    since = Math.max(since, minutes(at));
  }
  const investment_id = typeof investment === "string" ? investment : null;
  if (investment_id !== null && !investments[investment_id]) refuse();
  const offeringOfInvestment = investments[investment_id ?? ""]?.offering_id;
  const offering_id = offeringOfInvestment ?? offering ?? Object.keys(offerings)[0] ?? "";
  const id = `run-${runs.length + 1}`;
  const run: Run = { id, scenario, offering_id, start: now, investment_id, repetitions: [], stopped: false };
  startRepetition(environment, run);
  runs.push(run);
  startDueRepetitions(environment);
}

/** Starts all due repetitions, earliest first. */
export function startDueRepetitions(environment: Environment): void {
  const { runs, now } = environment.content;
  for (;;) {
    const [first] = runs
      .filter((run) => !run.stopped && hasMore(run))
      .map((run) => ({ run, date: nextStart(run).date }))
      .filter(({ date }) => date <= now)
      .toSorted((left, right) => compareText(left.date, right.date));
    if (!first) return;
    performOrStop(environment, first.run, () => startRepetition(environment, first.run));
  }
}

/** Plays the waiting step of each repetition of a run. */
export function playWaitingSteps(environment: Environment, id: string): void {
  const run = findRun(environment, id);
  const waitingRepetitions = run.stopped
    ? []
    : run.repetitions.filter((repetition) => waitingStepOf(environment, run, repetition));
  if (waitingRepetitions.length === 0) refuse();
  for (const repetition of waitingRepetitions) playWaitingStep(environment, run, repetition);
}

export function stop(environment: Environment, id: string): void {
  const run = findRun(environment, id);
  const { now } = environment.content;
  run.stopped = true;
  for (const repetition of run.repetitions)
    repetition.step_dates = repetition.step_dates.map((due) => (due !== null && due > now ? null : due));
  removeFutureFacts(environment, id);
}

/** Counts a read of an investment; it may play waiting steps. */
export function countRead(environment: Environment, investmentId: string): void {
  for (const run of environment.content.runs) {
    for (const repetition of run.repetitions) {
      if (run.stopped || repetition.investment_id !== investmentId) continue;
      const { after_reads } = waitingStepOf(environment, run, repetition) ?? {};
      if (after_reads && ++repetition.reads >= after_reads)
        performOrStop(environment, run, () => playWaitingStep(environment, run, repetition));
    }
  }
}

/** The runs in the form of `runs.list()`. */
export function runDescriptions({ content: { runs, now } }: Environment): unknown[] {
  return runs.map((run) => {
    const { id, scenario, stopped, repetitions } = run;
    const steps = repetitions.flatMap(({ investment_id, step_dates, start }) =>
      scenario.steps.map((_, index) => {
        const due = step_dates[index] ?? null;
        const waits = index === step_dates.length && (step_dates.at(-1) ?? start) <= now ? "waiting" : "pending";
        const pendingStatus = stopped ? "stopped" : due !== null ? "scheduled" : waits;
        return { index, investment_id, due, status: due !== null && due <= now ? "done" : pendingStatus };
      }),
    );
    const hasStep = (status: string): boolean => steps.some((step) => step.status === status);
    const unfinishedStatus = hasStep("waiting") ? "waiting" : hasStep("pending") ? "running" : "finished";
    const status = stopped ? "stopped" : hasMore(run) || hasStep("scheduled") ? "running" : unfinishedStatus;
    return { id, status, investment_ids: repetitions.map(({ investment_id }) => investment_id), steps };
  });
}

function findRun({ content: { runs } }: Environment, id: string): Run {
  const run = runs.find((candidate) => candidate.id === id);
  if (!run) refuse();
  return run;
}

function hasMore({ scenario, repetitions }: Run): boolean {
  return repetitions.length < (scenario.repeat?.count ?? 1);
}

/** The waiting step of a repetition at the present. */
function waitingStepOf({ content: { now } }: Environment, { scenario }: Run, repetition: Repetition): Step | undefined {
  return (repetition.step_dates.at(-1) ?? repetition.start) <= now
    ? scenario.steps[repetition.step_dates.length]
    : undefined;
}

/** The start of the next repetition, and the date of its first step, when its investment is created. */
function nextStart({ scenario: { repeat, steps }, repetitions, start: first }: Run): { start: string; date: string } {
  const start = addMinutes(first, repetitions.length * minutes(repeat?.every));
  return { start, date: (steps[0] && dateOf(steps[0], start, start)) ?? start };
}

function startRepetition(environment: Environment, run: Run): void {
  const { start, date } = nextStart(run);
  const id = run.investment_id ?? `${run.id}#${run.repetitions.length}`;
  const repetition: Repetition = { investment_id: id, start, step_dates: [], reads: 0 };
  const investment = investmentOf(run.offering_id, date);
  const creation: Fact[] = run.investment_id
    ? []
    : [{ kind: "new_investment", id, set: investment, date, run: run.id }];
  advanceRepetition(environment, run, repetition, creation);
  run.repetitions.push(repetition);
}

function playWaitingStep(environment: Environment, run: Run, repetition: Repetition): void {
  if (!stateAt(environment).investments[repetition.investment_id]) refuse();
  advanceRepetition(environment, run, repetition, [], environment.content.now);
}

/**
 * Dates the steps up to the next waiting one, and records them after `facts`. `now` is the date of a step that waited.
 */
function advanceRepetition(
  environment: Environment,
  run: Run,
  repetition: Repetition,
  facts: Fact[],
  now?: string,
): void {
  const step_dates = [...repetition.step_dates];
  for (const [index, step] of run.scenario.steps.entries()) {
    if (index < step_dates.length) continue;
    const lastDate = step_dates.at(-1) ?? repetition.start;
    const date =
      index === repetition.step_dates.length && now !== undefined ? now : dateOf(step, lastDate, repetition.start);
    if (date === undefined) break;
    if (date < lastDate) refuse();
    step_dates.push(date);
    for (const change of changesOf(environment, run, repetition, index, date))
      facts.push({ ...change, date, run: run.id });
  }
  record(environment, facts);
  Object.assign(repetition, { step_dates, reads: 0 });
}

function dateOf({ after, at, next: waits, after_reads }: Step, last: string, start: string): string | undefined {
  if (waits || after_reads) return undefined;
  return at === undefined ? addMinutes(last, minutes(after)) : addMinutes(start, minutes(at));
}

function changesOf(
  environment: Environment,
  run: Run,
  { investment_id: id }: Repetition,
  index: number,
  date: string,
): Change[] {
  const { offering_id, scenario } = run;
  const { offering, sign, payment, event, investment, key, fault } = scenario.steps[index] ?? {};
  const changes: Change[] = [];
  if (offering) changes.push({ kind: "offering", id: offering_id, set: offering });
  if (sign) {
    const { signing_parties } = stateAt(environment).investments[id] ?? investmentOf(offering_id, date);
    for (const email of Object.keys(signing_parties))
      changes.push({ kind: "signing_party", id, set: { signing_parties: { [email]: { signed: true } } } });
  }
  if (payment) {
    const { alias, ...set } = payment;
    const isRepeated = scenario.steps.slice(0, index).some((step) => step.payment?.alias === alias);
    const payments = { [`${run.id} ${alias}`]: isRepeated ? set : { status: "pending", ...set } };
    changes.push({ kind: isRepeated ? "payment" : "new_payment", id, set: { payments } });
  }
  if (event) changes.push({ kind: "event", id });
  if (investment) changes.push({ kind: "investment", id, set: investment });
  if (key) changes.push(...revocations(environment, offering_id, key.revoke, date));
  if (fault) {
    const { for: duration, ...rule } = fault;
    const faultId = `${id} ${run.id} ${index}`;
    const until = addMinutes(date, minutes(duration));
    changes.push({ kind: "new_fault", id: faultId, set: { id: faultId, rule, until } });
  }
  return changes;
}

/** Revocations of an offering's keys with a type or a label, at a date. */
function revocations(
  { opening, content }: Environment,
  offering_id: string,
  typeOrLabel: string,
  date: string,
): Change[] {
  const issuedKeys = content.facts.flatMap((fact) => (fact.kind === "new_key" && fact.date <= date ? [fact.set] : []));
  const revokedKeys = [...Object.values(opening.state.keys), ...issuedKeys].filter(
    (key) =>
      key.offering_id === offering_id &&
      key.revoke_date === null &&
      (key.type === typeOrLabel || key.label === typeOrLabel),
  );
  if (revokedKeys.length === 0) refuse();
  return revokedKeys.map(({ id }) => ({ kind: "key", id, set: { revoke_date: date } }));
}

function minutes(duration = "0m"): number {
  return Number(duration.replace(/m$/, ""));
}

/** Performs an action of a run, and stops the run if the action is impossible. */
function performOrStop(environment: Environment, { id }: Run, action: () => void): void {
  if (isRefused(action)) stop(environment, id);
}
