import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import { AssumptionSet } from "./assumption-set.ts";

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
