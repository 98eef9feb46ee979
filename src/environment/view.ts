import type { Key } from "../model/resources.ts";
import type { Environment } from "./environment.ts";
import type { keyStatus } from "./keys.ts";
import type { StateAtInstant } from "./state.ts";

export type { NewEntry } from "./journal.ts";
export type { InvestmentList } from "./investment-list.ts";
export { keyStatus } from "./keys.ts";
export type { SharedEnvironments } from "./shared-environments.ts";
export { type CountScope, type LimitHit, type LimitRow, limitRows } from "./limits.ts";
export type { StateAtInstant, StateView } from "./state.ts";

/** An environment for the emulated service, which only reads it and counts requests in it. */
export type EnvironmentView = Pick<
  Environment,
  | "id"
  | "assumptions"
  | "calibratedIds"
  | "rateLimit"
  | "seed"
  | "offerings"
  | "keys"
  | "catchUp"
  | "whenCaughtUp"
  | "hit"
  | "refusingRows"
  | "matchFault"
  | "countRead"
  | "nextDelay"
  | "addEntry"
  | "endEntry"
  | "waiting"
> & { read(): StateAtInstant };

/** A key, its environment, and the instant and the state at which it was found. */
export interface IssuedKey {
  readonly key: Key;
  readonly status: ReturnType<typeof keyStatus>;
  readonly environment: EnvironmentView;
  readonly stateAtInstant: StateAtInstant;
}
