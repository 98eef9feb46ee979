import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/admin/request.ts";
import { openAdmin } from "./admin.ts";

test("a refusal never repeats the text of a key", async () => {
  const customKey = `own-${"k3y".repeat(30)}`;
  const fixture = { offerings: [{ alias: "only" }], keys: [{ type: "partner", offering: "only", key: customKey }] };
  const { admin, sandbox } = await openAdmin({ fixture, clock: "2026-01-15T12:00:00.000Z" });
  const { id } = await sandbox.investments.create({ amount: 50 });
  const calls = (text: string): [call: string, body: object | string][] => [
    [`PATCH /investments/${id}`, { amount: text }],
    [`PATCH /investments/${id}`, { status: `x ${text}`, [text]: 1 }],
    ["POST /investments", { investors: [{ [text]: text }], create_date: text }],
    ["POST /faults", { match: { key_id: [text] }, delay: text }],
    ["POST /faults", { connection: text }],
    ["POST /environments", { fixture: text, profile: text, clock: text, [text]: text }],
    ["POST /keys", { type: text, offering_id: text, label: text }],
    ["POST /runs", { scenario: text }],
    ["POST /runs", { scenario: { steps: [{ event: text, at: text }], [text]: 1 } }],
    ["PATCH /assumptions", { [text]: text }],
    ["PATCH /assumptions", { "list.order": text }],
    ["PUT /clock", { now: text }],
    ["PUT /clock", `{"now": ${text}}`],
    [`PUT /limits/x${encodeURIComponent(text)}`, { used: 1 }],
    ["POST /runs", { scenario: "closing", investment_id: text, offering_id: text }],
    [`GET /requests?code=${text}&status=${text}&${text}=1`, {}],
  ];
  for (const text of [customKey, sandbox.keys.partner, "sandbox_marketing_0123456789abcdef"]) {
    for (const [call, body] of calls(text)) {
      const response = await admin(call, call.startsWith("GET") ? undefined : body);
      expect([call, response.status >= 400, response.text]).toEqual([
        call,
        true,
        expect.not.stringContaining(text.slice(0, 40)),
      ]);
    }
  }
});

test("a call that takes no body accepts null and refuses a list", async () => {
  const { admin, sandbox } = await openAdmin();
  const { id: fault } = await sandbox.faults.add({ delay: "1m" });
  const { id: environment } = await sandbox.openEnvironment();
  const calls = [
    `DELETE /faults/${fault}`,
    "DELETE /limits",
    "DELETE /requests",
    `DELETE /environments/${environment}`,
    "POST /reset",
  ];
  for (const call of calls) {
    const { status } = await admin(call, "[]");
    expect([call, status]).toEqual([call, 400]);
    const response = await admin(call, "null");
    expect([call, response.status < 300]).toEqual([call, true]);
  }
});

test("an error in a fixture has its line and column if the body has several lines", async () => {
  const { admin } = await openAdmin();
  const open = async (body: string): Promise<unknown> => (await admin("POST /environments", body)).json.detail;
  const fixture = (nl: string): string =>
    `{${nl}"offerings": [{${nl}  "nmae": "One",${nl}  "investments": [{ "amount": -1 }] }]${nl}}`;
  expect(await open(`{ "label": "mine",\n  "fixture": ${fixture("\n")} }\n`)).toBe(
    'fixture:4:3: offerings[0] has no member "nmae". Did you mean "name"?\n' +
      "fixture:5:31: offerings[0].investments[0].amount is -1; expected an amount of 0 or more.",
  );
  expect(await open(`{"fixture": ${fixture("")}}\n`)).toMatch(/^fixture: offerings\[0\] has no member "nmae"/);
});

test("a number that JavaScript cannot hold is refused with its line and column", async () => {
  const { admin } = await openAdmin();
  const body = '{ "respond": {\n "status": 503, "body": { "id": 12345678901234567890 } } }';
  expect((await admin("POST /faults", body)).json).toMatchObject({
    code: "body_malformed",
    detail: "The body has a number that JavaScript cannot hold: see line 2, column 33.",
  });
  const investment = '{ "offering_id": "x", "amount": 1e400 }';
  expect((await admin("POST /investments", investment)).json).toMatchObject({ code: "body_malformed" });
});

describe("a body is JSON in UTF-8", () => {
  test.each([
    [" Application/JSON ; charset=UTF8", {}],
    ["application/json;charset=utf-8; profile=x", {}],
    ['application/json; Charset="utf-8"', {}],
    ["application/json", { "content-encoding": "identity" }],
  ])(
    "with the type %j and the headers %j it is read, without a leading byte order mark",
    async (type, headersOfRequest) => {
      const { admin } = await openAdmin();
      const headers = { "content-type": type, ...headersOfRequest };
      expect((await admin("PUT /clock", '\uFEFF{"speed": 2}', { headers })).json).toMatchObject({ speed: 2 });
    },
  );

  test("bytes that are not UTF-8 are refused with 400", async () => {
    const { url } = (await openAdmin()).sandbox;
    const headers = { "content-type": "application/json" };
    const body = Buffer.from('{"now": "\u00e9"}', "latin1");
    const response = await fetch(`${url}/__admin/clock`, { method: "PUT", headers, body });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "body_malformed", detail: "The body is not UTF-8." },
    ]);
  });
});

/** Returns a list of equal strings. */
function list(values: number, text = "0"): string {
  return `[${Array.from({ length: values }, () => text).join()}]`;
}

const notJson = "The body is not JSON";
const filler = "x".repeat(150_000);

describe("the JSON of a body", () => {
  test.each([
    ["many values", list(49_999), false],
    ["the very many values of a snapshot", list(60_000, "null"), true],
    ["depth", `${"[".repeat(100)}${"]".repeat(100)}`, false],
    ["members of the same name in several objects", `[{"a":{"a":1}},{"a":"\\"a\\":"}]`, false],
  ])("may have %s", async (_, text, isSnapshot) => {
    expect(JSON.stringify(await parseJson(text, isSnapshot))).toBe(text);
  });

  test.each([
    ["more values", list(50_000), false, "The body has more than 50,000 values."],
    ["the values of a snapshot in too few letters", list(60_000), true, "The body has more than 50,000 values."],
    ["more depth", `${"[".repeat(101)}${"]".repeat(101)}`, false, "The body is nested more than 100 deep."],
    ["depth that would exhaust the stack", "[".repeat(400_000), false, "The body is nested more than 100 deep."],
    ["an end that comes too early", `{"a": 1`, false, `${notJson}: see line 1, column 8.`],
    ["a string without end", `{\n"a": "b`, false, `${notJson}: see line 2, column 6.`],
    ["several errors", `{\n"a" 1,\n"b" 2}`, false, `${notJson}: see line 2, column 5.`],
    ["an error before a long string", `{"a" 1, "b": "${filler}"}`, false, `${notJson}: see line 1, column 6.`],
    ["an error after a long string", `{"b": "${filler}", "a" 1}`, false, `${notJson}.`],
    ["an error after many strings", `[${'"a",\n'.repeat(30_000)} b]`, false, `${notJson}.`],
  ])("is refused for %s", async (_, text, isSnapshot, message) => {
    await expect(parseJson(text, isSnapshot)).rejects.toMatchObject({ status: 400, code: "body_malformed", message });
  });
});

describe("the text of a scenario file as a body", () => {
  const scenario = "description: One step.\nsteps:\n  - event: PAYMENT APPROVED\n";

  test.each(["application/yaml", "text/yaml", "text/yaml; charset=utf-8"])(
    "is checked and played as %s",
    async (type) => {
      const { admin } = await openAdmin();
      const headers = { "content-type": type };
      expect((await admin("POST /scenarios/check", scenario, { headers })).json).toMatchObject({ valid: true });
      const checkResponse = await admin("POST /scenarios/check", `${scenario}  - wat: 1\n`, { headers });
      expect(checkResponse.json).toMatchObject({ valid: false, errors: [{ line: 4, column: 5 }] });
      expect((await admin("POST /runs", scenario, { headers })).json).toMatchObject({ status: "finished" });
      const { status, json } = await admin("POST /runs", `${scenario}  - wat: 1\n`, { headers });
      expect([status, json.code]).toEqual([400, "invalid"]);
      expect(json.detail).toMatch(/:4:5: .*wat/);
    },
  );
});
