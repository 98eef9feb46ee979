import { fromCents, toCents } from "../model/money.ts";
import { compareByCreation, compareText, prefixLength } from "../model/order.ts";
import type { InvestmentHead } from "../model/resources.ts";

type CompareHeads = (one: InvestmentHead, other: InvestmentHead) => number;

/** A changed investment: as the list began with it, and as it is now; undefined if it is not in the list. */
interface Replaced {
  readonly from: InvestmentHead | undefined;
  to: InvestmentHead | undefined;
}

interface Order {
  readonly compare: CompareHeads;
  investments: InvestmentHead[];
  /** The investments changed since the last reading, by id, as the order still has them. */
  readonly outdated: Map<string, InvestmentHead | undefined>;
}

/** Counts and sums of investments. */
interface Tally {
  /** Number of investments by status, in alphabetical order. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of investments by step, in alphabetical order; those without one are left out. */
  readonly steps: Readonly<Record<string, number>>;
  readonly amount: number;
  readonly paidAmount: number;
}

/** Maximum number of results in the cache of a list. */
const maxResults = 16;

/** Moving more investments than this, one by one, takes longer than sorting all anew. */
const maxMoves = 500;

/** The lists of unchanged datasets, shared by all environments. */
const shared = new WeakMap<readonly InvestmentHead[], InvestmentList>();

/**
 * The investments of one offering, in any order. An order is sorted once; later, reading it again moves only
 * changed investments.
 */
export class InvestmentList {
  /** Sorts the investments with which the list began. */
  readonly #begin: (name: string, compare: CompareHeads) => InvestmentHead[];
  readonly #orders = new Map<string, Order>();
  readonly #replaced = new Map<string, Replaced>();
  readonly #results = new Map<string, unknown>();
  #length: number;
  #content: object = {};

  private constructor(length: number, begin: (name: string, compare: CompareHeads) => InvestmentHead[]) {
    this.#length = length;
    this.#begin = begin;
  }

  /** The shared list of the investments of a dataset. Must not be changed: take a copy. */
  static of(investments: readonly InvestmentHead[]): InvestmentList {
    const cached = shared.get(investments);
    if (cached) return cached;
    const list = new InvestmentList(investments.length, (_, compare) => investments.toSorted(compare));
    shared.set(investments, list);
    return list;
  }

  /** A changeable list of the same investments. It copies each order at its first reading. */
  copy(): InvestmentList {
    return new InvestmentList(this.#length, (name, compare) => this.inOrder(name, compare).slice());
  }

  get length(): number {
    return this.#length;
  }

  /** Stands for the present investments: a new object after every change. */
  get content(): object {
    return this.#content;
  }

  /** Counted once until the next change. */
  get tally(): Tally {
    return this.once("tally", () => tallyOf(this.byCreation));
  }

  /** By `create_date`, then `investment_number`. */
  get byCreation(): readonly InvestmentHead[] {
    return this.inOrder("create_date", compareByCreation);
  }

  get byNumber(): readonly InvestmentHead[] {
    return this.inOrder("investment_number", (one, other) => one.investment_number - other.investment_number);
  }

  /**
   * The investments in the order of this name, for now: a change moves them within the same array. Equal ones follow each
   * other by creation.
   */
  inOrder(name: string, compare: CompareHeads): readonly InvestmentHead[] {
    let order = this.#orders.get(name);
    if (!order) {
      const inFull: CompareHeads = (one, other) => compare(one, other) || compareByCreation(one, other);
      const outdated = new Map(Array.from(this.#replaced, ([id, { from }]) => [id, from]));
      order = { compare: inFull, investments: this.#begin(name, inFull), outdated };
      this.#orders.set(name, order);
    }
    if (order.outdated.size > 0) this.#bringUpToDate(order);
    return order.investments;
  }

  /** Returns the result of this name, computed once until the next change. */
  once<Result>(name: string, compute: () => Result): Result {
    if (this.#results.has(name)) return this.#results.get(name) as Result;
    const [oldest] = this.#results.keys();
    if (oldest !== undefined && this.#results.size === maxResults) this.#results.delete(oldest);
    const result = compute();
    this.#results.set(name, result);
    return result;
  }

  /** Replaces an investment. `before` undefined adds one, `after` undefined removes one. */
  replace(before: InvestmentHead | undefined, after: InvestmentHead | undefined): void {
    const id = (before ?? after)?.id;
    if (id === undefined) return;
    this.#length += Number(after !== undefined) - Number(before !== undefined);
    const replaced = this.#replaced.get(id);
    if (replaced) replaced.to = after;
    else this.#replaced.set(id, { from: before, to: after });
    this.#content = {};
    this.#results.clear();
    for (const { outdated } of this.#orders.values()) if (!outdated.has(id)) outdated.set(id, before);
  }

  #bringUpToDate(order: Order): void {
    const { compare, investments, outdated } = order;
    const placeOf = (one: InvestmentHead): number => prefixLength(investments, (other) => compare(other, one) < 0);
    if (outdated.size > maxMoves) {
      const others = investments.filter(({ id }) => !outdated.has(id));
      const changed = Array.from(outdated.keys(), (id) => this.#replaced.get(id)?.to ?? []).flat();
      order.investments = [...others, ...changed].toSorted(compare);
    } else {
      for (const [id, had] of outdated) {
        if (had) investments.splice(placeOf(had), 1);
        const has = this.#replaced.get(id)?.to;
        if (has) investments.splice(placeOf(has), 0, has);
      }
    }
    outdated.clear();
  }
}

/** Adds up cents: such sums are exact up to ninety trillion units. */
function tallyOf(investments: readonly InvestmentHead[]): Tally {
  const [statuses, steps] = [new Map<string, number>(), new Map<string, number>()];
  let [amount, paid] = [0, 0];
  for (const one of investments) {
    statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
    if (one.step !== null) steps.set(one.step, (steps.get(one.step) ?? 0) + 1);
    amount += toCents(one.amount);
    paid += toCents(one.paid_amount);
  }
  return {
    statuses: inAlphabeticalOrder(statuses),
    steps: inAlphabeticalOrder(steps),
    amount: fromCents(amount),
    paidAmount: fromCents(paid),
  };
}

function inAlphabeticalOrder(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].toSorted(([one], [other]) => compareText(one, other)));
}
