import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";

/**
 * A set of assumptions. Each set is one object, whichever way it came about, so what is worked out of it is worked out
 * once. There are as many as answers can rest on, and no more.
 */
class AssumptionSet {
  static readonly #known = new Map<string, AssumptionSet>();
  static readonly empty = AssumptionSet.#of([]);

  /** In alphabetical order. */
  readonly ids: readonly AssumptionId[];
  /** As `Sandbox-Assumptions` lists them. */
  readonly text: string;
  readonly #with = new Map<AssumptionId, AssumptionSet>();
  readonly #unions = new Map<AssumptionSet, AssumptionSet>();

  private constructor(ids: readonly AssumptionId[], text: string) {
    this.ids = ids;
    this.text = text;
  }

  static #of(ids: readonly AssumptionId[]): AssumptionSet {
    const sorted = [...new Set(ids)].toSorted();
    const text = sorted.join(", ");
    const set = AssumptionSet.#known.get(text) ?? new AssumptionSet(sorted, text);
    AssumptionSet.#known.set(text, set);
    return set;
  }

  /** The set with one more assumption in it. */
  with(id: AssumptionId): AssumptionSet {
    let larger = this.#with.get(id);
    if (!larger) {
      larger = AssumptionSet.#of([...this.ids, id]);
      this.#with.set(id, larger);
    }
    return larger;
  }

  /** The set of all that is in this one or the other. */
  union(other: AssumptionSet): AssumptionSet {
    if (other === this) return this;
    let larger = this.#unions.get(other);
    if (!larger) {
      larger = AssumptionSet.#of([...this.ids, ...other.ids]);
      this.#unions.set(other, larger);
    }
    return larger;
  }
}

/** Hands out assumptions and remembers which were asked for: a response rests on exactly those. */
export class Ledger {
  readonly #assumptions: Assumptions;
  #used = AssumptionSet.empty;

  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }

  /** The value of an assumption, which the response from now on rests on. */
  value<Id extends AssumptionId>(id: Id): Assumptions[Id] {
    this.#used = this.#used.with(id);
    return this.#assumptions[id];
  }

  /** The value of an assumption, on which the response does not rest yet: it may make no difference. */
  peek<Id extends AssumptionId>(id: Id): Assumptions[Id] {
    return this.#assumptions[id];
  }

  /** The assumptions asked for. */
  get used(): AssumptionSet {
    return this.#used;
  }

  /** A ledger of the same assumptions of which nothing was asked yet. */
  fresh(): Ledger {
    return new Ledger(this.#assumptions);
  }

  /** Whether all that was asked of another ledger has the same value here. */
  agreesWith(other: Ledger): boolean {
    const [here, there] = [this.#assumptions, other.#assumptions];
    return here === there || other.#used.ids.every((id) => here[id] === there[id]);
  }

  /** Lets the response rest on all that was asked of another ledger. */
  include(other: Ledger): void {
    this.#used = this.#used.union(other.#used);
  }
}
