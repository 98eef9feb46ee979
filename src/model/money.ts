/**
 * Money is a decimal number with two places. Sums and products are taken in whole cents, where numbers are exact up to
 * ninety trillion units.
 */

/** The largest amount that is exact to the cent. */
export const largestAmount = 90_000_000_000_000;

/** The fewest units that are more than none, and the most: of these the largest amount has one a cent. */
export const [fewestUnits, mostUnits] = [1e-9, largestAmount * 100];

/** True for no unit at all, or for so many that they can have a price. */
export function isQuantity(units: number): boolean {
  return units === 0 || (units >= fewestUnits && units <= mostUnits);
}

/** True when the amount is a whole number of cents within the exact range. */
export function isExactMoney(amount: number): boolean {
  return Math.abs(amount) <= largestAmount && fromCents(toCents(amount)) === amount;
}

/** The nearest whole number of cents. */
export function toCents(amount: number): number {
  const cents = Math.round(amount * 100);
  if (fromCents(cents) === amount) return cents;
  // Above thirty trillion, the product may round to a neighbour.
  return [cents - 1, cents + 1].find((neighbour) => fromCents(neighbour) === amount) ?? cents;
}

/** The amount that so many cents are. */
export function fromCents(cents: number): number {
  return cents / 100;
}

/** The exact sum of amounts. */
export function sum(amounts: Iterable<number>): number {
  let cents = 0;
  for (const amount of amounts) cents += toCents(amount);
  return fromCents(cents);
}

/** What so many units cost, to the cent. */
export function cost(price: number, quantity: number): number {
  return fromCents(Math.round(toCents(price) * quantity));
}
