import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkOptionNames, isMembers, unknownMember } from "../../src/model/members.ts";
import { FileMistakes, listed, messageOf, codeOf, withoutStacks, UnwritableFile } from "../../src/model/mistakes.ts";
import { parseShape, readShape } from "../../src/model/shape-mistakes.ts";

const item = z.strictObject({ name: z.string(), kind: z.enum(["wire", "card"]).optional() });
const schema = z.strictObject({
  label: z.string().optional(),
  count: z.int().optional(),
  ratio: z.number().optional(),
  open: z.boolean().optional(),
  even: z.number().multipleOf(2, { error: "an even number" }).optional(),
  items: z.array(item).optional(),
  either: z
    .union([z.string(), item, z.array(z.union([z.int(), item], { error: "a number or an item" }))], {
      error: "an item",
    })
    .optional(),
  headers: z.record(z.string().regex(/^[a-z]+$/, { error: "small letters" }), z.string()).optional(),
  keys: z.array(z.strictObject({ key: z.string().max(5, { error: "a short text" }) })).optional(),
  key: z.enum(["marketing", "partner"]).optional(),
  date: z.date().optional(),
  pair: z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })], { error: "an a or a b" }).optional(),
});

describe("a wrong shape is described in words", () => {
  test.each<[given: unknown, mistakes: string[]]>([
    [{ label: "x", items: [{ name: "a", kind: "wire" }], either: [1, { name: "b" }] }, []],
    [null, ["the thing is null; expected an object."]],
    [[], ["the thing is a list; expected an object."]],
    ["text", ['the thing is "text"; expected an object.']],
    [{ label: 5 }, ["label is 5; expected text."]],
    [{ label: null, open: "no" }, ["label is null; expected text.", 'open is "no"; expected true or false.']],
    [{ label: {}, items: "x" }, ["label is an object; expected text.", 'items is "x"; expected a list.']],
    [{ label: () => {} }, ["label is a function; expected text."]],
    [{ label: 5n }, ["label is a bigint; expected text."]],
    [{ label: Symbol("s") }, ["label is a symbol; expected text."]],
    [{ ratio: Infinity }, ["ratio is beyond the range of numbers; expected a number."]],
    [{ ratio: "x".repeat(70) }, [`ratio is "${"x".repeat(60)}…"; expected a number.`]],
    [{ count: 1.5 }, ["count is 1.5; expected a whole number."]],
    [{ even: 3, date: 1 }, ["even is 3; expected an even number.", "date is 1; expected date."]],
    [{ items: [{}] }, ["items[0].name is missing; expected text."]],
    [
      { items: [{ name: "a", kind: "wier" }] },
      ['items[0].kind is "wier"; expected "wire" or "card". Did you mean "wire"?'],
    ],
    [{ items: [{ name: "a", kind: 5 }] }, ['items[0].kind is 5; expected "wire" or "card".']],
    [{ lable: 1 }, ['the thing has no member "lable". Did you mean "label"?']],
    [
      { items: [{ name: "a", colour: 1, nmae: 2 }] },
      [
        'items[0] has no member "colour"; expected one of name, kind.',
        'items[0] has no member "nmae". Did you mean "name"?',
      ],
    ],
    [
      { either: { nmae: "x" } },
      ["either.name is missing; expected text.", 'either has no member "nmae". Did you mean "name"?'],
    ],
    [{ either: [{ name: "x", knid: 1 }] }, ['either[0] has no member "knid". Did you mean "kind"?']],
    [
      { either: [{ name: 1 }, 1.5] },
      ["either[0].name is 1; expected text.", "either[1] is 1.5; expected a number or an item."],
    ],
    [{ either: { name: "x", colour: 1 } }, ['either has no member "colour"; expected one of name, kind.']],
    [{ pair: { c: 1 } }, ["pair is an object; expected an a or a b."]],
    [{ either: 5 }, ["either is 5; expected an item."]],
    [{ headers: { "A-B": "x" } }, ["headers.A-B has a name that does not fit; expected small letters."]],
    [{ headers: 5 }, ["headers is 5; expected an object."]],
    [{ keys: [{ key: "a secret" }] }, ["keys[0].key is not valid; expected a short text."]],
    [{ keys: "a secret" }, ["keys is not valid; expected a list."]],
    [{ key: "a secret" }, ['key is not valid; expected "marketing" or "partner".']],
    [{ keys: [{ key: 5 }] }, ["keys[0].key is 5; expected text."]],
  ])("%o", (input, mistakes) => {
    expect([...readShape(schema, input, "the thing").mistakes].map(({ message }) => message)).toEqual(mistakes);
    if (mistakes.length === 0) {
      expect(parseShape(schema, input, "the thing")).toEqual(input);
    } else {
      expect(() => parseShape(schema, input, "the thing")).toThrow(mistakes.join("\n"));
    }
  });

  test("an unknown member is located at its name, a wrong value at itself", () => {
    const input = { items: [{ name: 1, nmae: 2 }], headers: { "A-B": "x" } };
    const findings = [...readShape(schema, input, "the thing").mistakes];
    expect(findings.map(({ path, at }) => [path.join("."), at])).toEqual([
      ["items.0.name", "value"],
      ["items.0.nmae", "name"],
      ["headers.A-B", "name"],
    ]);
  });

  test("a shape with too many mistakes has one message", () => {
    const failing = z.custom(() => raise(new RangeError("Invalid array length")));
    const messages = [...readShape(failing, {}, "the thing").mistakes].map(({ message }) => message);
    expect(messages).toEqual(["the thing has too many mistakes to list; expected fewer."]);
    expect(() =>
      readShape(
        z.custom(() => raise(new TypeError("broken"))),
        {},
        "the thing",
      ),
    ).toThrow("broken");
  });
});

function raise(error: Error): never {
  throw error;
}

describe("unknown members and options", () => {
  interface Known {
    readonly label: string;
    readonly type?: string;
  }
  const memberNames = { label: true, type: true };
  test.each<[given: object, member: string | undefined, option: string | undefined]>([
    [{}, undefined, undefined],
    [{ label: "x", type: "y" }, undefined, undefined],
    [
      { label: "x", lable: 1 },
      'the key has no member "lable". Did you mean "label"?',
      'There is no option "lable". Did you mean "label"?',
    ],
    [{ colour: 1 }, 'the key has no member "colour"; expected one of label, type.', 'There is no option "colour".'],
    [
      { ["x".repeat(41)]: 1 },
      "the key has a member with a long name that it does not take; expected one of label, type.",
      `There is no option "${"x".repeat(41)}".`,
    ],
    [
      { ["x".repeat(40)]: 1 },
      `the key has no member "${"x".repeat(40)}"; expected one of label, type.`,
      `There is no option "${"x".repeat(40)}".`,
    ],
  ])("%j", (input, member, option) => {
    const unknown = Object.keys(input).find((name) => !(name in memberNames));
    expect(unknown && unknownMember(unknown, Object.keys(memberNames), "the key")).toBe(member);
    expect(messageFrom(() => checkOptionNames(input as Known, memberNames))).toBe(option);
  });

  test("only objects that are not lists have members", () => {
    expect([{}, { a: 1 }, [], null, undefined, 5, "x"].map(isMembers)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

function messageFrom(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

describe("mistakes", () => {
  test("are listed up to a hundred, and the rest counted", () => {
    const numbers = Array.from({ length: 1101 }, (_, at) => at);
    expect(listed(numbers.slice(0, 100)).split("\n")).toHaveLength(100);
    const lines = listed(numbers, (number) => `no. ${number}`).split("\n");
    expect([lines.length, lines[0], lines[99], lines[100]]).toEqual([101, "no. 0", "no. 99", "… and 1,001 more."]);
  });

  test("in a file are ordered by line and column, each with its excerpt", () => {
    const mistake = { file: "a\u001b.json", message: "is wrong." };
    const { mistakes, message } = new FileMistakes([
      { ...mistake, line: 2, column: 1 },
      { ...mistake, line: 1, column: 9, excerpt: "  x\n  ^" },
      { ...mistake, line: 1, column: 4 },
    ]);
    expect(mistakes.map(({ line, column }) => [line, column])).toEqual([
      [1, 4],
      [1, 9],
      [2, 1],
    ]);
    expect(message.split("\n")).toEqual([
      "a\\u001b.json:1:4: is wrong.",
      "a\\u001b.json:1:9: is wrong.",
      "  x",
      "  ^",
      "a\\u001b.json:2:1: is wrong.",
    ]);
  });

  test("of the system keep their message and their code", () => {
    const cause = Object.assign(new Error("no space"), { code: "ENOSPC" });
    expect(
      [cause, new Error("x"), Object.assign(new Error("x"), { code: 5 }), { code: "E" }, null].map(codeOf),
    ).toEqual(["ENOSPC", undefined, undefined, undefined, undefined]);
    const error = new UnwritableFile("a\n.json", cause);
    expect([error.message, error.cause, error.name]).toEqual([
      "a\\u000a.json cannot be written: no space.",
      cause,
      "UnwritableFile",
    ]);
    expect(messageOf("thrown")).toBe("thrown");
  });

  test("are made without stack traces inside withoutStacks, and with them afterwards", () => {
    const { stackTraceLimit } = Error;
    expect(withoutStacks(() => new Error("x").stack)).toBe("Error: x");
    expect(() => withoutStacks(() => raise(new Error("thrown")))).toThrow("thrown");
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });
});
