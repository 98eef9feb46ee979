import type { Assumptions } from "../assumptions/catalogue.ts";
import { EnvironmentClock } from "./clock.ts";
import { FaultUses } from "./fault-uses.ts";
import { Journal } from "./journal.ts";
import { Limits } from "./limits.ts";
import type { Kept, Opening } from "./opening.ts";
import { Runs, type RunHost } from "./runs/runs.ts";
import { State } from "./state.ts";
import { Timeline } from "./timeline.ts";

/** Everything in an environment that can change. A reset replaces all of it, so nothing can be forgotten. */
export interface Stores {
  readonly clock: EnvironmentClock;
  readonly timeline: Timeline;
  readonly state: State;
  readonly runs: Runs;
  readonly limits: Limits;
  readonly journal: Journal;
  readonly faultUses: FaultUses;
  assumptions: Assumptions;
  /** How many answers were delayed. */
  answers: number;
}

/** The stores of an environment as it was opened, or as it was kept. */
export function openStores(opening: Opening, host: RunHost, kept?: Kept): Stores {
  const assumptions = kept?.assumptions ?? opening.assumptions;
  const usedUp = opening.keys.filter((key) => key.at_limit).map((key) => key.id);
  return {
    clock: new EnvironmentClock(kept?.clock ?? opening.clock),
    timeline: Timeline.of(kept?.changes ?? [], kept?.issued ?? 0),
    state: new State(opening.dataset, opening.keys),
    runs: new Runs(host, structuredClone(kept?.runs ?? [])),
    limits: new Limits(opening.rateLimit, assumptions["limit.window"], usedUp),
    journal: new Journal(opening.journalCapacity),
    faultUses: new FaultUses(kept?.fault_uses),
    assumptions,
    answers: 0,
  };
}
