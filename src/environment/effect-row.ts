import type { Dataset } from "../fixture/dataset.ts";
import type { DatedEffect, Effect, EffectKind } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import type { Investment, Key, Payment } from "../model/resources.ts";
import type { State, Undo } from "./state.ts";

/** The resources that exist at the date of an effect: those from the beginning, and those created by changes. */
export interface Existing {
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly created: Created;
  /** Whether a secret is of a key of another environment. */
  readonly isForeign: (secret: string) => boolean;
}

/** The resources that changes create. */
export interface Created {
  /** Whether a resource is created up to an instant; at any time if none is given. */
  has(name: string, by?: Instant): boolean;
  /** The investment as it was created, if that was up to an instant. */
  investment(id: string, by: Instant): Investment | undefined;
  /** The id of the investment of an offering that is created with an alias, at any time. */
  aliased(offeringId: string, alias: string): string | undefined;
  /** The effects that give an investment a number, at any time. */
  numbered(number: number): Iterable<DatedEffect>;
  /** Returns which sum or product an effect would make larger than an amount can be, at its date or later. */
  excess(investment: Investment, effect: DatedEffect): string | undefined;
}

interface Creation {
  /** Unique among all resources. */
  readonly name: string;
  /** The ids of the resource and its parts that no other resource may have. */
  readonly ids: readonly string[];
  /** Unique among the investments of its offering. */
  readonly alias?: string | undefined;
  readonly offering_id?: string;
}

/** The factors and summands of an investment's amounts. */
export interface Money {
  readonly investment_id: string;
  readonly price?: number | undefined;
  readonly quantity?: number | undefined;
  readonly payment?: Pick<Payment, "id" | "amount">;
}

/** One kind of effect. */
export interface EffectRow<Kind extends EffectKind> {
  /** Changes the state. Total: an effect on a missing resource changes nothing and returns undefined. */
  readonly apply: (state: State, effect: DatedEffect<Kind>) => Undo | undefined;
  /** The resource that the effect creates. */
  readonly creates?: (effect: Effect<Kind>) => Creation;
  /** The number that the effect gives to an investment; undefined if it gives none. */
  readonly number?: (effect: Effect<Kind>) => number | undefined;
  /** The money that the effect sets; undefined if it sets none. */
  readonly money?: (effect: Effect<Kind>) => Money | undefined;
  /** Returns why the effect is impossible at its date; undefined if it is possible. */
  readonly refusal: (effect: DatedEffect<Kind>, existing: Existing) => string | undefined;
  /** The id of the resource that the effect is on, the noun and the words after it, which stand alone beside a name. */
  readonly summary: (effect: Effect<Kind>) => readonly [subjectId: string, noun: string, words: string];
}
