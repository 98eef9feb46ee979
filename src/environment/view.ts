import type { Mark } from "../assumptions/calibration.ts";
import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import type { MetFault } from "../model/change.ts";
import type { FaultCandidate } from "../model/fault.ts";
import type { Instant } from "../model/instant.ts";
import type { Key, Offering } from "../model/resources.ts";
import type { WaitingRequest } from "../options.ts";
import type { Coming, NewEntry } from "./journal.ts";
import type { KeyStatus } from "./keys.ts";
import type { Hit } from "./limits.ts";
import type { StateView } from "./state.ts";

export { type Coming, idleTime, type NewEntry } from "./journal.ts";
export type { InvestmentList } from "./investment-list.ts";
export { keyStatus } from "./keys.ts";
export type { Hit } from "./limits.ts";
export type { StateView } from "./state.ts";

/** The present of a clock and the state at it, which is shared: it moves on with its environment, and `now` does not. */
export interface Reading {
  readonly now: Instant;
  readonly state: StateView;
}

/** An environment as the emulated service sees it: readable, and counting its requests. */
export interface EnvironmentView {
  readonly id: string;
  readonly assumptions: Assumptions;
  /** The assumptions that a calibration decided or a variation drew; undefined, as mostly, without any. */
  readonly marks: ReadonlyMap<AssumptionId, Mark> | undefined;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  readonly seed: number;
  /** In the order of the fixture. */
  readonly offerings: readonly Offering[];
  /** The keys issued by now, oldest first. */
  readonly keys: readonly Key[];
  /**
   * Catches up with the clock where `read` cannot: code has to load, or much is due, and others get a turn in between.
   * Undefined, as nearly always, if nothing is due.
   */
  preparation(): Promise<void> | undefined;
  /** Catches up with the clock, as far as possible without `preparation`. */
  read(): Reading;
  /** Calls a function when the environment has caught up with its clock, in the same tick: nobody sees it halfway. */
  caughtUp<Result>(act: (reading: Reading) => Result | Promise<Result>): Promise<Result>;
  /** Counts a request against the limit of a key. `count: 0` only opens the window of a key that starts at its limit. */
  hit(keyId: string, count?: 0 | 1): Hit;
  /** Finds the first fault in force to meet a request, and counts the request against it. */
  meetFault(request: FaultCandidate, reading: Reading): MetFault | undefined;
  /** Counts a read of an investment, after it was answered: a step may wait for it. */
  wasRead(investmentId: string): void;
  /** Milliseconds to wait before the next answer. */
  nextDelay(): number;
  /** Adds a request to the journal. */
  newEntry(coming: Coming): NewEntry;
  /** Tells the journal how and when the answer of an entry ended, if it still has it. */
  endEntry(id: number, end: Pick<NewEntry, "milliseconds" | "hints">): void;
  /** Lists a request as waiting until the returned function is called. */
  hold(request: () => WaitingRequest): () => void;
}

/** A key and its environment, at one reading. */
export interface IssuedKey {
  readonly key: Key;
  readonly status: KeyStatus;
  readonly environment: EnvironmentView;
  readonly reading: Reading;
}
