import { fromCents, toCents } from "../model/money.ts";
import { compareByCreation, compareText } from "../model/order.ts";
import type { InvestmentHead } from "../model/resources.ts";
import { Sorted } from "./sorted.ts";

type CompareHeads = (one: InvestmentHead, other: InvestmentHead) => number;

/** A changed investment: as the list began with it, and as it is now; undefined if it is not in the list. */
interface Replaced {
  readonly from: InvestmentHead | undefined;
  to: InvestmentHead | undefined;
}

interface Order {
  readonly investments: Sorted<InvestmentHead>;
  /** The investments changed since the last reading, by id, as the order still has them. */
  readonly outdated: Map<string, InvestmentHead | undefined>;
}

/** Counts and sums of investments. In cents, sums are exact up to ninety trillion units, and go down again exactly. */
class Tally {
  readonly #statuses = new Map<string, number>();
  readonly #steps = new Map<string, number>();
  #amount = 0;
  #paid = 0;

  /** Adds an investment; takes it off with -1. */
  add({ status, step, amount, paid_amount }: InvestmentHead, times: 1 | -1 = 1): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + times);
    if (step !== null) this.#steps.set(step, (this.#steps.get(step) ?? 0) + times);
    this.#amount += times * toCents(amount);
    this.#paid += times * toCents(paid_amount);
  }

  /** Number of investments by status, in alphabetical order. */
  get statuses(): Readonly<Record<string, number>> {
    return inAlphabeticalOrder(this.#statuses);
  }

  /** Number of investments by step, in alphabetical order; those without one are left out. */
  get steps(): Readonly<Record<string, number>> {
    return inAlphabeticalOrder(this.#steps);
  }

  get amount(): number {
    return fromCents(this.#amount);
  }

  get paidAmount(): number {
    return fromCents(this.#paid);
  }
}

function inAlphabeticalOrder(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const entries = [...counts].filter(([, count]) => count > 0);
  return Object.fromEntries(entries.toSorted(([one], [other]) => compareText(one, other)));
}

/** Maximum number of results in the cache of a list. */
const maxResults = 16;

/** The lists of unchanged datasets, shared by all environments. */
const shared = new WeakMap<readonly InvestmentHead[], InvestmentList>();

/**
 * The investments of one offering, in any order. An order is sorted once; later, reading it again moves only
 * changed investments.
 */
export class InvestmentList {
  /** Sorts the investments with which the list began. */
  readonly #begin: (name: string, compare: CompareHeads) => Sorted<InvestmentHead>;
  readonly #orders = new Map<string, Order>();
  readonly #replaced = new Map<string, Replaced>();
  readonly #results = new Map<string, unknown>();
  #length: number;
  #content: object = {};
  #tally: Tally | undefined;

  private constructor(length: number, begin: (name: string, compare: CompareHeads) => Sorted<InvestmentHead>) {
    this.#length = length;
    this.#begin = begin;
  }

  /** The shared list of the investments of a dataset. Must not be changed: take a copy. */
  static of(investments: readonly InvestmentHead[]): InvestmentList {
    const cached = shared.get(investments);
    if (cached) return cached;
    const list = new InvestmentList(investments.length, (_, compare) => Sorted.of(investments, compare));
    shared.set(investments, list);
    return list;
  }

  /** A changeable list of the same investments. It copies each order at its first reading. */
  copy(): InvestmentList {
    return new InvestmentList(this.#length, (name, compare) => this.inOrder(name, compare).copy());
  }

  get length(): number {
    return this.#length;
  }

  /** Stands for the present investments: a new object after every change. */
  get content(): object {
    return this.#content;
  }

  get items(): readonly InvestmentHead[] {
    return this.once("items", () => this.byCreation.slice(0, this.#length));
  }

  /** Counted once, and kept up with each change. */
  get tally(): Tally {
    if (!this.#tally) {
      this.#tally = new Tally();
      for (const investment of this.items) this.#tally.add(investment);
    }
    return this.#tally;
  }

  /** By `create_date`, then `investment_number`. */
  get byCreation(): Sorted<InvestmentHead> {
    return this.inOrder("create_date", compareByCreation);
  }

  get byNumber(): Sorted<InvestmentHead> {
    return this.inOrder("investment_number", (one, other) => one.investment_number - other.investment_number);
  }

  /** The investments in the order of this name. Equal ones follow each other by creation. */
  inOrder(name: string, compare: CompareHeads): Sorted<InvestmentHead> {
    let order = this.#orders.get(name);
    if (!order) {
      const investments = this.#begin(name, (one, other) => compare(one, other) || compareByCreation(one, other));
      order = { investments, outdated: new Map() };
      for (const [id, { from }] of this.#replaced) order.outdated.set(id, from);
      this.#orders.set(name, order);
    }
    const { investments, outdated } = order;
    for (const [id, had] of outdated) investments.replace(had, this.#replaced.get(id)?.to);
    outdated.clear();
    return investments;
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
    if (before) this.#tally?.add(before, -1);
    if (after) this.#tally?.add(after);
    for (const { outdated } of this.#orders.values()) if (!outdated.has(id)) outdated.set(id, before);
  }
}
