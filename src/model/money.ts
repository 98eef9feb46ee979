/**
 * Money is a decimal number with two places. Sums and products are computed in whole cents, which are exact up to
 * seventy trillion units: above 2 ** 46, amounts are a sixty-fourth apart.
 */

/** The largest amount that is exact to the cent. */
export const maxAmount = 70_000_000_000_000;

/** The smallest and largest quantity above 0; at the largest, the largest amount costs one cent per unit. */
export const [minUnits, maxUnits] = [1e-9, maxAmount * 100];

/** Returns true for 0, or a quantity small and large enough to have a price. */
export function isQuantity(units: number): boolean {
  return units === 0 || (units >= minUnits && units <= maxUnits);
}

/** Returns true for an integer of cents within the exact range. */
export function isExactMoney(amount: number): boolean {
  return Math.abs(amount) <= maxAmount && fromCents(toCents(amount)) === amount;
}

/** Rounds to the nearest integer of cents. */
export function toCents(amount: number): number {
  const cents = Math.round(amount * 100);
  if (fromCents(cents) === amount) return cents;
  // Above thirty trillion, the product may round to the cent above.
  return fromCents(cents - 1) === amount ? cents - 1 : cents;
}

export function fromCents(cents: number): number {
  return cents / 100;
}

/** Adds amounts exactly. */
export function sum(amounts: Iterable<number>): number {
  let cents = 0;
  for (const amount of amounts) cents += toCents(amount);
  return fromCents(cents);
}

/** Multiplies price and quantity, to the cent. */
export function cost(price: number, quantity: number): number {
  return fromCents(Math.round(toCents(price) * quantity));
}
