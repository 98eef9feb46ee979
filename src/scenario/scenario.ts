import type { SparseInvestment } from "../fixture/schema.ts";
import type { Instant } from "../model/instant.ts";
import type { ScenarioEffect } from "./effects.ts";

/** A scenario without mistakes: a script of steps. Plain data; durations are milliseconds. */
export interface Scenario {
  /** The name of its file. */
  readonly name: string;
  readonly description: string;
  /** The alias or the id of the offering; null: the first. */
  readonly offering: string | null;
  /** The alias or the id of an existing investment, or a sparse new one, which by default is PENDING, unpaid and unsigned. */
  readonly investment: string | SparseInvestment;
  /** Null: plays once. */
  readonly repeat: null | {
    /** The number of new investments. */
    readonly count: number;
    /** The time between the starts of two repetitions. */
    readonly every: number;
    /** The largest deviation of a start, either way. */
    readonly jitter: number;
    /** The number of repetitions after which the next begins a day after the first of them. */
    readonly per_day?: number;
  };
  /** At least one. */
  readonly steps: readonly Step[];
}

export interface Step {
  readonly trigger: Trigger;
  /** At least one, in the order in which they apply. */
  readonly effects: readonly ScenarioEffect[];
}

/** The time of a step. Of a span, `most` and `until` are the end; the date is drawn from it. */
export type Trigger =
  /** After the step before. */
  | { readonly kind: "after"; readonly by: number; readonly most?: number | undefined }
  /** After the start of the run. */
  | { readonly kind: "at"; readonly since: number; readonly most?: number | undefined }
  | { readonly kind: "at"; readonly instant: Instant; readonly until?: Instant | undefined }
  /** After this many reads of the investment since the step before. */
  | { readonly kind: "after_reads"; readonly reads: number }
  /** On command. */
  | { readonly kind: "next" };
