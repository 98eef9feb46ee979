import type { Assumptions } from "../assumptions/catalogue.ts";
import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";
import type { Hit } from "./limit-window.ts";
import type { StateView } from "./state.ts";

/** What the emulated service sees of an environment. It can read, and have its requests counted. */
export interface EnvironmentView {
  readonly id: string;
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  readonly seed: number;
  /** Catches up with the clock, and answers the instant and the state at it. */
  read(): { readonly now: Instant; readonly state: StateView };
  /** Counts a request against the limit of a key. */
  hit(keyId: string): Hit;
  /** Milliseconds to wait before the next answer. */
  nextDelay(): number;
}

/** A key and the environment that issued it. */
export interface IssuedKey {
  readonly key: Key;
  readonly environment: EnvironmentView;
}
