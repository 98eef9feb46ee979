import { compareByCreation } from "../model/creation-order.ts";
import type { InvestmentHead } from "../model/resources.ts";

/** The investments of one offering as they are now, by `create_date`, then `investment_number`. */
export class InvestmentList {
  readonly #base: readonly InvestmentHead[];
  #items: InvestmentHead[] | undefined;
  #orders = new Map<string, readonly InvestmentHead[]>();

  /** `base` is in this order already; it is shared, and copied when the first change comes. */
  constructor(base: readonly InvestmentHead[]) {
    this.#base = base;
  }

  get items(): readonly InvestmentHead[] {
    return this.#items ?? this.#base;
  }

  /** The investments in another order, worked out once until the next change. `name` tells orders apart. */
  inOrder(name: string, compare: (one: InvestmentHead, other: InvestmentHead) => number): readonly InvestmentHead[] {
    const known = this.#orders.get(name);
    if (known) return known;
    const sorted = this.items.toSorted((one, other) => compare(one, other) || compareByCreation(one, other));
    this.#orders.set(name, sorted);
    return sorted;
  }

  /** Puts `after` where `before` was; undefined stands for an investment that is not there. */
  replace(before: InvestmentHead | undefined, after: InvestmentHead | undefined): void {
    this.#items ??= [...this.#base];
    this.#orders.clear();
    const from = before === undefined ? undefined : firstAtOrAfter(this.#items, before);
    if (from !== undefined && before && after && compareByCreation(before, after) === 0) {
      this.#items[from] = after;
      return;
    }
    if (from !== undefined) this.#items.splice(from, 1);
    if (after) this.#items.splice(firstAtOrAfter(this.#items, after), 0, after);
  }
}

function firstAtOrAfter(items: readonly InvestmentHead[], wanted: InvestmentHead): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item && compareByCreation(item, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
