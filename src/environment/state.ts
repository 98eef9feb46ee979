import type { Dataset } from "../fixture/dataset.ts";
import type { Investment, Offering } from "../model/resources.ts";
import { applyEffect } from "./apply.ts";
import type { Change } from "./change.ts";
import { InvestmentList } from "./investment-list.ts";

/** The state that a reader sees. */
export interface StateView {
  offering(id: string): Offering | undefined;
  investment(id: string): Investment | undefined;
  /** The investments of an offering; an empty list for an unknown one. */
  investmentsOf(offeringId: string): InvestmentList;
}

/**
 * The dataset with the first so many changes folded over it. Keeps what each change replaced, so that going back costs
 * what going forward did.
 */
export class State implements StateView {
  readonly #dataset: Dataset;
  readonly #offerings = new Map<string, Offering>();
  readonly #investments = new Map<string, Investment>();
  readonly #lists = new Map<string, InvestmentList>();
  readonly #replaced: (() => void)[] = [];

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  offering(id: string): Offering | undefined {
    return this.#offerings.get(id) ?? this.#dataset.offering(id);
  }

  investment(id: string): Investment | undefined {
    return this.#investments.get(id) ?? this.#dataset.investment(id);
  }

  investmentsOf(offeringId: string): InvestmentList {
    let list = this.#lists.get(offeringId);
    if (!list) {
      list = new InvestmentList(this.#dataset.investmentsOf(offeringId));
      if (this.#dataset.offering(offeringId)) this.#lists.set(offeringId, list);
    }
    return list;
  }

  /** How many changes are folded in. */
  get position(): number {
    return this.#replaced.length;
  }

  /** Applies changes, or takes them away again, until so many of them are folded in. */
  moveTo(position: number, changes: readonly Change[]): void {
    while (this.#replaced.length > position) this.#replaced.pop()?.();
    for (const change of changes.slice(this.#replaced.length, position)) this.#replaced.push(this.#apply(change));
  }

  /** Applies one change and answers how to take it away again. */
  #apply(change: Change): () => void {
    if (change.kind === "offering") {
      const { offering_id: id, attributes, date } = change;
      const held = this.offering(id);
      const before = this.#offerings.get(id);
      if (held) this.#offerings.set(id, { ...held, modify_date: date, ...attributes });
      return () => restore(this.#offerings, id, before);
    }
    if (change.kind === "new_investment") return this.#put(change.investment.id, change.investment);
    const held = this.investment(change.investment_id);
    return this.#put(change.investment_id, held && applyEffect(held, change, change.date));
  }

  #put(id: string, after: Investment | undefined): () => void {
    if (!after) return () => {};
    const before = this.#investments.get(id);
    const shown = this.investment(id);
    const list = this.investmentsOf(after.offering_id);
    this.#investments.set(id, after);
    list.replace(shown, after);
    return () => {
      restore(this.#investments, id, before);
      list.replace(after, shown);
    };
  }
}

function restore<T>(map: Map<string, T>, id: string, before: T | undefined): void {
  if (before === undefined) map.delete(id);
  else map.set(id, before);
}
