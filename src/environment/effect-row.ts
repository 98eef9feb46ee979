import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../time/instant.ts";
import type { Investment, Key, DatedEffect, Effect, EffectKind } from "../model/resources.ts";
import type { State } from "./state.ts";

/** The resources at the date of an effect: the dataset, the initial keys, and the resources that changes created. */
export interface ResourcesAtDate {
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly created: CreatedLookup;
  /** Whether a secret belongs to another environment. */
  readonly isForeign: (secret: string) => boolean;
}

/** The kinds of effects that add to a list of an investment. */
export type AddingKind = "new_payment" | "event";

/** The resources created by changes. */
export interface CreatedLookup {
  /** Whether a resource is created up to an instant; without an instant, at any time. */
  has(name: string, by?: Instant): boolean;
  /** Returns the investment in its initial form; undefined if it was created after the instant. */
  investment(id: string, by: Instant): Investment | undefined;
  /** Returns the id of the offering's investment with this alias, created at any time. */
  idByAlias(offeringId: string, alias: string): string | undefined;
  /** Returns the number of children of a kind that are added to an investment, at any time. */
  countOf(kind: AddingKind, investmentId: string): number;
  /** Returns the ids of the offering's investments that a change gives this number, at any time. */
  idsByNumber(offeringId: string, number: number): Iterable<string>;
}

interface Creation {
  /** Unique among all resources. */
  readonly name: string;
  /** The ids of the resource and its children. No other resource may have one of them. */
  readonly ids: readonly string[];
  /** Unique among the investments of its offering. */
  readonly alias?: string | undefined;
  readonly offering_id?: string;
}

export interface EffectRow<Kind extends EffectKind> {
  /** Changes the state. An effect on a missing resource changes nothing. */
  readonly apply: (state: State, effect: DatedEffect<Kind>) => void;
  /** The new resource. */
  readonly creates?: (effect: Effect<Kind>) => Creation;
  /** The investment's new number; undefined without one. */
  readonly number?: (effect: Effect<Kind>) => number | undefined;
  /** Returns the reason why the effect is impossible at its date; undefined if it is possible. */
  readonly refusal: (effect: DatedEffect<Kind>, resources: ResourcesAtDate) => string | undefined;
  /** Returns the resource's id, and a summary of the effect on `investment`. */
  readonly summary: (effect: Effect<Kind>, investment?: Investment) => readonly [subjectId: string, summary: string];
}
