import type { ProfileName } from "../assumptions/assume.ts";
import type { Assumptions } from "../assumptions/catalogue.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Key } from "../model/resources.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Change } from "../model/change.ts";
import { type ClockSetting, EnvironmentClock } from "./clock.ts";
import { FaultUses } from "./fault.ts";
import { Journal } from "./journal.ts";
import { Limits } from "./limits.ts";
import type { Run } from "./run.ts";
import { type RunHost, Runs } from "./runs.ts";
import { State } from "./state.ts";
import { Timeline } from "./timeline.ts";

/** What an environment is opened with, and goes back to when it is reset. */
export interface EnvironmentSetup {
  readonly id: string;
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly clock: ClockSetting;
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  /** The least and the most milliseconds before an answer. */
  readonly delay: readonly [least: number, most: number];
  /** To be played at once. */
  readonly scenarios: readonly Scenario[];
  /** Those that can be played by name, beside the shipped ones. */
  readonly known: readonly Scenario[];
  /** Milliseconds of real time without a request or command after which it is dropped. */
  readonly lifetime: number;
  /** How many requests the journal keeps. */
  readonly journalCapacity: number;
}

/** What commands and steps have made of an environment, as plain data: what a snapshot keeps. */
export interface EnvironmentContent {
  readonly clock: ClockSetting;
  readonly assumptions: Assumptions;
  readonly changes: readonly Change[];
  /** How many changes were ever put on the timeline. */
  readonly issued: number;
  readonly runs: readonly Run[];
  readonly fault_uses: Readonly<Record<string, number>>;
}

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
export function openStores(opening: EnvironmentSetup, host: RunHost, kept?: EnvironmentContent): Stores {
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
