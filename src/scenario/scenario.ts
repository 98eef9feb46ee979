import type { SparseInvestment } from "../fixture/schema.ts";
import type { FaultRule } from "../model/fault.ts";
import type { Instant } from "../model/instant.ts";
import type {
  InvestmentAttributes,
  InvestorAttributes,
  OfferingAttributes,
  PaymentAttributes,
} from "../model/resources.ts";
import type { KeyType } from "../model/vocabulary.ts";

/** A scenario without mistakes: a script of steps. Plain data; durations are milliseconds. */
export interface Scenario {
  /** The name of its file. */
  readonly name: string;
  readonly description: string;
  /** The alias or the id of the offering; null: the first. */
  readonly offering: string | null;
  /** The alias or the id of an investment that exists, or a new one, sparse: it begins PENDING, unpaid and unsigned. */
  readonly investment: string | SparseInvestment;
  /** So many new investments instead of one. */
  readonly repeat: Repeat | null;
  /** At least one. */
  readonly steps: readonly Step[];
}

interface Repeat {
  readonly count: number;
  /** From the beginning of one to the beginning of the next. */
  readonly every: number;
  /** By how much a beginning may come earlier or later. */
  readonly jitter: number;
}

export interface Step {
  readonly trigger: Trigger;
  /** At least one, in the order in which they apply: what a step says of the investment itself comes last, so that it stands. */
  readonly effects: readonly ScenarioEffect[];
}

/** When a step happens. */
export type Trigger =
  /** So long after the step before. */
  | { readonly kind: "after"; readonly by: number }
  /** So long after the run began. */
  | { readonly kind: "at"; readonly since: number }
  | { readonly kind: "at"; readonly instant: Instant }
  /** When the investment has been read so often since the step before. */
  | { readonly kind: "after_reads"; readonly reads: number }
  /** When it is told to. */
  | { readonly kind: "next" };

/** What a step does. */
export type ScenarioEffect =
  | { readonly kind: "offering"; readonly attributes: Partial<OfferingAttributes> }
  /** Of the investor of this e-mail address; null: the primary one. */
  | { readonly kind: "investor"; readonly email: string | null; readonly attributes: Partial<InvestorAttributes> }
  | { readonly kind: "sign"; readonly who: "all" | readonly string[] }
  | PaymentEffect
  | { readonly kind: "event"; readonly event: string; readonly action: string; readonly description: string | null }
  | { readonly kind: "investment"; readonly attributes: SettableAttributes }
  /** Of every key of this type, or of this label. */
  | { readonly kind: "key"; readonly revoke: string }
  | { readonly kind: "key"; readonly issue: { readonly type: KeyType; readonly label?: string } }
  /** For so long; null: until it is removed. */
  | { readonly kind: "fault"; readonly fault: FaultRule; readonly for: number | null };

/** A payment that an earlier step brought under this alias; or else a new one, and then it has an amount. */
export interface PaymentEffect {
  readonly kind: "payment";
  readonly alias: string | null;
  readonly attributes: Partial<PaymentAttributes>;
}

/** The attributes of an investment that a step may set. */
type SettableAttributes = Partial<Omit<InvestmentAttributes, "id">> & { readonly broker?: string | null };
