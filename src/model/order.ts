import type { InvestmentFields } from "./resources.ts";

/** Compares strings by character code, which sorts instants by time. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** Compares investments of an offering by `create_date`, then `investment_number`, then id. */
export function compareByCreation(left: InvestmentFields, right: InvestmentFields): number {
  return (
    compareText(left.create_date, right.create_date) ||
    left.investment_number - right.investment_number ||
    compareText(left.id, right.id)
  );
}

/** Hashes seed and text to an integer below 2³², the same on every machine. */
export function stableRank(seed: number, text: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the number of items before the first for which the predicate is false, and stays false, by binary search. */
export function prefixLength<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // The item is defined, because `middle` is below `high`.
    if (holds(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
