import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatDuration, formatSpan, maxDuration, readDuration, readSpan } from "../../src/time/duration.ts";

test.for([
  [0, 0],
  [1500, 1500],
  [1.5, 2],
  ["1500", 1500],
  ["0s", 0],
  ["500ms", 500],
  ["90s", 90_000],
  ["2m", 120_000],
  ["1h30m", 5_400_000],
  ["2d", 172_800_000],
  ["1w", 604_800_000],
  ["1.5h", 5_400_000],
  ["1w2d3h4m5s6ms", 788_645_006],
  ["PT1H30M", 5_400_000],
  ["P2D", 172_800_000],
  ["P1W", 604_800_000],
  ["P1DT12H", 129_600_000],
  ["PT0.5S", 500],
  ["PT0,5S", 500],
  ["0.4ms", 0],
  ["1.5ms", 2],
  ["1w1ms", 604_800_001],
  ["1d1m", 86_460_000],
  ["PT1M", 60_000],
  ["PT1H1S", 3_601_000],
  ["P1W1D", 691_200_000],
  ["36525d", 36_525 * 86_400_000],
  [`${"0".repeat(59)}s`, 0],
] as const)("%s is %i milliseconds", ([text, milliseconds]) => {
  expect(readDuration(text)).toBe(milliseconds);
});

test("other strings and values are refused as durations", () => {
  const words = `
    m 30m1h 1m1m -2m +2m 2M 1e3s .5s Infinitys P PT P1 P1Y P1M P1H PT1D 1dT2h 36526d 36525d1ms 1.s P1WT xPT1S PT1Sx
  `;
  const spaced = ["", "5 ", "2 minutes", "1h 30m", " 1s", "1s ", "P1D ", `${"0".repeat(60)}s`, `${"9".repeat(400)}s`];
  const invalidValues = [-1, NaN, Infinity, maxDuration + 1, null, [1], {}];
  const refused = [...words.trim().split(/\s+/), ...spaced, ...invalidValues];
  expect(refused.filter((value) => readDuration(value) !== undefined)).toEqual([]);
});

test.for([
  [0, "0s"],
  [1500, "1s500ms"],
  [5_400_000, "1h30m"],
  [604_800_000, "7d"],
  [90_061_001, "1d1h1m1s1ms"],
  [86_399_999, "23h59m59s999ms"],
] as const)("%i milliseconds are %s", ([milliseconds, text]) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test.for<[written: unknown, bounds: readonly [number, number] | undefined]>([
  ["2s", [2000, 2000]],
  [1500, [1500, 1500]],
  ["1d..3d", [86_400_000, 259_200_000]],
  ["50-200", [50, 200]],
  ["50..200", [50, 200]],
  ["1.5s..PT1M", [1500, 60_000]],
  [
    [50, 200],
    [50, 200],
  ],
  [
    ["50ms", "1s"],
    [50, 1000],
  ],
  ["2s..2s", [2000, 2000]],
  ["3d..1d", undefined],
  ["50ms-200ms", undefined],
  ["1d..2d..3d", undefined],
  ["..3d", undefined],
  ["1d..", undefined],
  ["..", undefined],
  [[1], undefined],
  [[1, 2, 3], undefined],
  [[[1, 2], 3], undefined],
  [null, undefined],
])("the span %j is read as %j", ([input, bounds]) => {
  expect(readSpan(input)).toEqual(bounds);
  if (bounds) expect(readSpan(formatSpan(bounds))).toEqual(bounds);
});

test("a formatted duration is read as the same number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: maxDuration }), (milliseconds) => {
      expect(readDuration(formatDuration(milliseconds))).toBe(milliseconds);
    }),
  );
});

test("any text is read quickly, as an integer of milliseconds within bounds or not at all", () => {
  const texts = fc.string({
    unit: fc.constantFrom("0", "9", ".", "w", "d", "h", "m", "s", "P", "T", "H"),
    maxLength: 200,
  });
  fc.assert(
    fc.property(texts, (text) => {
      const milliseconds = readDuration(text) ?? 0;
      expect(Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds <= maxDuration).toBe(true);
    }),
  );
});
