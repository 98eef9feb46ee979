import fc from "fast-check";
import { expect, test } from "vitest";
import { fromCents, isExactMoney, largestAmount, toCents } from "../../src/model/money.ts";

const cents = fc.integer({ min: 0, max: toCents(largestAmount) });

test("every whole number of cents within the range is an exact amount", () => {
  fc.assert(
    fc.property(cents, (some) => {
      expect(isExactMoney(fromCents(some))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("an amount that is no whole number of cents is none", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (some) => {
      expect(isExactMoney((some + 0.5) / 100)).toBe(false);
    }),
  );
});
