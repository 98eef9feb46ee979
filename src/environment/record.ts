import { compareText } from "../model/compare.ts";
import { Impossible } from "../model/impossible.ts";
import type { Instant } from "../model/instant.ts";
import { Arrivals } from "./arrivals.ts";
import type { DatedEffect } from "./change.ts";
import { claims, counterclaim } from "./claim.ts";
import { objection } from "./objection.ts";
import type { Opening } from "./opening.ts";
import type { State } from "./state.ts";
import type { Timeline } from "./timeline.ts";

/** A timeline, and the state that some of its changes are folded into. */
interface History {
  readonly timeline: Timeline;
  readonly state: State;
}

/** What is there from the beginning. */
type Beginning = Pick<Opening, "dataset" | "keys">;

/**
 * Puts effects on a timeline, each at its date. Throws Impossible when one is impossible at its date, because what it names
 * is not there, or is there already; then the timeline is as it was.
 */
export function record(
  { timeline, state }: History,
  { dataset, keys }: Beginning,
  effects: readonly DatedEffect[],
): void {
  const { changes, arrivals } = timeline;
  const inserted: number[] = [];
  try {
    for (const effect of effects.toSorted((one, other) => compareText(one.date, other.date))) {
      refuse(effect, objection({ dataset, keys, arrivals }, effect));
      const position = timeline.insert(effect);
      inserted.push(position);
      state.moveTo(Math.min(position, state.position), changes);
      if (claims(effect)) {
        state.moveTo(position, changes);
        refuse(effect, counterclaim(state, effect));
      }
    }
  } catch (error) {
    state.moveTo(Math.min(state.position, ...inserted), changes);
    for (const position of inserted.toReversed()) timeline.remove(position);
    throw error;
  }
}

/** Folds all changes of a timeline into a state that has none yet. Throws Impossible when one of them cannot have been. */
export function replay({ timeline, state }: History, { dataset, keys }: Beginning): void {
  const arrivals = new Arrivals();
  for (const [position, change] of timeline.changes.entries()) {
    refuse(change, objection({ dataset, keys, arrivals }, change) ?? counterclaim(state, change));
    arrivals.add(change);
    state.moveTo(position + 1, timeline.changes);
  }
}

/** Takes what a run has put on a timeline after an instant away again, and what is impossible without it. */
export function forget(
  { timeline, state }: History,
  { dataset, keys }: Beginning,
  runId: string,
  after: Instant,
): void {
  const { changes, arrivals } = timeline;
  const position = timeline.countUntil(Date.parse(after));
  state.moveTo(Math.min(position, state.position), changes);
  timeline.removeFrom(position, ({ origin }) => origin?.run === runId);
  timeline.removeFrom(position, (change) => {
    // What it brings itself is no objection to it.
    arrivals.delete(change);
    if (objection({ dataset, keys, arrivals }, change) !== undefined) return true;
    arrivals.add(change);
    return false;
  });
}

function refuse({ date, origin }: DatedEffect, reason: string | undefined): void {
  if (reason === undefined) return;
  const where = origin ? `step ${origin.step + 1}` : "the change";
  throw new Impossible(`${where} is impossible at ${date}: ${reason}`);
}
