import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAssumption } from "../../src/assumptions/catalog.ts";
import { HttpError, serializeError } from "../../src/errors/http-error.ts";
import { assumptions as kind } from "../../src/settings/assumption-kinds.ts";
import { expectConformance } from "../support/conformance.ts";
import { caseCount } from "../support/case-count.ts";
import { closedDocument, known, openSandbox } from "../support/sandbox.ts";
import { anyText } from "../support/any-text.ts";

const ofErrors = ["status", "code", "title", "detail", "parameter"];
const ofLists = ["page", "size", "total", "pages", "self", "first", "prev", "next", "last"];

/** Generates templates: any JSON objects with placeholders in their strings and names, some without quotes. */
function templates(names: readonly string[]): fc.Arbitrary<string> {
  const gap = fc.constantFrom(...names).map((name) => `{${name}}`);
  const plainText = anyText().filter((text) => !/\{\w+\}|[\0§]/.test(text));
  const text = fc.oneof(
    fc.array(fc.oneof(plainText, gap), { maxLength: 3 }).map((parts) => parts.join("")),
    gap,
  );
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(gap, text.map(quote), fc.constantFrom("1", "null", "true", "-2.5", "{}", "[]")),
      fc.array(tie("tree"), { maxLength: 3 }).map((items) => `[${items.join(" , ")}]`),
      objects(fc.tuple(text, tie("tree"))),
    ),
  }));
  return objects(fc.tuple(text, tree));
}

function objects(members: fc.Arbitrary<[string, string]>): fc.Arbitrary<string> {
  const safeMembers = members.filter(([name]) => !/^(__proto__|data|included)$/.test(name));
  // An object has at most one name with a placeholder, so that two members cannot become equal.
  const kindOf = (name: string): string => (/\{\w+\}/.test(name) ? "" : `plain ${name}`);
  return fc
    .uniqueArray(safeMembers, { maxLength: 3, selector: ([name]) => kindOf(name) })
    .map((pairs) => pairs.map(([name, content]) => [kindOf(name) === "" ? `§${name}§` : name, content] as const))
    .map((pairs) => `{${pairs.map(([name, content]) => `${quote(name)}: ${content}`).join(",")}}`);
}

const quote = (text: string): string => JSON.stringify(text);
const bodyLike = (template: string) => parseAssumption("errors.body", `like:${template}`)["errors.body"] ?? "empty";
const listLike = (template: string) => parseAssumption("list.document", `like:${template}`)["list.document"];

test("any template is filled to valid JSON with any error, and its stored form is read unchanged", () => {
  const hostile = fc.oneof(anyText(), fc.constantFrom('"', "\\", '","x":"', "{code}", "$&", "\u2028"));
  fc.assert(
    fc.property(templates(ofErrors), hostile, hostile, (template, detail, parameter) => {
      const stored = bodyLike(template);
      expect(bodyLike(stored.slice("like:".length))).toBe(stored);
      const error = new HttpError("parameter_invalid", { detail, source: { parameter } });
      const { text } = serializeError(error, stored, "application/json");
      expect(JSON.parse(text)).toBeTypeOf("object");
      expect(
        Object.values(JSON.parse(serializeError(error, bodyLike(`{"a":"{detail}","b":{detail}}`), "").text)),
      ).toEqual([detail, detail]);
    }),
    { numRuns: caseCount(30) },
  );
});

test("responses by any template conform to the OpenAPI document, errors and lists alike", async () => {
  const { sandbox, raw } = await openSandbox();
  const list = `/offerings/${known.aurora}/investments?size=2`;
  const { data } = (await raw(`/api/v1${list}`)).json;
  const listTemplate = templates(ofLists).map(
    (rest) => `{"data" : "{data}"${rest === "{}" ? "}" : `,${rest.slice(1)}`}`,
  );
  await fc.assert(
    fc.asyncProperty(templates(ofErrors), listTemplate, fc.boolean(), async (error, page, included) => {
      const assumptions = {
        "errors.body": bodyLike(error),
        "list.document": listLike(page),
        "list.included": included ? "yes" : "no",
      };
      await sandbox.assumptions.set(assumptions);
      for (const path of [list, "/nowhere", `${list}&page=x`]) {
        const { status, headers, text: body, json } = await raw(`/api/v1${path}`);
        if (path === list) expect([json.data, "included" in json]).toEqual([data, included]);
        expectConformance({ document: closedDocument({ assumptions }), method: "GET", path, status, headers, body });
      }
    }),
    {
      numRuns: caseCount(2),
      examples: [['{"":[],"a{parameter}":{status}}', '{"data":"{data}","date{prev}":1}', false]],
    },
  );
});

test.each([
  [
    "errors.body",
    'like:{"message":"{detial}"}',
    'there is no placeholder {detial}, expected {status}, {code}, {title}, {detail}, or {parameter}. Did you mean "{detail}"?',
  ],
  [
    "errors.body",
    "like:{message:1}",
    "expected a JSON object after like:, with each string and name in double quotes.",
  ],
  ["errors.body", 'like:["{detail}"]', "expected a JSON object after like:, not a list."],
  ["errors.body", 'like:{"\\u005f_proto__":{}}', 'expected no member "__proto__".'],
  ["errors.body", "like:{detail}", "expected a JSON object after like:, not a placeholder."],
  ["errors.body", `like:{"a":"${"x".repeat(2000)}"}`, "expected at most 2000 characters."],
  ["content_type", "*/*", "without a charset or with utf-8"],
  ["content_type", "application/*", "without a charset or with utf-8"],
  ["content_type", "application/json; charset=utf-16", "without a charset or with utf-8"],
  ["errors.body", 'lik:{"message":"{detail}"}', "or like: and a JSON object. {status}"],
  ["investor.middle_name", "nul", ': expected "", "null", or "absent". Did you mean "null"?'],
  ["list.document", 'like:{"items":"{data}"}', 'expected "data":"{data}" among its members (section 1).'],
  ["list.document", 'like:{"data":"{data}","all":["{data}"]}', "expected {data} once."],
  ["list.document", 'like:{"data":"{data}","included":[]}', "expected no included, which list.included adds."],
])("a template of %s is refused (%#)", (id, value, message) => {
  expect(() => parseAssumption(id, value)).toThrow(message);
});

test.each([
  [
    "errors.body",
    'like:{"a":[1.5e3,-0.25,123456789012345,true,0],"b":"1e999"}',
    'like:{"a":[1500,-0.25,123456789012345,true,0],"b":"1e999"}',
  ],
  ["errors.body", 'like:{"x{code}":1,"y":2}', 'like:{"x{code}":1,"y":2}'],
  ["content_type", 'application/json; Charset="UTF-8"; a=b', 'application/json; Charset="UTF-8"; a=b'],
])("%s = %s is stored in its normal form", (id, value, stored) => {
  expect(parseAssumption(id, value)).toEqual({ [id]: stored });
});

test("a template is one of several values on the command line, whatever its strings", () => {
  const template = 'like:{"message":"{detail}, code={code}","status":{status}}';
  expect(kind.read(`list.order=id,errors.body=${template},payment.statuses=pending,failed`)).toEqual({
    "list.order": "id",
    "errors.body": template,
    "payment.statuses": "pending,failed",
  });
});
