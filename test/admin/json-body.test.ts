import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/admin/json-body.ts";

/** A list of so many values, each with the same text. */
function list(values: number, text = "0"): string {
  return `[${Array.from({ length: values }, () => text).join()}]`;
}

const notJson = "The body is not JSON";
const filler = "x".repeat(150_000);

describe("a body", () => {
  test.each([
    ["many values", list(49_999), false],
    ["a snapshot of very many values", list(60_000, "null"), true],
    ["depth", `${"[".repeat(100)}${"]".repeat(100)}`, false],
    ["members of the same name in several objects", `[{"a":{"a":1}},{"a":"\\"a\\":"}]`, false],
  ])("may have %s", async (_, text, isSnapshot) => {
    expect(JSON.stringify(await parseJson(text, isSnapshot))).toBe(text);
  });

  test.each([
    ["more values", list(50_000), false, "The body has more than 50,000 values."],
    ["very many values", list(60_000, "null"), false, "The body has more than 50,000 values."],
    ["the values of a snapshot in too few letters", list(60_000), true, "The body has more than 50,000 values."],
    ["more depth", `${"[".repeat(101)}${"]".repeat(101)}`, false, "The body is nested more than 100 deep."],
    ["an end too early", `{"a": 1`, false, `${notJson}: see line 1, column 8.`],
    ["a text without end", `{\n"a": "b`, false, `${notJson}: see line 2, column 6.`],
    ["several mistakes", `{\n"a" 1,\n"b" 2}`, false, `${notJson}: see line 2, column 5.`],
    ["a mistake before much", `{"a" 1, "b": "${filler}"}`, false, `${notJson}: see line 1, column 6.`],
    ["a mistake after much", `{"b": "${filler}", "a" 1}`, false, `${notJson}.`],
    ["a mistake after many words", `[${'"a",\n'.repeat(30_000)} b]`, false, `${notJson}.`],
  ])("is refused for %s", async (_, text, isSnapshot, message) => {
    await expect(parseJson(text, isSnapshot)).rejects.toMatchObject({ status: 400, code: "body_malformed", message });
  });
});
