import fc from "fast-check";
import { expect, test } from "vitest";
import { NumberPrecisionError, measureJson, parseExactJson } from "../../src/text/json-text.ts";

/** The depth and the number of values of a parsed value. */
function sizeOf(value: unknown): { depth: number; values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(sizeOf);
  const total = inner.reduce((sum, part) => sum + part.values, 0);
  return { depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)), values: 1 + Math.max(1, total) };
}

const hard = fc.constantFrom(String.raw`\"`, "\\", '"', "a,b:[{", String.raw`\\",`, "]}");
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, hard, fc.jsonValue({ maxDepth: 1 }), tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(hard, tie("value"), { maxKeys: 4 }),
})).value;

test("the measure of a JSON text equals that of its value, with any strings and spacing", () => {
  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 2, "\t"), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(measureJson(text)).toEqual(sizeOf(value));
    }),
    { numRuns: 200 },
  );
});

test("JSON that is not closed is measured to its end", () => {
  expect(measureJson('["not closed, {')).toEqual({ depth: 1, values: 2 });
});

test("measuring stops at the first excess", () => {
  expect(measureJson("[".repeat(1000), Infinity, 3).depth).toBe(4);
  expect(measureJson("[".repeat(3), Infinity, 3).depth).toBe(3);
  expect(measureJson("0,".repeat(1000), 5).values).toBe(6);
  expect(measureJson("0,".repeat(4), 5).values).toBe(5);
});

test.each(["12345678901234567890", "-9007199254740993", "1e400", "-1e400", "1e-400", "0.12345678901234567890"])(
  "the number %s is refused anywhere outside strings",
  (number) => {
    for (const text of [number, `[1,${number}]`, `{"a\\"":{"b":\n${number}}}`])
      expect(() => parseExactJson(text)).toThrow(NumberPrecisionError);
    expect(parseExactJson(`{"${number}":"\\"${number}"}`)).toEqual({ [number]: `"${number}` });
  },
);

test("every number that JavaScript prints is accepted, and any with zeros at its ends", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(parseExactJson(JSON.stringify([number]))).toEqual([number === 0 ? 0 : number]);
    }),
  );
  expect(parseExactJson("[0, -0.0, 0e999, 1.50000000000000000000, 1E+2, 100000000000000000000000]")).toHaveLength(6);
});
