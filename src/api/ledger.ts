import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";

/** Hands out assumptions and remembers which were asked for: a response rests on exactly those. */
export class Ledger {
  readonly #assumptions: Assumptions;
  readonly #used = new Set<AssumptionId>();

  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }

  /** The value of an assumption, which the response from now on rests on. */
  value<Id extends AssumptionId>(id: Id): Assumptions[Id] {
    this.#used.add(id);
    return this.#assumptions[id];
  }

  /** The value of an assumption, on which the response does not rest yet: it may make no difference. */
  peek<Id extends AssumptionId>(id: Id): Assumptions[Id] {
    return this.#assumptions[id];
  }

  /** The ids of the assumptions asked for, in alphabetical order. */
  get used(): readonly AssumptionId[] {
    return [...this.#used].toSorted();
  }
}
