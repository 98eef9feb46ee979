import type { PlaySubject, RunDescription, RunStep } from "../control.ts";
import { Place } from "../fixture/complete/place.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import { Impossible } from "../model/mistakes.ts";
import type { Investment, Offering } from "../model/resources.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { findOffering } from "./keys.ts";
import type { RunHost } from "./runs.ts";
import type { StateView } from "./state.ts";

/** How often a run plays its script. */
function repetitions({ scenario }: Run): number {
  return scenario.repeat?.count ?? 1;
}

/** The place that everything generated for a repetition follows from. */
export function placeOfRepetition(run: Run, index: number, seed: number): Place {
  return Place.root(seed).at("runs", run.id, index);
}

/**
 * When a repetition begins: every so often, moved by chance that is always the same, but never before the one before it.
 * Repetitions begin in order; one that overtook another would only be seen once that one is due.
 */
export function startOfRepetition(run: Run, index: number, seed: number): Instant {
  const { repeat } = run.scenario;
  if (!repeat || index === 0) return run.start;
  const { every, jitter } = repeat;
  const moved = (placeOfRepetition(run, index, seed).at("jitter").random().next() * 2 - 1) * jitter;
  const start = formatInstant(Date.parse(run.start) + Math.max(0, Math.round(index * every + moved)));
  const before = run.tracks[index - 1]?.start ?? run.start;
  return start < before ? before : start;
}

/** When the next repetition comes into being: with its first step, where that goes by time. Undefined when none is left. */
export function nextRepetition(run: Run, seed: number): Instant | undefined {
  if (run.stopped || run.tracks.length >= repetitions(run)) return undefined;
  const start = startOfRepetition(run, run.tracks.length, seed);
  return firstDate(run, start);
}

/** When the first step of a repetition happens; its beginning, where the first step waits. */
export function firstDate({ scenario }: Run, start: Instant): Instant {
  const first = scenario.steps[0]?.trigger;
  if (first?.kind === "after") return later(start, first.by);
  if (first?.kind === "at") return "instant" in first ? first.instant : later(start, first.since);
  return start;
}

/** An instant so many milliseconds later. */
export function later(instant: Instant, by: number): Instant {
  return formatInstant(Date.parse(instant) + by);
}

/** One playing of a scenario. Plain data: it is kept in snapshots, with the script as it was when the run began. */
export interface Run {
  readonly id: string;
  readonly scenario: Scenario;
  readonly offering_id: string;
  /** When it began. */
  readonly start: Instant;
  /** The investment that it is played on; null for new ones. */
  readonly investment_id: string | null;
  /** The repetitions that have begun, in order. */
  readonly tracks: Track[];
  stopped: boolean;
  /** Why a repetition could not begin, which stops the run; null while all is well. */
  problem: string | null;
}

/** One repetition of a run: the script played on one investment. */
export interface Track {
  readonly investment_id: string;
  /** When it begins. */
  readonly start: Instant;
  /** When each step happens or happened, for as many steps as that is known; null for one that was stopped before. */
  readonly dues: (Instant | null)[];
  /** The payments of this track, by the alias in the script. */
  readonly payments: Record<string, string>;
  /** How often the investment was read since the last step happened. */
  reads: number;
}

/** Whether the last dated step of a track has happened. */
export function hasArrived({ dues, start }: Track, now: Instant): boolean {
  return (dues.at(-1) ?? start) <= now;
}

/** A run as it stands at an instant. */
export function describeRun(run: Run, now: Instant): RunDescription {
  const steps = run.tracks.flatMap((track) =>
    run.scenario.steps.map((_, index) => describeStep(run, track, index, now)),
  );
  return {
    id: run.id,
    scenario: run.scenario.name,
    status: statusOf(run, steps),
    problem: run.problem,
    investment_ids: run.tracks.map((track) => track.investment_id),
    steps,
  };
}

/** A run waits when nothing of it will happen by time alone. */
function statusOf(run: Run, steps: readonly RunStep[]): RunDescription["status"] {
  if (run.stopped) return "stopped";
  const has = (wanted: RunStep["status"]): boolean => steps.some(({ status }) => status === wanted);
  if (run.tracks.length < repetitions(run) || has("scheduled")) return "running";
  if (has("waiting")) return "waiting";
  return has("pending") ? "running" : "finished";
}

function describeStep(run: Run, track: Track, index: number, now: Instant): RunStep {
  const { investment_id, dues } = track;
  const due = dues[index] ?? null;
  const status = (): RunStep["status"] => {
    if (due !== null && due <= now) return "done";
    if (run.stopped) return "stopped";
    if (due !== null) return "scheduled";
    return index === dues.length && hasArrived(track, now) ? "waiting" : "pending";
  };
  return { index, investment_id, status: status(), due };
}

/** A run that has not begun. Throws Impossible when what it is to be played on is not there. */
export function newRun(id: string, scenario: Scenario, subject: PlaySubject, host: RunHost): Run {
  const { now, state } = host.read();
  const refuse = (reason: string): never => {
    throw new Impossible(`Scenario ${scenario.name}: ${reason}.`);
  };
  const named = typeof scenario.investment === "string" ? scenario.investment : undefined;
  const wanted = subject.investment_id ?? named;
  const existing = wanted === undefined ? undefined : findInvestment(state, host.offerings, wanted);
  if (wanted !== undefined && !existing) refuse("there is no investment of this id or alias");
  const place = subject.offering_id ?? existing?.offering_id ?? scenario.offering;
  const offering = place === null ? host.offerings[0] : findOffering(host.offerings, place);
  if (!offering) return refuse(place === null ? "there are no offerings" : "there is no offering of this id or alias");
  if (existing && existing.offering_id !== offering.id) refuse("the investment is of another offering");
  return {
    id,
    scenario,
    offering_id: offering.id,
    start: now,
    investment_id: existing?.id ?? null,
    tracks: [],
    stopped: false,
    problem: null,
  };
}

function findInvestment(state: StateView, offerings: readonly Offering[], idOrAlias: string): Investment | undefined {
  const found = state.investment(idOrAlias.toLowerCase());
  if (found) return found;
  for (const { id } of offerings) {
    const named = state.investmentsOf(id).items.find(({ alias }) => alias === idOrAlias);
    if (named) return state.investment(named.id);
  }
  return undefined;
}
