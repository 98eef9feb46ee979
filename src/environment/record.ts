import { compareText } from "../model/compare.ts";
import { Impossible } from "../model/impossible.ts";
import type { Instant } from "../model/instant.ts";
import type { DatedEffect } from "./change.ts";
import { objection } from "./objection.ts";
import type { State } from "./state.ts";
import type { Timeline } from "./timeline.ts";

/** A timeline, and the state that some of its changes are folded into. */
interface History {
  readonly timeline: Timeline;
  readonly state: State;
}

/**
 * Puts effects on a timeline, each at its date. Throws Impossible when one is impossible at its date, because what it names
 * is not there, or is there already; then the timeline is as it was.
 */
export function record({ timeline, state }: History, effects: readonly DatedEffect[]): void {
  const inserted: number[] = [];
  try {
    for (const effect of effects.toSorted((one, other) => compareText(one.date, other.date))) {
      if (effect.kind === "new_investment" && timeline.brings(effect.investment.id)) {
        throw impossible(effect, `there is an investment ${effect.investment.id} already, or will be`);
      }
      const position = timeline.insert(effect);
      inserted.push(position);
      state.moveTo(Math.min(position, state.position), timeline.changes);
      state.moveTo(position, timeline.changes);
      const reason = objection(state, effect);
      if (reason !== undefined) throw impossible(effect, reason);
    }
  } catch (error) {
    state.moveTo(Math.min(state.position, ...inserted), timeline.changes);
    for (const position of inserted.toReversed()) timeline.remove(position);
    throw error;
  }
}

/** Folds all changes of a timeline into a state that has none yet. Throws Impossible when one of them cannot have been. */
export function replay({ timeline, state }: History): void {
  for (const [position, change] of timeline.changes.entries()) {
    const reason = objection(state, change);
    if (reason !== undefined) throw impossible(change, reason);
    state.moveTo(position + 1, timeline.changes);
  }
}

/** Takes what a run has put on a timeline after an instant away again. */
export function forget({ timeline, state }: History, runId: string, after: Instant): void {
  const position = timeline.countUntil(Date.parse(after));
  state.moveTo(Math.min(position, state.position), timeline.changes);
  timeline.removeFrom(position, (change) => change.origin?.run === runId);
}

function impossible({ date, origin }: DatedEffect, reason: string): Impossible {
  const where = origin ? `step ${origin.step + 1}` : "the change";
  return new Impossible(`${where} is impossible at ${date}: ${reason}`);
}
