import { expect, test } from "vitest";
import { Environment } from "../../src/environment/environment.ts";
import { configOf, smallDataset } from "../support/small-dataset.ts";

test("a restored environment continues with the delays of the environment in the snapshot", () => {
  const setup = { ...configOf(smallDataset(1)), delay: [0, 1_000_000] } as const;
  const environment = new Environment(setup);
  const nextDelays = (of: Environment): number[] => Array.from({ length: 5 }, () => of.nextDelay());
  const first = nextDelays(environment);
  const restored = new Environment(setup, structuredClone(environment.data()), environment.requestData());
  const second = nextDelays(environment);
  expect(second).not.toEqual(first);
  expect(nextDelays(restored)).toEqual(second);
});

test.each([
  { delay: [7, 7], expected: [7] },
  { delay: [0, 1], expected: [0, 1] },
  { delay: [50, 54], expected: [50, 51, 52, 53, 54] },
] as const)("delays of $delay reach every millisecond of the range, and none outside", (range) => {
  const environment = new Environment({ ...configOf(smallDataset(1)), delay: range.delay });
  const delays = Array.from({ length: 100 }, () => environment.nextDelay());
  expect([...new Set(delays)].toSorted((left, right) => left - right)).toEqual(range.expected);
});
