import { expect, test } from "vitest";
import { z } from "zod";
import { checkOptionNames } from "../../src/validation/members.ts";
import { codeOf, messageOf, FileWriteError, withoutStacks } from "../../src/validation/errors.ts";
import { readShape } from "../../src/validation/shape-errors.ts";

// `test/validation` has the words for errors in files; this file tests the shapes and values that no file has.

const item = z.strictObject({ name: z.string(), kind: z.enum(["wire", "card"]).optional() });
const schema = z.strictObject({
  label: z.string().optional(),
  items: z.array(item).optional(),
  either: z
    .union([z.string(), item, z.array(z.union([z.int(), item], { error: "a number or an item" }))], {
      error: "an item",
    })
    .optional(),
  headers: z.record(z.string().regex(/^[a-z]+$/, { error: "small letters" }), z.string()).optional(),
  keys: z.array(z.strictObject({ key: z.string().max(5, { error: "a short text" }) })).optional(),
  date: z.date().optional(),
  pair: z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })], { error: "an a or a b" }).optional(),
});

test.each<[value: unknown, errors: string[]]>([
  [{ label: "x", items: [{ name: "a", kind: "wire" }], either: [1, { name: "b" }] }, []],
  [{ label: () => {} }, ["label is a function; expected a string."]],
  [{ label: 5n }, ["label is a bigint; expected a string."]],
  [{ label: Symbol("s") }, ["label is a symbol; expected a string."]],
  [{ label: ["x".repeat(70)] }, ["label is a list; expected a string."]],
  [{ date: "x ".repeat(35) }, [`date is "${"x ".repeat(30)}…"; expected date.`]],
  [{ items: [{ name: "a", kind: 5 }] }, ['items[0].kind is 5; expected "wire" or "card".']],
  [
    { either: { nmae: "x" } },
    ["either.name is missing; expected a string.", 'either has no member "nmae". Did you mean "name"?'],
  ],
  [{ either: [{ name: "x", knid: 1 }] }, ['either[0] has no member "knid". Did you mean "kind"?']],
  [
    { either: [{ name: 1 }, 1.5] },
    ["either[0].name is 1; expected a string.", "either[1] is 1.5; expected a number or an item."],
  ],
  [{ either: { name: "x", color: 1 } }, ['either has no member "color"; expected one of name, kind.']],
  [{ either: 5 }, ["either is 5; expected an item."]],
  [{ pair: { c: 1 } }, ["pair is an object; expected an a or a b."]],
  [{ headers: { "A-B": "x" } }, ["headers.A-B has a name that does not fit; expected small letters."]],
  [{ headers: 5 }, ["headers is 5; expected an object."]],
  [{ keys: "a secret" }, ["keys is not valid; expected a list."]],
  [{ keys: [{ key: 5 }] }, ["keys[0].key is 5; expected a string."]],
])("the shape %o has the errors %j", (input, errors) => {
  expect([...readShape(schema, input, "the thing").errors].map(({ message }) => message)).toEqual(errors);
});

test("a shape with too many errors has one message, and any other error of a schema is thrown on", () => {
  const full = z.custom(() => raise(new RangeError("Invalid array length")));
  const messages = [...readShape(full, {}, "the thing").errors].map(({ message }) => message);
  expect(messages).toEqual(["the thing has too many errors to list; expected fewer."]);
  const broken = z.custom(() => raise(new TypeError("broken")));
  expect(() => readShape(broken, {}, "the thing")).toThrow("broken");
});

test.each([
  ["lable", 'There is no option "lable". Did you mean "label"?'],
  ["color", 'There is no option "color".'],
])("the option %s is refused", (name, message) => {
  expect(() => checkOptionNames({ label: "x", [name]: 1 }, { label: true })).toThrow(message);
});

test("errors of the system have their own message and code", () => {
  const cause = Object.assign(new Error("no space"), { code: "ENOSPC" });
  expect([cause, new Error("x"), Object.assign(new Error("x"), { code: 5 }), { code: "E" }, null].map(codeOf)).toEqual([
    "ENOSPC",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const error = new FileWriteError("a\n.json", cause);
  expect([error.message, error.cause]).toEqual(["a\\u000a.json cannot be written: no space.", cause]);
  expect(messageOf("thrown")).toBe("thrown");
});

test("errors are made without stack traces inside withoutStacks, and with them afterwards", () => {
  const { stackTraceLimit } = Error;
  expect(withoutStacks(() => new Error("x").stack)).toBe("Error: x");
  expect(() => withoutStacks(() => raise(new Error("thrown")))).toThrow("thrown");
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

function raise(error: Error): never {
  throw error;
}
