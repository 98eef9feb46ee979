import { expect, test } from "vitest";
import { adminOperations } from "../../src/control/operations.ts";
import { known } from "../support/sandbox.ts";
import { openAdmin } from "./admin.ts";

const event = { event: "PAYMENT", action: "APPROVED" };
const anyValue = expect.anything() as unknown;

/**
 * Calls in order, with body and response. A name in braces is the id in the last response of its kind: `{keys}` is the
 * id of a key. test/control tests what commands do; here: bodies and parameters arrive, and responses are documented.
 */
const calls: readonly (readonly [call: string, body?: unknown, response?: unknown])[] = [
  ["GET ", undefined, { fixture: "known" }],
  ["GET /clock", undefined, { now: "2026-01-15T12:00:00.000Z", speed: 0 }],
  ["PUT /clock", { now: "2026-01-16T00:00:00.000Z" }, { now: "2026-01-16T00:00:00.000Z" }],
  ["GET /pulse?after=0", undefined, { next: null, journal: { last: 0, after: 0 } }],
  ["GET /scenarios"],
  ["GET /examples", undefined, { data: expect.arrayContaining([expect.objectContaining({ status: 404 })]) }],
  ["GET /scenarios/closing", undefined, { subject: "a new investment of 5,000 in the first offering" }],
  ["POST /scenarios/check", { steps: [event] }, { valid: false }],
  ["POST /runs", { scenario: { steps: [{ next: true, event: "PAYMENT APPROVED" }] } }, { status: "waiting" }],
  ["GET /runs/{runs}", undefined, { repetitions: 1, script: { steps: [{ when: "on command" }] } }],
  ["POST /runs/{runs}/next", undefined, { status: "finished" }],
  ["DELETE /runs/{runs}"],
  ["GET /runs", undefined, { data: [anyValue] }],
  ["GET /timeline?run={runs}&limit=1", undefined, { data: [anyValue] }],
  ["GET /timeline/histogram?buckets=1", undefined, { buckets: [anyValue] }],
  ["PUT /clock", { now: "previous" }, { undone: [anyValue, anyValue] }],
  ["POST /clock/advance", { to: "next" }, { applied: [anyValue, anyValue] }],
  ["POST /clock/advance", { by: "2d" }],
  ["POST /clock/undo", {}, { undone: [] }],
  ["POST /clock/advance", { to: "2026-02-01T00:00:00.000Z" }, { applied: [] }],
  ["POST /links", undefined, { view_link: null }],
  ["POST /keys", { type: "partner", offering_id: known.aurora }, { type: "partner" }],
  ["GET /keys", undefined, { data: expect.arrayContaining([expect.objectContaining({ label: null })]) }],
  ["PUT /limits/{keys}", { used: 7 }, { used: 7, limit: 120 }],
  ["GET /limits", undefined, { data: expect.arrayContaining([expect.objectContaining({ used: 7 })]) }],
  ["DELETE /limits"],
  ["DELETE /keys/{keys}", undefined, { status: "revoked" }],
  ["POST /investments", { amount: 500, price: 10 }, { amount: 500 }],
  ["PATCH /investments/{investments}", { step: "SIGNERS" }, { step: "SIGNERS" }],
  ["GET /investments/{investments}", undefined, { amount: 500, step: "SIGNERS" }],
  [
    "GET /investments?search={investments}&offering_id=aurora&order=-number&limit=5&step=SIGNERS",
    undefined,
    { data: [{ amount: 500 }], total: 1, next: null },
  ],
  ["POST /investments/{investments}/events", event, { description: null }],
  ["GET /timeline"],
  [
    "POST /scenarios/record",
    { from: "2026-01-15", investment_id: "{investments}" },
    { text: expect.stringContaining("\nname: recorded\n") },
  ],
  ["POST /scenarios", { name: "mine", steps: [{ sign: "all" }] }, { name: "mine", saved: true }],
  ["DELETE /scenarios/mine"],
  ["POST /faults", { respond: { status: 503 } }],
  ["POST /faults", { delay: "1s", times: 1, match: { method: "HEAD" } }],
  ["GET /faults", undefined, { data: [anyValue, anyValue] }],
  ["DELETE /faults/{faults}"],
  ["DELETE /faults"],
  ["GET of the service"],
  ["GET /requests?status=200&limit=1&path=/api/v1/investments/*", undefined, { data: [{ id: 1 }], dropped: 0 }],
  ["GET /requests/count?since=2026-01-31T00:00:00.000Z", undefined, { count: 1 }],
  ["GET /requests/1/response", undefined, { status: 200, same: true }],
  ["GET /coverage?all=false", undefined, { total: 26, risks: [] }],
  ["POST /replay", { profile: "minimal", responses: true }, { skipped: 0, entries: [{ method: "GET" }] }],
  ["DELETE /requests"],
  [
    "PATCH /assumptions",
    { "list.default_size": 5 },
    { data: expect.arrayContaining([expect.objectContaining({ id: "list.default_size", value: 5 })]) },
  ],
  ["GET /assumptions"],
  [
    "POST /preview",
    { path: "/investments/{investments}", key_id: "{keys}" },
    { status: 401, body: expect.stringContaining("revoked") },
  ],
  ["POST /comparison", { investment_id: "{investments}", document: "events" }, { investment: anyValue }],
  ["GET /offerings", undefined, { data: [{ alias: "aurora", statuses: { CLOSED: 1 } }, {}, {}] }],
  ["GET /snapshot"],
  ["POST /reset", undefined, { runs: [] }],
  ["PUT /snapshot", "{snapshot}", { runs: [anyValue] }],
];

test.each(["", "/environments/mine"])(
  "every call below /__admin%s responds as the OpenAPI document says",
  async (basePath) => {
    const { admin, sandbox } = await openAdmin({ rateLimit: 120 });
    const environment = basePath === "" ? sandbox : await sandbox.openEnvironment({ id: "mine" });
    const ids: Record<string, string> = {};
    const fillIds = (text: string): string =>
      text.replaceAll(/\{(\w+)\}/g, (placeholder, kind: string) => ids[kind] ?? placeholder);
    const called = new Set<string>();
    for (const [call, body, response = {}] of calls) {
      if (call === "GET of the service") {
        const headers = { authorization: `Bearer ${environment.keys.partner}` };
        await fetch(fillIds(`${sandbox.baseUrl}/investments/{investments}`), { headers });
        continue;
      }
      const [method, path = ""] = call.split(" ");
      const root = basePath === "" && path === "" ? "/environments/default" : basePath;
      const bodyText = body === undefined ? undefined : fillIds(typeof body === "string" ? body : JSON.stringify(body));
      const { status, json, text } = await admin(`${method} ${root}${fillIds(path)}`, bodyText);
      expect([call, status < 300, text && json]).toMatchObject([call, true, text && response]);
      if (path === "/snapshot") ids["snapshot"] = text;
      else if (method === "POST") ids[path.slice(1)] = json?.id;
      called.add(call.replace(/\?.*/, "").replace(/\{\w+\}|(?<=scenarios\/)(?:closing|mine)|(?<=requests\/)1/, "{id}"));
    }
    const environmentOperations = Object.values(adminOperations).filter(({ path }) =>
      path.startsWith("/environments/{environment}/"),
    );
    const documentedCalls = environmentOperations.map(
      ({ method, path }) => `${method} ${path.replace("/environments/{environment}", "")}`,
    );
    expect(documentedCalls.filter((call) => !called.has(call))).toEqual([]);
  },
);

test("calls of the whole server respond as the OpenAPI document says", async () => {
  const { admin } = await openAdmin();
  const options = { id: "other", rate_limit: 7, ttl_seconds: "2h" };
  expect((await admin("POST /environments", options)).json).toMatchObject({ id: "other", rate_limit: 7 });
  expect((await admin("GET /environments/%64efault/clock")).status).toBe(200);
  expect((await admin("GET /environments")).json).toMatchObject({ data: [{}, { id: "other" }] });
  expect((await admin("GET /coverage?all=true")).status).toBe(200);
  expect((await admin("DELETE /environments/other")).status).toBe(204);
  expect((await admin("GET /openapi.json")).json).toMatchObject({ openapi: "3.1.1" });
  for (const path of ["/health", "/health?probe=1"])
    expect((await admin(`GET ${path}`)).json).toMatchObject({ status: "ok" });
});

test("HEAD responds as GET does, without a body", async () => {
  const { admin } = await openAdmin();
  for (const path of ["/clock", "/environments", "/environments/default", "/health", "/openapi.json", "/requests"]) {
    const head = await admin(`HEAD ${path}`);
    const get = await admin(`GET ${path}`);
    expect(head.status).toBe(200);
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  }
  expect((await admin("HEAD /reset")).status).toBe(405);
});
