import { compareByCreation } from "../model/order.ts";
import type { InvestmentHead } from "../model/resources.ts";
import { Sorted } from "./sorted.ts";

type Compare = (one: InvestmentHead, other: InvestmentHead) => number;

/** What stood in a list when it began, and what stands there now; undefined is nothing. */
interface Replaced {
  readonly from: InvestmentHead | undefined;
  to: InvestmentHead | undefined;
}

/** An order, and what it has in place of the investments that have changed since somebody last asked for it. */
interface Order {
  readonly investments: Sorted<InvestmentHead>;
  readonly outdated: Map<string, InvestmentHead | undefined>;
}

/** How many results a list keeps until its next change. */
const mostResults = 16;

/** The lists of what datasets hold: one for all environments. */
const held = new WeakMap<readonly InvestmentHead[], InvestmentList>();

/**
 * The investments of one offering, by `create_date`, then `investment_number`, and in every other order that somebody asks
 * for. An order is worked out once; from then on only investments that have changed are moved, when it is asked for again.
 */
export class InvestmentList {
  /** Works out an order of the investments that were here when the list began. */
  readonly #begin: (name: string, compare: Compare) => Sorted<InvestmentHead>;
  readonly #orders = new Map<string, Order>();
  readonly #replaced = new Map<string, Replaced>();
  readonly #results = new Map<string, unknown>();
  #length: number;
  #content: object = {};

  private constructor(length: number, begin: (name: string, compare: Compare) => Sorted<InvestmentHead>) {
    this.#length = length;
    this.#begin = begin;
  }

  /** The list of what a dataset holds, which is not to be changed. */
  static of(investments: readonly InvestmentHead[]): InvestmentList {
    let list = held.get(investments);
    if (!list) {
      list = new InvestmentList(investments.length, (_, compare) => Sorted.of(investments, compare));
      held.set(investments, list);
    }
    return list;
  }

  /** A list of the same investments that can be changed. It takes over each order when it is first asked for it. */
  copy(): InvestmentList {
    return new InvestmentList(this.#length, (name, compare) => this.inOrder(name, compare).copy());
  }

  get length(): number {
    return this.#length;
  }

  /** Stands for the investments as they are: another one after every change. */
  get content(): object {
    return this.#content;
  }

  get items(): readonly InvestmentHead[] {
    return this.once("items", () => this.byCreation.slice(0, this.#length));
  }

  /** The investments in the order that they have by themselves. */
  get byCreation(): Sorted<InvestmentHead> {
    return this.inOrder("create_date", compareByCreation);
  }

  get byNumber(): Sorted<InvestmentHead> {
    return this.inOrder("investment_number", (one, other) => one.investment_number - other.investment_number);
  }

  /** The investments in another order, of which `name` is the name; those that it does not tell apart are by creation. */
  inOrder(name: string, compare: Compare): Sorted<InvestmentHead> {
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

  /** What follows from the investments as they are, worked out once until the next change; `name` tells results apart. */
  once<Result>(name: string, workOut: () => Result): Result {
    if (this.#results.has(name)) return this.#results.get(name) as Result;
    const [oldest] = this.#results.keys();
    if (oldest !== undefined && this.#results.size === mostResults) this.#results.delete(oldest);
    const result = workOut();
    this.#results.set(name, result);
    return result;
  }

  /** Puts `after` where `before` was; undefined stands for an investment that is not there. */
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
}
