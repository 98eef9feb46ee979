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
import { listed, messageOf, ValidationError } from "../validation/errors.ts";
import { asLabel, formatCount } from "../text/text.ts";
import { parseScenario } from "../scenario/parse.ts";
import { newInvestmentOf } from "../scenario/signing-parties.ts";
import { writtenForm } from "../scenario/scenario.ts";
import type { BodyValue } from "./bodies.ts";
import { investmentIdOf, investmentIn } from "./timeline.ts";

/* This module loads YAML and the check of scenarios, so the table of handlers imports it late. */

/**
 * Writes the changes by hand on one investment, on keys and on faults as a scenario with the same distances in time, in
 * whole seconds. For a new investment it contains what was given, and what its steps depend on; playing it generates
 * the rest. If a run created the investment, the scenario contains the dated steps of that run too. Throws
 * ValidationError if the investment is missing or ambiguous, ControlError if there is nothing to write, or too much.
 */
export function recordScenario(
  environment: Environment,
  { from = "", investment_id: reference, name = "recorded" }: BodyValue<"RecordOptions">,
): RecordedScenario {
  const { history, runs } = environment.internals;
  const { changes } = history.timeline;
  const within = changes.filter(({ date }) => date >= from);
  const byHand = within.filter(({ origin }) => !origin);
  const id = reference === undefined ? onlyInvestment(environment, byHand) : investmentIdOf(history, reference);
  const creation = within.find((change) => change.kind === "new_investment" && change.investment.id === id);
  const run = runs.all.find((candidate) => candidate.id === creation?.origin?.run);
  const acts = within.filter((change) => {
    if (change.origin && change.origin.run !== run?.id) return false;
    const investment = investmentIn(change);
    return investment === id || (investment === undefined && !(change.origin && run?.scenario.repeat));
  });
  const [first] = acts;
  if (!first || acts.every(({ origin }) => origin)) {
    const since = from === "" ? "" : ` from ${from} on`;
    const reasons = [`Nothing was done by hand${since}.`, ...runsOf(environment, within, id)];
    throw new ControlError("conflict", reasons.join(" "));
  }

  const firstOnIt = acts.find((act) => id !== undefined && investmentIn(act) === id) ?? first;
  const initial = id === undefined ? undefined : stateBefore(firstOnIt, history).investment(id);
  const { date: start } = initial ? first : firstOnIt;
  const offeringId =
    initial?.offering_id ??
    acts.find((act) => act.kind === "new_investment")?.investment.offering_id ??
    acts.find((act) => act.kind === "new_key")?.key.offering_id ??
    findOffering(environment.offerings).id;
  const recording = new Recording(offeringId, initial, start);
  const replayed = stateBefore(first, history);
  const isAct = new Set(acts);
  const ignored = within.filter((change) => !isAct.has(change));
  for (const change of changes.slice(changes.indexOf(first))) {
    if (isAct.has(change)) recording.add(withWritten(change, run), replayed);
    rowOf(change).apply(replayed, change);
  }

  const offering = environment.offerings.find((one) => one.id === offeringId);
  const others = othersIn(environment, byHand, id);
  const warnings = [
    ...recording.warnings,
    ...(id === undefined ? ["Nothing was done on an investment: each play creates one that nothing happens to."] : []),
    ...(others === undefined ? [] : [`Omitted: what was done on ${others}.`]),
    ...(id === undefined ? [] : [...runsOf(environment, ignored, id), ...undatedSteps(run, id)]),
  ];
  const actsOf = run ? `${run.scenario.name}, changed` : "Done";
  const document = writtenForm({
    name,
    title: name,
    description: `${actsOf} by hand from ${inSeconds(start)} to ${inSeconds(acts.at(-1)?.date ?? start)}.`,
    offering: offering?.alias ?? offeringId,
    investment: initial ? (initial.alias ?? initial.id) : (recording.created ?? {}),
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

/**
 * Adds to the creation of an investment by a run what its scenario says of it, and of the people whom its steps name.
 */
function withWritten(change: Change, run: Run | undefined): Change {
  if (change.kind !== "new_investment" || !run) return change;
  const { scenario } = run;
  const written = newInvestmentOf(scenario);
  const isWhole = isDeepStrictEqual(written, newInvestmentOf({ ...scenario, steps: [] }));
  return { ...change, written: { ...(isWhole ? (scenario.investment as SparseInvestment) : written) } };
}

/** Describes the steps of a run that wait for reads or a command. */
function undatedSteps(run: Run | undefined, id: string): string[] {
  const repetition = run?.repetitions.find(({ investment_id }) => investment_id === id);
  if (!run || !repetition || run.stopped) return [];
  const count = run.scenario.steps.length - repetition.step_dates.length;
  return count === 0 ? [] : [`Omitted: ${formatCount(count, "step")} of ${run.id} that wait for reads or a command.`];
}

function inSeconds(date: Instant): string {
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

/**
 * Returns the investment with changes; undefined if there is none. If there are several, throws ValidationError with
 * the changes of each.
 */
function onlyInvestment(environment: Environment, changes: readonly Change[]): string | undefined {
  const ids = investmentsIn(changes);
  if (ids.length <= 1) return ids[0];
  const done = listed(ids, (id) => `${recordedName(environment, id)}: ${wordsOf(changes, id)}`);
  throw new ValidationError(`Several investments were changed by hand; choose the one to record:\n${done}`);
}

function investmentsIn(changes: readonly Change[]): string[] {
  return [...new Set(changes.flatMap((change) => investmentIn(change) ?? []))];
}

/** Describes the first changes of an investment: `event PAYMENT SUBMITTED, investment: status CLOSED, 3 more`. */
function wordsOf(changes: readonly Change[], id: string): string {
  const all = changes.filter((change) => investmentIn(change) === id).map((change) => summaryOf(change).summary);
  const more = all.length > 3 ? [`${all.length - 3} more`] : [];
  return asLabel([...all.slice(0, 3), ...more].join(", "));
}

function recordedName({ internals: { history } }: Environment, id: string): string {
  return (history.dataset.investment(id) ?? history.created.investment(id, never))?.alias ?? id;
}

/** Names the investments on which something else was done; undefined if there is none. */
function othersIn(environment: Environment, byHand: readonly Change[], id: string | undefined): string | undefined {
  const [one, ...more] = investmentsIn(byHand).filter((other) => other !== id);
  if (one === undefined) return undefined;
  return more.length === 0 ? recordedName(environment, one) : `${more.length + 1} other investments`;
}

/** Describes the runs with changes of the investment, or of any. */
function runsOf({ internals: { runs } }: Environment, changes: readonly Change[], id: string | undefined): string[] {
  return runs.all.flatMap(({ id: run, scenario }) => {
    const made = changes.filter(
      (change) => change.origin?.run === run && (id === undefined || investmentIn(change) === id),
    ).length;
    if (made === 0) return [];
    const of = id === undefined ? "" : " of the investment";
    return [`${run} (${scenario.name}) made ${formatCount(made, "change")}${of}, omitted here: play it too.`];
  });
}
