import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../time/instant.ts";
import type { Investment, Key, DatedEffect, Effect, EffectKind } from "../model/resources.ts";
import type { State } from "./state.ts";

/** The resources at the date of an effect: the dataset, the first keys, and what changes have created. */
export interface ResourcesAtDate {
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly created: CreatedLookup;
  /** Whether a secret is of a key of another environment. */
  readonly isForeign: (secret: string) => boolean;
}

/** The kinds of effects that add to a list of an investment. */
export type AddingKind = "new_payment" | "event";

/** The resources created by changes. */
export interface CreatedLookup {
  /** Whether a resource is created up to an instant; at any time if none is given. */
  has(name: string, by?: Instant): boolean;
  /** The investment as it was created; undefined if it was created after the instant. */
  investment(id: string, by: Instant): Investment | undefined;
  /** The id of the offering's investment with this alias, created at any time. */
  idByAlias(offeringId: string, alias: string): string | undefined;
  /** The number of parts of a kind added to an investment, at any time. */
  countOf(kind: AddingKind, investmentId: string): number;
  /** The ids of the offering's investments that a change gives this number, at any time. */
  idsByNumber(offeringId: string, number: number): Iterable<string>;
}

interface Creation {
  /** Unique among all resources. */
  readonly name: string;
  /** The ids of the resource and its parts: no other resource may have one. */
  readonly ids: readonly string[];
  /** Unique among the investments of its offering. */
  readonly alias?: string | undefined;
  readonly offering_id?: string;
}

export interface EffectRow<Kind extends EffectKind> {
  /** Changes the state. Total: an effect on a missing resource changes nothing. */
  readonly apply: (state: State, effect: DatedEffect<Kind>) => void;
  /** The new resource. */
  readonly creates?: (effect: Effect<Kind>) => Creation;
  /** The investment's new number; undefined without one. */
  readonly number?: (effect: Effect<Kind>) => number | undefined;
  /** Returns why the effect is impossible at its date; undefined if it is possible. */
  readonly refusal: (effect: DatedEffect<Kind>, existing: ResourcesAtDate) => string | undefined;
  /** The resource's id, and the effect in words. `investment` is the one that is changed. */
  readonly summary: (effect: Effect<Kind>, investment?: Investment) => readonly [subjectId: string, words: string];
}
