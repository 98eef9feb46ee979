import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { openAdmin } from "./admin.ts";

describe("an unknown member is refused by its name", () => {
  test.each([
    ["POST /environments", { fixtur: "demo" }, 'the environment has no member "fixtur"', 'Did you mean "fixture"?'],
    ["PUT /clock", { nwo: "2026-01-01T00:00:00.000Z" }, '"nwo"', 'Did you mean "now"?'],
    ["POST /clock/advance", { by: "1d", unit: "days" }, '"unit"', "expected one of by, to, "],
    ["POST /keys", { type: "partner", offering: "aurora" }, '"offering"', ""],
    ["POST /runs", { scenario: "closing", offering: "aurora" }, '"offering"', 'Did you mean "offering_id"?'],
    ["POST /investments", { amont: 5 }, '"amont"', 'Did you mean "amount"?'],
    ["PATCH /investments/x", { stpe: null }, '"stpe"', 'Did you mean "step"?'],
    ["POST /investments/x/events", { event: "PAYMENT", action: "APPROVED", when: "now" }, '"when"', ""],
    ["POST /faults", { respond: { status: 500, heders: {} } }, '"heders"', 'Did you mean "headers"?'],
    ["PUT /limits/x", { used: 1, limit: 5 }, '"limit"', "expected one of used."],
    ["PATCH /assumptions", { "errors.bdy": "empty" }, '"errors.bdy"', 'Did you mean "errors.body"?'],
    ["PUT /clock", '{"__proto__": {"speed": 1}}', '"__proto__"', ""],
    ["POST /reset", { hard: true }, "takes no body", ""],
    ["DELETE /faults", { id: "fault-1" }, "takes no body", ""],
  ])("%s %j", async (call, body, name, hint) => {
    const { admin, failures } = await openAdmin();
    const { status, json } = await admin(call, body);
    expect([status, json.code]).toEqual([400, "invalid"]);
    expect(json.detail).toContain(name);
    expect(json.detail).toContain(hint);
    expect(failures).toEqual([]);
  });
});

describe("a wrong value is refused with the expected form", () => {
  test.each([
    ["PUT /clock", "[]", "a list; expected an object"],
    ["PUT /clock", "null", "null; expected an object"],
    ["PUT /clock", '"now"', '"now"; expected an object'],
    ["POST /investments/x/events", { event: "\u0000", action: "B" }, "a word of up to 100 characters"],
    ["POST /investments/x/events", { event: "A", action: "a word" }, "a word of up to 100 characters"],
    ["PUT /clock", { speed: "fast" }, "expected a number from 0"],
    ["POST /keys", '"partner"', "expected an object"],
    ["POST /keys", {}, "type is missing"],
    ["POST /keys", undefined, "type is missing"],
    ["POST /clock/advance", {}, 'one of "by", a duration, and "to", an instant'],
    [
      "POST /clock/advance",
      { by: "1d", to: "2026-02-01T00:00:00.000Z" },
      'one of "by", a duration, and "to", an instant',
    ],
    ["POST /clock/advance", { by: true }, "expected a duration"],
    ["PATCH /assumptions", "[1]", "expected an object"],
    ["PATCH /assumptions", "null", "expected an object"],
    ["POST /runs", '"closing"', "expected an object"],
    ["PUT /snapshot", "null", "expected an object"],
    ["POST /investments", "7", "expected an object"],
    ["POST /faults", "[]", "expected an object"],
  ])("%s %j", async (call, body, message) => {
    const { admin, failures } = await openAdmin();
    const { status, json } = await admin(call, body);
    expect([status, json.code]).toEqual([400, "invalid"]);
    expect(json.detail).toContain(message);
    expect(failures).toEqual([]);
  });
});

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
      const answer = await admin(call, call.startsWith("GET") ? undefined : body);
      expect([call, answer.status >= 400, answer.text]).toEqual([
        call,
        true,
        expect.not.stringContaining(text.slice(0, 40)),
      ]);
    }
  }
});

test("the mistakes in a fixture have the lines of a body that is written in lines", async () => {
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

describe("a body that is not valid JSON", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json-seq",
    "application/yaml",
    "",
  ])("of the type %j is answered with 415", async (type) => {
    const { admin, sandbox } = await openAdmin();
    for (const call of ["PUT /clock", "POST /reset", "DELETE /faults"]) {
      const { status, json } = await admin(call, '{"speed": 5}', { headers: { "content-type": type } });
      expect([status, json.code]).toEqual([415, "media_type_unsupported"]);
    }
    expect((await sandbox.clock.get()).speed).toBe(0);
  });

  test.each([
    ["{speed: 1}", "line 1, column 2"],
    ['{\n  "speed": 1,\n}', "line 3, column 1"],
    ["", ""],
    ['{"speed": 1} more', "line 1, column 14"],
    ["// comment\n{}", "line 1, column 1"],
  ])("%j is answered with 400 and the place", async (body, place) => {
    const { admin } = await openAdmin();
    const { status, json } = await admin("PUT /clock", body);
    if (body === "") return expect(status).toBe(200);
    expect([status, json.code]).toEqual([400, "body_malformed"]);
    expect(json.detail).toContain(place);
  });

  test("is refused with 400 if it is not UTF-8", async () => {
    const { url } = (await openAdmin()).sandbox;
    const headers = { "content-type": "application/json" };
    const body = Buffer.from('{"now": "\u00e9"}', "latin1");
    const answer = await fetch(`${url}/__admin/clock`, { method: "PUT", headers, body });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, "body_malformed"]);
  });

  test("is accepted when nested a hundred deep, and refused deeper", async () => {
    const { admin } = await openAdmin();
    const nested = (depth: number): string =>
      `{"respond": {"status": 500, "body": ${"[".repeat(depth - 2)}${"]".repeat(depth - 2)}}}`;
    expect((await admin("POST /faults", nested(100))).status).toBe(201);
    const { status, json } = await admin("POST /faults", nested(101));
    expect([status, json.detail]).toEqual([400, "The body is nested more than 100 deep."]);
  });

  test.each([
    ["closed", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["not closed", "[".repeat(400_000)],
    ["in a fault", `{"respond": {"status": 500, "body": ${"[".repeat(5000)}${"]".repeat(5000)}}}`],
  ])("is refused with 400 when nested too deeply: %s", async (_, body) => {
    const { admin, failures } = await openAdmin();
    const { status, json } = await admin("POST /faults", body);
    expect([status, json.code]).toEqual([400, "body_malformed"]);
    expect(failures).toEqual([]);
  });

  test("is refused with 415 if it declares another charset or encoding", async () => {
    const { admin, failures } = await openAdmin();
    const types = { "content-type": "application/json; charset=klingon" };
    expect((await admin("PUT /clock", "{}", { headers: types })).status).toBe(415);
    expect((await admin("PUT /clock", "{}", { headers: { "content-encoding": "zip" } })).status).toBe(415);
    expect((await admin("PUT /clock", "{}", { headers: { "content-encoding": "gzip" } })).status).toBe(415);
    expect(failures).toEqual([]);
  });
});

test("a JSON body may declare its charset and begin with a byte order mark", async () => {
  const { admin } = await openAdmin();
  const headers = { "content-type": "Application/JSON; charset=UTF-8" };
  expect((await admin("PUT /clock", '\uFEFF{"speed": 2}', { headers })).json).toMatchObject({ speed: 2 });
});

describe("the text of a scenario file as a body", () => {
  const scenario = "description: One step.\nsteps:\n  - event: PAYMENT APPROVED\n";

  test.each(["application/yaml", "text/yaml", "text/yaml; charset=utf-8"])(
    "is checked and played as %s",
    async (type) => {
      const { admin } = await openAdmin();
      const headers = { "content-type": type };
      expect((await admin("POST /scenarios/check", scenario, { headers })).json).toMatchObject({ valid: true });
      const checked = await admin("POST /scenarios/check", `${scenario}  - wat: 1\n`, { headers });
      expect(checked.json).toMatchObject({ valid: false, mistakes: [{ line: 4, column: 5 }] });
      expect((await admin("POST /runs", scenario, { headers })).json).toMatchObject({ status: "finished" });
      const { status, json } = await admin("POST /runs", `${scenario}  - wat: 1\n`, { headers });
      expect([status, json.code]).toEqual([400, "invalid"]);
      expect(json.detail).toMatch(/:4:5: .*wat/);
    },
  );

  test("is refused by every other call", async () => {
    const { admin } = await openAdmin();
    const { status } = await admin("PUT /clock", "speed: 5", { headers: { "content-type": "application/yaml" } });
    expect(status).toBe(415);
  });
});

describe("the size of a body", () => {
  const megabyte = 1024 * 1024;
  const padded = (size: number): string => `{"speed": 1${" ".repeat(size - 12)}}`;

  test("may be 5 MB; more is refused with 413, declared or chunked", async () => {
    const { admin, sandbox } = await openAdmin();
    expect((await admin("PUT /clock", padded(5 * megabyte))).status).toBe(200);
    const { status, json } = await admin("PUT /clock", padded(5 * megabyte + 1));
    expect([status, json.code]).toEqual([413, "body_too_large"]);
    const chunked = await sendChunks(new URL(sandbox.url).port, "PUT /__admin/clock", 6 * megabyte);
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("may be 64 MB for a snapshot", async () => {
    const { admin, sandbox } = await openAdmin();
    const text = JSON.stringify(await sandbox.snapshot());
    expect((await admin("PUT /snapshot", text.padEnd(20 * megabyte))).status).toBe(200);
    expect((await admin("PUT /snapshot", text.padEnd(64 * megabyte + 1))).status).toBe(413);
  });
});

/** Sends a chunked body of undeclared length, and returns the raw answer. */
async function sendChunks(port: string, call: string, size: number): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => (answer += part));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
    socket.write(
      `${call} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = " ".repeat(0x10000);
    for (let sent = 0; sent < size; sent += chunk.length) socket.write(`10000\r\n${chunk}\r\n`);
    socket.end("0\r\n\r\n");
  });
}
