import { expect, test } from "vitest";
import { Environment } from "../../src/environment/environment.ts";
import { setupOf, smallDataset } from "../support/small-dataset.ts";

test.each([
  { delay: [7, 7], expected: [7] },
  { delay: [0, 1], expected: [0, 1] },
  { delay: [50, 54], expected: [50, 51, 52, 53, 54] },
] as const)("delays of $delay reach every millisecond of the range, and none outside", (range) => {
  const environment = new Environment({ ...setupOf(smallDataset(1)), delay: range.delay });
  const delays = Array.from({ length: 100 }, () => environment.nextDelay());
  expect([...new Set(delays)].toSorted((one, other) => one - other)).toEqual(range.expected);
});
