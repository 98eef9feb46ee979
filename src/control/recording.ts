import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import type { RecordedScenario } from "../public/control.ts";
import { rowOf, summaryOf } from "../environment/effects.ts";
import type { Environment } from "../environment/environment.ts";
import type { History } from "../environment/history.ts";
import { Recording } from "../environment/recording.ts";
import type { Run } from "../environment/run.ts";
import { findOffering } from "../environment/references.ts";
import { State } from "../environment/state.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Change } from "../model/resources.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import { type Instant, never } from "../time/instant.ts";
import { formatErrors, messageOf, ValidationError } from "../validation/errors.ts";
import { asLabel, formatCount } from "../text/text.ts";
import { parseScenario } from "../scenario/parse.ts";
import { newInvestmentOf } from "../scenario/signing-parties.ts";
import { writtenForm } from "../scenario/scenario.ts";
import type { BodyValue } from "./bodies.ts";
import { investmentIdOf, investmentIn } from "./timeline.ts";

/* This module loads YAML and the check of scenarios, so the table of handlers imports it late. */

/**
 * Writes the manual changes of one investment, of keys and of faults as a scenario with the same times between them, in
 * whole seconds. For a new investment, the scenario has only the written members and those that its steps depend on;
 * a run generates the rest. If a run created the investment, the scenario has the dated steps of that run too. Throws
 * ValidationError if the investment is missing or ambiguous, ControlError if there is nothing to write, or too much.
 */
export function recordScenario(environment: Environment, options: BodyValue<"RecordOptions">): RecordedScenario {
  const { name = "recorded" } = options;
  const selection = selectChanges(environment, options);
  const { run, recordedChanges } = selection;
  const { recording, start, offeringId, investment } = replayChanges(environment, selection);
  const warnings = [...recording.warnings, ...formatOmissions(environment, selection)];
  const origin = run ? `${run.scenario.name} with manual changes` : "Manual changes";
  const document = writtenForm({
    name,
    title: name,
    description: `${origin} from ${formatSecond(start)} to ${formatSecond(recordedChanges.at(-1)?.date ?? start)}.`,
    offering: environment.offerings.find(({ id }) => id === offeringId)?.alias ?? offeringId,
    investment: investment ? (investment.alias ?? investment.id) : (recording.created ?? {}),
    repeat: null,
    steps: recording.steps,
  });
  const text = warnings.map((warning) => `# ${warning}\n`).join("") + stringify(document);
  try {
    parseScenario(text, "recorded.yaml");
  } catch (error) {
    throw new ControlError("conflict", `This does not fit into one scenario: ${messageOf(error)}`, { cause: error });
  }
  return { text, warnings };
}

/** The changes that a recording is about, in their order. */
interface Selection {
  /** The recorded investment; undefined if only keys and faults changed. */
  readonly id: string | undefined;
  /** The run that created the investment. */
  readonly run: Run | undefined;
  readonly manualChanges: readonly Change[];
  readonly recordedChanges: readonly [Change, ...Change[]];
  readonly ignoredChanges: readonly Change[];
}

/** Selects the manual changes of the investment, of keys and of faults, and the changes by the investment's run. */
function selectChanges(
  environment: Environment,
  { from = "", investment_id: reference }: BodyValue<"RecordOptions">,
): Selection {
  const { history, runs } = environment.internals;
  const changes = history.timeline.changes.filter(({ date }) => date >= from);
  const manualChanges = changes.filter(({ origin }) => !origin);
  const id = reference === undefined ? onlyInvestment(environment, manualChanges) : investmentIdOf(history, reference);
  const creation = changes.find((change) => change.kind === "new_investment" && change.investment.id === id);
  const run = runs.all.find((candidate) => candidate.id === creation?.origin?.run);
  const isRecorded = (change: Change): boolean => {
    if (change.origin && change.origin.run !== run?.id) return false;
    const investment = investmentIn(change);
    return investment === id || (investment === undefined && !(change.origin && run?.scenario.repeat));
  };
  const [firstChange, ...laterChanges] = changes.filter(isRecorded);
  if (!firstChange || [firstChange, ...laterChanges].every(({ origin }) => origin)) {
    const since = from === "" ? "" : ` from ${from} on`;
    const reasons = [`There are no manual changes${since}.`, ...formatRuns(environment, changes, id)];
    throw new ControlError("conflict", reasons.join(" "));
  }
  const recordedChanges = [firstChange, ...laterChanges] as const;
  return { id, run, manualChanges, recordedChanges, ignoredChanges: changes.filter((change) => !isRecorded(change)) };
}

/**
 * Replays the timeline from the first recorded change on: a step may depend on the state before its change. Returns the
 * recording with the start, the offering and, unless the scenario creates it, the investment before its first change.
 */
function replayChanges(environment: Environment, { id, run, recordedChanges }: Selection) {
  const { history } = environment.internals;
  const [firstChange] = recordedChanges;
  const firstInvestmentChange =
    recordedChanges.find((change) => id !== undefined && investmentIn(change) === id) ?? firstChange;
  const investment = id === undefined ? undefined : stateBefore(firstInvestmentChange, history).investment(id);
  const { date: start } = investment ? firstChange : firstInvestmentChange;
  const offeringId =
    investment?.offering_id ??
    recordedChanges.find((change) => change.kind === "new_investment")?.investment.offering_id ??
    recordedChanges.find((change) => change.kind === "new_key")?.key.offering_id ??
    findOffering(environment.offerings).id;
  const recording = new Recording(offeringId, investment, start);
  const { changes } = history.timeline;
  const state = stateBefore(firstChange, history);
  const recordedSet = new Set<Change>(recordedChanges);
  for (const change of changes.slice(changes.indexOf(firstChange))) {
    if (recordedSet.has(change)) recording.add(addWrittenForm(change, run), state);
    rowOf(change).apply(state, change);
  }
  return { recording, start, offeringId, investment };
}

/** Formats a warning for each group of changes that the scenario does not have. */
function formatOmissions(environment: Environment, selection: Selection): string[] {
  const { id, run, manualChanges, ignoredChanges } = selection;
  if (id === undefined) return ["No investment was changed: each run creates an investment that does not change."];
  const otherInvestments = formatOtherInvestments(environment, manualChanges, id);
  return [
    ...(otherInvestments === undefined ? [] : [`Omitted: the changes of ${otherInvestments}.`]),
    ...formatRuns(environment, ignoredChanges, id),
    ...formatUndatedSteps(run, id),
  ];
}

/** Adds the members and people that its scenario has written to the creation of an investment by a run. */
function addWrittenForm(change: Change, run: Run | undefined): Change {
  if (change.kind !== "new_investment" || !run) return change;
  const { scenario } = run;
  const written = newInvestmentOf(scenario);
  const isWhole = isDeepStrictEqual(written, newInvestmentOf({ ...scenario, steps: [] }));
  return { ...change, written: { ...(isWhole ? (scenario.investment as SparseInvestment) : written) } };
}

/** Formats the number of steps of a run that wait for reads or a command; empty without any. */
function formatUndatedSteps(run: Run | undefined, id: string): string[] {
  const repetition = run?.repetitions.find(({ investment_id }) => investment_id === id);
  if (!run || !repetition || run.stopped) return [];
  const count = run.scenario.steps.length - repetition.step_dates.length;
  return count === 0 ? [] : [`Omitted: ${formatCount(count, "step")} of ${run.id} that wait for reads or a command.`];
}

function formatSecond(date: Instant): string {
  return `${date.slice(0, 19)}Z`;
}

/** Returns the state before a change of the timeline, which may be in the future. */
function stateBefore(change: Change, { dataset, keys, timeline }: History): State {
  const state = new State(dataset, keys);
  for (const earlier of timeline.changes) {
    if (earlier === change) break;
    rowOf(earlier).apply(state, earlier);
  }
  return state;
}

/** Returns the only investment with changes; undefined without any. Throws ValidationError if there are several. */
function onlyInvestment(environment: Environment, changes: readonly Change[]): string | undefined {
  const ids = investmentsIn(changes);
  if (ids.length <= 1) return ids[0];
  const lines = formatErrors(ids, (id) => `${formatInvestment(environment, id)}: ${formatChanges(changes, id)}`);
  throw new ValidationError(`Several investments have manual changes; choose the one to record:\n${lines}`);
}

function investmentsIn(changes: readonly Change[]): string[] {
  return [...new Set(changes.flatMap((change) => investmentIn(change) ?? []))];
}

/** Describes the first changes of an investment: `event PAYMENT SUBMITTED, investment: status CLOSED, 3 more`. */
function formatChanges(changes: readonly Change[], id: string): string {
  const summaries = changes.filter((change) => investmentIn(change) === id).map((change) => summaryOf(change).summary);
  const more = summaries.length > 3 ? [`${summaries.length - 3} more`] : [];
  return asLabel([...summaries.slice(0, 3), ...more].join(", "));
}

function formatInvestment({ internals: { history } }: Environment, id: string): string {
  return (history.dataset.investment(id) ?? history.created.investment(id, never))?.alias ?? id;
}

/** Names the other investments with manual changes; undefined if there is none. */
function formatOtherInvestments(
  environment: Environment,
  manualChanges: readonly Change[],
  id: string,
): string | undefined {
  const [firstId, ...moreIds] = investmentsIn(manualChanges).filter((otherId) => otherId !== id);
  if (firstId === undefined) return undefined;
  return moreIds.length === 0 ? formatInvestment(environment, firstId) : `${moreIds.length + 1} other investments`;
}

/** Describes the runs with changes of the investment; without an id, the runs with any changes. */
function formatRuns(
  { internals: { runs } }: Environment,
  changes: readonly Change[],
  id: string | undefined,
): string[] {
  return runs.all.flatMap(({ id: run, scenario }) => {
    const changeCount = changes.filter(
      (change) => change.origin?.run === run && (id === undefined || investmentIn(change) === id),
    ).length;
    if (changeCount === 0) return [];
    const suffix = id === undefined ? "" : " of the investment";
    return [`${run} (${scenario.name}) made ${formatCount(changeCount, "change")}${suffix}; play its scenario too.`];
  });
}
