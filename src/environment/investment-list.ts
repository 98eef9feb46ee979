import { fromCents, toCents } from "../model/money.ts";
import { compareByCreation, compareText } from "../model/order.ts";
import type { InvestmentFields } from "../model/resources.ts";

type CompareInvestments = (left: InvestmentFields, right: InvestmentFields) => number;

/** The maximum number of results in the cache of a list. */
const maxResults = 16;

/** The lists of unchanged datasets, shared by all environments. */
const sharedLists = new WeakMap<readonly InvestmentFields[], InvestmentList>();

/** The investments of one offering, in any order. After a change, the list sorts an order when it is next read. */
export class InvestmentList {
  /** Returns the initial investments of the list, sorted. */
  readonly #initialOrder: InvestmentList["inOrder"];
  readonly #changedInvestments = new Map<string, InvestmentFields>();
  readonly #orders = new Map<string, readonly InvestmentFields[]>();
  readonly #results = new Map<string, unknown>();
  #length: number;
  #contentId: object = {};

  private constructor(length: number, initialOrder: InvestmentList["inOrder"]) {
    this.#length = length;
    this.#initialOrder = initialOrder;
  }

  /** Returns the shared list of a dataset's investments. Only copies of it may be changed. */
  static of(investments: readonly InvestmentFields[]): InvestmentList {
    const cached = sharedLists.get(investments);
    if (cached) return cached;
    const list = new InvestmentList(investments.length, (_, compare) => investments.toSorted(compare));
    sharedLists.set(investments, list);
    return list;
  }

  /** Returns a list of the same investments that can be changed. */
  copy(): InvestmentList {
    return new InvestmentList(this.#length, (name, compare) => this.inOrder(name, compare));
  }

  get length(): number {
    return this.#length;
  }

  /** Identifies the current investments: a new object after every change. */
  get contentId(): object {
    return this.#contentId;
  }

  /** The counts and sums of the investments, computed once until the next change. */
  get totals(): ReturnType<typeof totalsOf> {
    return this.computeOnce("tally", () => totalsOf(this.byCreation));
  }

  /** The investments by `create_date`, then `investment_number`. */
  get byCreation(): readonly InvestmentFields[] {
    return this.inOrder("create_date", compareByCreation);
  }

  /** The latest investment. It is found without sorting, because each new investment reads its price. */
  get latest(): InvestmentFields | undefined {
    if (this.#changedInvestments.size === 0) return this.byCreation.at(-1);
    const initialOrder = this.#initialOrder("create_date", compareByCreation);
    let latest = initialOrder.findLast(({ id }) => !this.#changedInvestments.has(id));
    for (const investment of this.#changedInvestments.values())
      if (!latest || compareByCreation(latest, investment) < 0) latest = investment;
    return latest;
  }

  get byNumber(): readonly InvestmentFields[] {
    return this.inOrder("investment_number", (left, right) => left.investment_number - right.investment_number);
  }

  /** Returns the investments in the order with this name. Equal investments are ordered by creation. */
  inOrder(name: string, compare: CompareInvestments): readonly InvestmentFields[] {
    let order = this.#orders.get(name);
    if (!order) {
      const compareFully: CompareInvestments = (left, right) => compare(left, right) || compareByCreation(left, right);
      order = this.#initialOrder(name, compareFully);
      if (this.#changedInvestments.size > 0) {
        const unchanged = order.filter(({ id }) => !this.#changedInvestments.has(id));
        order = [...unchanged, ...this.#changedInvestments.values()].toSorted(compareFully);
      }
      this.#orders.set(name, order);
    }
    return order;
  }

  /** Returns the result with this name, computed once until the next change. */
  computeOnce<Result>(name: string, compute: () => Result): Result {
    if (this.#results.has(name)) return this.#results.get(name) as Result;
    const [oldest] = this.#results.keys();
    if (oldest !== undefined && this.#results.size === maxResults) this.#results.delete(oldest);
    const result = compute();
    this.#results.set(name, result);
    return result;
  }

  /** Adds an investment, or replaces the investment with the same id. */
  put(investment: InvestmentFields, isNew: boolean): void {
    this.#length += Number(isNew);
    this.#changedInvestments.set(investment.id, investment);
    this.#contentId = {};
    this.#orders.clear();
    this.#results.clear();
  }
}

/**
 * Counts investments by status and, if they have one, by step, both in alphabetical order. Adds up their amounts in
 * cents: such sums are exact up to ninety trillion units.
 */
function totalsOf(investments: readonly InvestmentFields[]) {
  const [statuses, steps] = [new Map<string, number>(), new Map<string, number>()];
  let [amount, paid] = [0, 0];
  for (const investment of investments) {
    statuses.set(investment.status, (statuses.get(investment.status) ?? 0) + 1);
    if (investment.step !== null) steps.set(investment.step, (steps.get(investment.step) ?? 0) + 1);
    amount += toCents(investment.amount);
    paid += toCents(investment.paid_amount);
  }
  const counts = { statuses: inAlphabeticalOrder(statuses), steps: inAlphabeticalOrder(steps) };
  return { ...counts, amount: fromCents(amount), paidAmount: fromCents(paid) };
}

function inAlphabeticalOrder(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].toSorted(([left], [right]) => compareText(left, right)));
}
