import { describe, expect, test } from "vitest";
import { adminOperations } from "../../src/control/operations.ts";
import { known, type Answer } from "../support/sandbox.ts";
import { openAdmin } from "./admin.ts";

test("every call answers as the OpenAPI document says, of an environment by its id and of the default one without", async () => {
  const { admin, sandbox } = await openAdmin({ rateLimit: 120 });
  await sandbox.openEnvironment({ id: "mine" });
  const called = new Set<string>();
  const done = async (call: string, body?: unknown): Promise<Pick<Answer, "status" | "json">> => {
    const { status, json } = await admin(call, body);
    called.add(call.replace("/environments/mine", "").replace(/[\w-]{20,}|fault-\d+|run-\d+/, "{id}"));
    return { status, json };
  };
  expect(await done("GET /environments")).toMatchObject({ status: 200, json: { data: [{}, { id: "mine" }] } });
  expect(await done("POST /environments", { id: "other" })).toMatchObject({ status: 201, json: { id: "other" } });
  expect((await admin("DELETE /environments/other")).status).toBe(204);

  expect(await done("POST /stop")).toMatchObject({ status: 403, json: { code: "refused" } });

  for (const at of ["/environments/mine", ""]) {
    expect((await admin("GET /environments/mine")).json).toMatchObject({ id: "mine", fixture: "known" });
    expect((await done(`GET ${at}/clock`)).json).toEqual({ now: "2026-01-15T12:00:00.000Z", speed: 0 });
    expect((await done(`PUT ${at}/clock`, { now: "2026-01-16T00:00:00.000Z" })).json.now).toMatch(/^2026-01-16/);
    expect((await done(`GET ${at}/pulse?after=0`)).json).toMatchObject({ next: null, journal: { last: 0, after: 0 } });
    expect((await done(`GET ${at}/scenarios`)).status).toBe(200);
    expect((await done(`GET ${at}/examples`)).json.data).toContainEqual(expect.objectContaining({ status: 404 }));
    const shown = await done(`GET ${at}/scenarios/closing`);
    expect(shown).toMatchObject({
      status: 200,
      json: { name: "closing", subject: "a new investment of 5,000 in the first offering" },
    });
    called.add("GET /scenarios/{id}");
    const checked = await done(`POST ${at}/scenarios/check`, { steps: [{ event: "PAYMENT APPROVED" }] });
    expect(checked).toMatchObject({ status: 200, json: { valid: true } });
    const run = await done(`POST ${at}/runs`, { scenario: { steps: [{ next: true, event: "PAYMENT APPROVED" }] } });
    expect(run).toMatchObject({ status: 201, json: { status: "waiting" } });
    const { json: told } = await done(`GET ${at}/runs/${run.json.id}`);
    expect(told).toMatchObject({ status: "waiting", repetitions: 1, script: { steps: [{ when: "on command" }] } });
    expect((await done(`POST ${at}/runs/${run.json.id}/next`)).json).toMatchObject({ status: "finished" });
    expect((await done(`DELETE ${at}/runs/${run.json.id}`)).json).toMatchObject({ id: run.json.id });
    expect((await done(`GET ${at}/runs`)).json.data).toHaveLength(1);
    expect((await done(`GET ${at}/timeline?run=${run.json.id}&limit=1`)).json.data).toHaveLength(1);
    expect((await done(`GET ${at}/timeline/outline?buckets=1`)).json.buckets).toHaveLength(1);
    expect((await done(`PUT ${at}/clock`, { now: "previous" })).json.taken_back).not.toEqual([]);
    expect((await done(`POST ${at}/clock/advance`, { to: "next" })).json.applied).not.toEqual([]);
    expect((await done(`POST ${at}/clock/advance`, { by: "2d" })).status).toBe(200);
    expect((await done(`POST ${at}/clock/advance`, { to: "2026-02-01T00:00:00.000Z" })).json.applied).toEqual([]);

    const key = await done(`POST ${at}/keys`, { type: "partner", offering_id: known.aurora });
    expect(key).toMatchObject({ status: 201, json: { environment: at === "" ? "default" : "mine" } });
    expect((await done(`GET ${at}/keys`)).json.data).toContainEqual(key.json);
    expect((await done(`PUT ${at}/limits/${key.json.id}`, { used: 7 })).json).toMatchObject({ used: 7, limit: 120 });
    expect((await done(`GET ${at}/limits`)).json.data).toContainEqual(expect.objectContaining({ used: 7 }));
    expect((await done(`DELETE ${at}/limits`)).status).toBe(204);
    expect((await done(`DELETE ${at}/keys/${key.json.id}`)).json).toMatchObject({ status: "revoked" });

    const created = await done(`POST ${at}/investments`, { amount: 500, price: 10 });
    expect(created).toMatchObject({ status: 201, json: { amount: 500 } });
    const { id } = created.json;
    expect((await done(`PATCH ${at}/investments/${id}`, { step: "SIGNERS" })).json).toMatchObject({ step: "SIGNERS" });
    expect((await done(`GET ${at}/investments/${id}`)).json).toMatchObject({ amount: 500, step: "SIGNERS" });
    const found = await done(
      `GET ${at}/investments?search=${id}&offering_id=aurora&order=-number&limit=5&step=SIGNERS`,
    );
    expect(found.json).toMatchObject({ data: [{ id, amount: 500 }], total: 1, next: null });
    const event = await done(`POST ${at}/investments/${id}/events`, { event: "PAYMENT", action: "APPROVED" });
    expect(event).toMatchObject({ status: 201, json: { description: null } });
    expect((await done(`GET ${at}/timeline`)).json.data.length).toBeGreaterThan(3);

    expect((await done(`POST ${at}/faults`, { respond: { status: 503 } })).status).toBe(201);
    const fault = await done(`POST ${at}/faults`, { delay: "1s", times: 1, match: { method: "HEAD" } });
    expect((await done(`GET ${at}/faults`)).json.data).toHaveLength(2);
    expect((await done(`DELETE ${at}/faults/${fault.json.id}`)).status).toBe(204);
    expect((await done(`DELETE ${at}/faults`)).status).toBe(204);

    const secret = at === "" ? known.keys.partner : (await sandbox.environment("mine")).keys.partner;
    await fetch(`${sandbox.baseUrl}/investments/${id}`, { headers: { authorization: `Bearer ${secret}` } });
    const listed = await done(`GET ${at}/requests?status=200&limit=1&path=/api/v1/investments/*`);
    expect(listed.json).toMatchObject({ data: [{ method: "GET" }], dropped: 0 });
    expect((await done(`GET ${at}/requests/count?since=2026-01-31T00:00:00.000Z`)).json).toEqual({ count: 1 });
    expect((await done(`DELETE ${at}/requests`)).status).toBe(204);

    const assumptions = await done(`PATCH ${at}/assumptions`, { "list.default_size": 5 });
    expect(assumptions.json.data).toContainEqual(expect.objectContaining({ id: "list.default_size", value: 5 }));
    expect((await done(`GET ${at}/assumptions`)).json).toEqual(assumptions.json);

    const previewed = await done(`POST ${at}/preview`, { path: `/investments/${id}`, key_id: key.json.id });
    expect(previewed).toMatchObject({ status: 200, json: { status: 401, body: expect.stringContaining("revoked") } });
    expect((await done(`GET ${at}/offerings`)).json.data[0]).toMatchObject({
      alias: "aurora",
      statuses: { CLOSED: 1 },
    });

    const snapshot = await done(`GET ${at}/snapshot`);
    expect((await done(`POST ${at}/reset`)).json).toMatchObject({ runs: [] });
    expect((await done(`PUT ${at}/snapshot`, snapshot.json)).json.runs).toHaveLength(1);
  }
  for (const path of ["/health", "/health?probe=1"]) {
    expect((await admin(`GET ${path}`)).json).toMatchObject({ status: "ok" });
  }
  expect((await admin("GET /openapi.json")).json).toMatchObject({ openapi: "3.1.1" });

  const described = Object.values(adminOperations).filter(({ path }) =>
    path.startsWith("/environments/{environment}/"),
  );
  const calls = described.map(({ method, path }) => `${method} ${path.replace("/environments/{environment}", "")}`);
  expect(calls.filter((call) => ![...called].some((made) => made.replace(/\?.*/, "") === call))).toEqual([]);
});

test("HEAD is answered as GET, without a body", async () => {
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

test("nobody reads the body of a GET", async () => {
  const { admin } = await openAdmin();
  const { status, json } = await admin("GET /clock", "{{", { headers: { "content-type": "text/plain" } });
  expect([status, json.speed]).toEqual([200, 0]);
});

test("answers are not kept by anybody, and name the sandbox's version", async () => {
  const { admin } = await openAdmin();
  expect((await admin("GET /keys")).headers).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "sandbox-version": expect.any(String),
  });
});

describe("methods", () => {
  test.each([
    ["POST /clock", "GET, HEAD, PUT"],
    ["DELETE /environments", "GET, HEAD, POST"],
    ["GET /reset", "POST"],
    ["GET /faults/fault-1", "DELETE"],
    ["PUT /environments/default", "GET, HEAD, DELETE"],
    ["POST /health", "GET, HEAD"],
    ["DELETE /openapi.json", "GET, HEAD"],
    ["OPTIONS /clock", "GET, HEAD, PUT"],
  ])("%s is answered with 405, and what there is: %s", async (call, allow) => {
    const { admin } = await openAdmin();
    const { status, headers, json } = await admin(call);
    expect([status, headers["allow"], json.code]).toEqual([405, allow, "method_not_allowed"]);
    expect(json.detail.replace(/,? and/, ",")).toMatch(new RegExp(`^This path takes ${allow}\\.$`));
  });

  test("what changes anything is never a GET", async () => {
    const { admin, sandbox } = await openAdmin();
    const before = await sandbox.snapshot();
    for (const { path } of Object.values(adminOperations)) {
      const filled = path.replace("{environment}", "default").replace("{id}", known.whole);
      expect((await admin(`GET ${filled}`)).status).toBeLessThan(500);
      expect((await admin(`HEAD ${filled}`)).status).toBeLessThan(500);
    }
    expect(await sandbox.snapshot()).toEqual(before);
  });
});

describe("paths", () => {
  test.each([
    ["/nothing", ""],
    ["/clok", 'Did you mean "clock"?'],
    ["/environments/default/faluts", 'Did you mean "faults"?'],
    ["/", ""],
    ["/clock/", ""],
    ["//clock", ""],
    ["/Clock", 'Did you mean "clock"?'],
    ["/environments/", ""],
    ["/environments/default/", ""],
    ["/environments/default/health", ""],
    ["/keys/%zz", ""],
    ["/environments/%E0%A4%A/clock", ""],
    ["/keys/", ""],
    ["/../clock", ""],
    ["/faults/a/b", ""],
    ["/nothing/default/faluts", ""],
    ["/environments/default/clock/now", ""],
  ])("%s is answered with 404", async (path, hint) => {
    const { admin } = await openAdmin();
    const { status, json } = await admin(`GET ${path}`);
    expect([status, json.code]).toEqual([404, "path_not_found"]);
    const words = `There is no such path in the admin API.${hint && ` ${hint}`} /__admin/openapi.json lists them.`;
    expect(json.detail).toBe(words);
  });

  test("names in a path are decoded", async () => {
    const { admin } = await openAdmin();
    expect((await admin("GET /environments/%64efault/clock")).status).toBe(200);
    expect((await admin("DELETE /faults/a%2Fb")).json).toMatchObject({ status: 404, code: "not_found" });
    expect((await admin("GET /environments/nobody/clock")).json).toMatchObject({ status: 404, code: "not_found" });
    expect((await admin("GET /environments/__proto__/clock")).json).toMatchObject({ status: 404, code: "not_found" });
  });
});

describe("query parameters", () => {
  test.each([
    ["/requests?stauts=200", 'Did you mean "status"?'],
    ["/requests?limit=many", "limit: expected a whole number"],
    ["/requests?limit=", "limit: expected a whole number"],
    ["/requests?limit=-1", "limit: expected a whole number"],
    ["/requests?status=200&status=201", "status is given more than once"],
    ["/requests?since=yesterday", "since: expected an instant"],
    ["/requests/count?nonsense", "There are path, method, status, code, key_id, since, after, limit."],
    ["/requests?__proto__=1", "no such parameter"],
    ["/clock?now=2026-01-01", "takes none"],
    ["/timeline?form=2026-01-01", 'Did you mean "from"?'],
    ["/timeline/outline?buckets=1001", "buckets: expected a whole number from 1 to 1000"],
    ["/pulse?after=-1", "after: expected a whole number"],
    ["/environments?limit=1", "There is summary"],
    ["/environments?summary=maybe", "summary: expected"],
  ])("%s is refused", async (path, words) => {
    const { admin } = await openAdmin();
    const { status, json } = await admin(`GET ${path}`);
    expect(status).toBe(400);
    expect(json.detail).toContain(words);
  });
});

test("the default environment cannot be dropped", async () => {
  const { admin } = await openAdmin();
  expect((await admin("DELETE /environments/default")).json).toMatchObject({ status: 403, code: "refused" });
  expect((await admin("GET /environments/default")).status).toBe(200);
});
