import type { AssumptionId } from "../assumptions/catalogue.ts";

/**
 * A set of assumptions. Each set is one object, whichever way it came about, so what is worked out of it is worked out
 * once. There are as many as answers can rest on, and no more.
 */
export class AssumptionSet {
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
