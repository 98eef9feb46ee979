import { Place } from "../../fixture/complete/place.ts";
import { formatInstant, type Instant } from "../../model/instant.ts";
import type { Run } from "./run.ts";

/** How often a run plays its script. */
export function repetitions({ scenario }: Run): number {
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
