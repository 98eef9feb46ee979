import type { Assumptions } from "../assumptions/catalogue.ts";
import type { JournalEntry } from "../control.ts";
import type { FaultRule } from "../model/fault.ts";
import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";
import type { KeyStatus } from "./keys.ts";
import type { Hit } from "./limits.ts";
import type { StateView } from "./state.ts";

/** What the emulated service sees of an environment. It can read, and have its requests counted. */
export interface EnvironmentView {
  readonly id: string;
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  readonly seed: number;
  /** What has to be awaited before `read` can catch up with the clock; undefined, as nearly always, when nothing has. */
  preparation(): Promise<void> | undefined;
  /** Catches up with the clock, and answers the instant and the state at it. */
  read(): { readonly now: Instant; readonly state: StateView };
  /** Counts a request against the limit of a key. */
  hit(keyId: string): Hit;
  /** The fault that meets a request, which is counted; undefined when none does. */
  meetFault(request: FaultableRequest): { readonly id: string; readonly rule: FaultRule } | undefined;
  /** Counts a read of an investment, after it was answered: a step may have waited for it. */
  wasRead(investmentId: string): void;
  /** Milliseconds to wait before the next answer. */
  nextDelay(): number;
  /** Keeps a request in the journal. */
  journal(entry: Omit<JournalEntry, "id" | "date" | "environment">): void;
}

/** What a fault can match of a request. */
export interface FaultableRequest {
  readonly method: string;
  /** From the origin on, without the query. */
  readonly path: string;
  readonly key_id: string | null;
}

/** A key, as it stands at its clock's present, and the environment that issued it. */
export interface IssuedKey {
  readonly key: Key;
  readonly status: KeyStatus;
  readonly environment: EnvironmentView;
}
