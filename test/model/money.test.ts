import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cost,
  minUnits,
  fromCents,
  isExactMoney,
  isQuantity,
  maxAmount,
  maxUnits,
  sum,
  toCents,
} from "../../src/model/money.ts";

const cents = fc.integer({ min: 0, max: toCents(maxAmount) });

test("every integer of cents in range is an exact amount", () => {
  // Products in this range lie between two integers, or round to a neighbor.
  const upper = fc.integer({ min: toCents(35_184_372_088_832), max: toCents(45_035_996_273_704) });
  fc.assert(
    fc.property(fc.oneof(cents, upper), (some) => {
      expect(isExactMoney(fromCents(some))).toBe(true);
      expect(isExactMoney(-fromCents(some))).toBe(true);
      expect(toCents(fromCents(some))).toBe(some);
    }),
    { numRuns: 2000 },
  );
});

test("an amount with a fraction of a cent is not exact", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (some) => {
      expect(isExactMoney((some + 0.5) / 100)).toBe(false);
    }),
  );
});

test("amounts are added and multiplied to the cent", () => {
  expect(sum([0.1, 0.2, 1e12, 0.07])).toBe(1_000_000_000_000.37);
  expect(sum([])).toBe(0);
  expect([cost(0.1, 3), cost(1.15, 3), cost(10.01, 99.95004995), cost(0.01, 0.4)]).toEqual([0.3, 3.45, 1000.5, 0]);
  expect([1.005, -1.5, 0.29].map(toCents)).toEqual([100, -150, 29]);
});

test("amounts and quantities have bounds", () => {
  expect([maxAmount, maxAmount + 0.01, -maxAmount, 0, 0.001].map(isExactMoney)).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  const units = [0, minUnits, maxUnits, 5, minUnits / 2, maxUnits * 1.01, -1];
  expect(units.map(isQuantity)).toEqual([true, true, true, true, false, false, false]);
});
