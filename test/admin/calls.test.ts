import { describe, expect, test } from "vitest";
import { adminOperations } from "../../src/control/operations.ts";
import { known, type Answer } from "../support/sandbox.ts";
import { openAdmin } from "./admin.ts";

test("every call answers as the OpenAPI document says, with and without the id of an environment", async () => {
  const { admin, sandbox } = await openAdmin({ rateLimit: 120 });
  await sandbox.openEnvironment({ id: "mine" });
  const coveredCalls = new Set<string>();
  const perform = async (call: string, body?: unknown): Promise<Pick<Answer, "status" | "json">> => {
    const { status, json } = await admin(call, body);
    coveredCalls.add(call.replace("/environments/mine", "").replace(/[\w-]{20,}|fault-\d+|run-\d+/, "{id}"));
    return { status, json };
  };
  expect(await perform("GET /environments")).toMatchObject({ status: 200, json: { data: [{}, { id: "mine" }] } });
  expect(await perform("POST /environments", { id: "other" })).toMatchObject({ status: 201, json: { id: "other" } });
  expect((await admin("DELETE /environments/other")).status).toBe(204);

  expect(await perform("POST /stop")).toMatchObject({ status: 403, json: { code: "refused" } });

  for (const at of ["/environments/mine", ""]) {
    expect((await admin("GET /environments/mine")).json).toMatchObject({ id: "mine", fixture: "known" });
    expect((await perform(`GET ${at}/clock`)).json).toEqual({ now: "2026-01-15T12:00:00.000Z", speed: 0 });
    expect((await perform(`PUT ${at}/clock`, { now: "2026-01-16T00:00:00.000Z" })).json.now).toMatch(/^2026-01-16/);
    expect((await perform(`GET ${at}/pulse?after=0`)).json).toMatchObject({
      next: null,
      journal: { last: 0, after: 0 },
    });
    expect((await perform(`GET ${at}/scenarios`)).status).toBe(200);
    expect((await perform(`GET ${at}/examples`)).json.data).toContainEqual(expect.objectContaining({ status: 404 }));
    const scenario = await perform(`GET ${at}/scenarios/closing`);
    expect(scenario).toMatchObject({
      status: 200,
      json: { name: "closing", subject: "a new investment of 5,000 in the first offering" },
    });
    coveredCalls.add("GET /scenarios/{id}");
    const checked = await perform(`POST ${at}/scenarios/check`, { steps: [{ event: "PAYMENT APPROVED" }] });
    expect(checked).toMatchObject({ status: 200, json: { valid: true } });
    const run = await perform(`POST ${at}/runs`, { scenario: { steps: [{ next: true, event: "PAYMENT APPROVED" }] } });
    expect(run).toMatchObject({ status: 201, json: { status: "waiting" } });
    const { json: runDetails } = await perform(`GET ${at}/runs/${run.json.id}`);
    expect(runDetails).toMatchObject({
      status: "waiting",
      repetitions: 1,
      script: { steps: [{ when: "on command" }] },
    });
    expect((await perform(`POST ${at}/runs/${run.json.id}/next`)).json).toMatchObject({ status: "finished" });
    expect((await perform(`DELETE ${at}/runs/${run.json.id}`)).json).toMatchObject({ id: run.json.id });
    expect((await perform(`GET ${at}/runs`)).json.data).toHaveLength(1);
    expect((await perform(`GET ${at}/timeline?run=${run.json.id}&limit=1`)).json.data).toHaveLength(1);
    expect((await perform(`GET ${at}/timeline/outline?buckets=1`)).json.buckets).toHaveLength(1);
    expect((await perform(`PUT ${at}/clock`, { now: "previous" })).json.taken_back).not.toEqual([]);
    expect((await perform(`POST ${at}/clock/advance`, { to: "next" })).json.applied).not.toEqual([]);
    expect((await perform(`POST ${at}/clock/advance`, { by: "2d" })).status).toBe(200);
    expect((await perform(`POST ${at}/clock/advance`, { to: "2026-02-01T00:00:00.000Z" })).json.applied).toEqual([]);

    expect((await perform(`POST ${at}/links`)).json).toMatchObject({ view_link: null });
    const key = await perform(`POST ${at}/keys`, { type: "partner", offering_id: known.aurora });
    expect(key).toMatchObject({ status: 201, json: { environment: at === "" ? "default" : "mine" } });
    expect((await perform(`GET ${at}/keys`)).json.data).toContainEqual(key.json);
    expect((await perform(`PUT ${at}/limits/${key.json.id}`, { used: 7 })).json).toMatchObject({ used: 7, limit: 120 });
    expect((await perform(`GET ${at}/limits`)).json.data).toContainEqual(expect.objectContaining({ used: 7 }));
    expect((await perform(`DELETE ${at}/limits`)).status).toBe(204);
    expect((await perform(`DELETE ${at}/keys/${key.json.id}`)).json).toMatchObject({ status: "revoked" });

    const created = await perform(`POST ${at}/investments`, { amount: 500, price: 10 });
    expect(created).toMatchObject({ status: 201, json: { amount: 500 } });
    const { id } = created.json;
    expect((await perform(`PATCH ${at}/investments/${id}`, { step: "SIGNERS" })).json).toMatchObject({
      step: "SIGNERS",
    });
    expect((await perform(`GET ${at}/investments/${id}`)).json).toMatchObject({ amount: 500, step: "SIGNERS" });
    const page = await perform(
      `GET ${at}/investments?search=${id}&offering_id=aurora&order=-number&limit=5&step=SIGNERS`,
    );
    expect(page.json).toMatchObject({ data: [{ id, amount: 500 }], total: 1, next: null });
    const event = await perform(`POST ${at}/investments/${id}/events`, { event: "PAYMENT", action: "APPROVED" });
    expect(event).toMatchObject({ status: 201, json: { description: null } });
    expect((await perform(`GET ${at}/timeline`)).json.data.length).toBeGreaterThan(3);
    const recorded = await perform(`POST ${at}/scenarios/record`, { from: "2026-01-15", investment_id: id });
    expect(recorded).toMatchObject({ status: 200, json: { text: expect.stringContaining("\nname: recorded\n") } });

    expect((await perform(`POST ${at}/faults`, { respond: { status: 503 } })).status).toBe(201);
    const fault = await perform(`POST ${at}/faults`, { delay: "1s", times: 1, match: { method: "HEAD" } });
    expect((await perform(`GET ${at}/faults`)).json.data).toHaveLength(2);
    expect((await perform(`DELETE ${at}/faults/${fault.json.id}`)).status).toBe(204);
    expect((await perform(`DELETE ${at}/faults`)).status).toBe(204);

    const secret = at === "" ? known.keys.partner : (await sandbox.environment("mine")).keys.partner;
    await fetch(`${sandbox.baseUrl}/investments/${id}`, { headers: { authorization: `Bearer ${secret}` } });
    const listed = await perform(`GET ${at}/requests?status=200&limit=1&path=/api/v1/investments/*`);
    expect(listed.json).toMatchObject({ data: [{ method: "GET" }], dropped: 0 });
    expect((await perform(`GET ${at}/requests/count?since=2026-01-31T00:00:00.000Z`)).json).toEqual({ count: 1 });
    const answer = await perform(`GET ${at}/requests/${listed.json.data[0].id}/answer`);
    expect(answer).toMatchObject({ status: 200, json: { status: 200, same: true } });
    coveredCalls.add("GET /requests/{id}/answer");
    const coverage = await perform(`GET ${at}/coverage?all=${at !== ""}`);
    expect(coverage).toMatchObject({ status: 200, json: { of: 52, risks: [] } });
    const replayed = await perform(`POST ${at}/replay`, { profile: "minimal", answers: true });
    expect(replayed).toMatchObject({ status: 200, json: { skipped: 0, entries: [{ method: "GET" }] } });
    expect((await perform(`DELETE ${at}/requests`)).status).toBe(204);

    const assumptions = await perform(`PATCH ${at}/assumptions`, { "list.default_size": 5 });
    expect(assumptions.json.data).toContainEqual(expect.objectContaining({ id: "list.default_size", value: 5 }));
    expect((await perform(`GET ${at}/assumptions`)).json).toEqual(assumptions.json);

    const previewed = await perform(`POST ${at}/preview`, { path: `/investments/${id}`, key_id: key.json.id });
    expect(previewed).toMatchObject({ status: 200, json: { status: 401, body: expect.stringContaining("revoked") } });
    const compared = await perform(`POST ${at}/comparison`, { investment_id: id, document: "events" });
    expect(compared).toMatchObject({ status: 200, json: { investment: { id }, path: `/investments/${id}/events` } });
    expect((await perform(`GET ${at}/offerings`)).json.data[0]).toMatchObject({
      alias: "aurora",
      statuses: { CLOSED: 1 },
    });

    const snapshot = await perform(`GET ${at}/snapshot`);
    expect((await perform(`POST ${at}/reset`)).json).toMatchObject({ runs: [] });
    expect((await perform(`PUT ${at}/snapshot`, snapshot.json)).json.runs).toHaveLength(1);
  }
  for (const path of ["/health", "/health?probe=1"]) {
    expect((await admin(`GET ${path}`)).json).toMatchObject({ status: "ok" });
  }
  expect((await admin("GET /openapi.json")).json).toMatchObject({ openapi: "3.1.1" });

  const described = Object.values(adminOperations).filter(({ path }) =>
    path.startsWith("/environments/{environment}/"),
  );
  const calls = described.map(({ method, path }) => `${method} ${path.replace("/environments/{environment}", "")}`);
  expect(calls.filter((call) => ![...coveredCalls].some((covered) => covered.replace(/\?.*/, "") === call))).toEqual(
    [],
  );
});

test("HEAD answers as GET does, without a body", async () => {
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

test("the body of a GET is not read", async () => {
  const { admin } = await openAdmin();
  const { status, json } = await admin("GET /clock", "{{", { headers: { "content-type": "text/plain" } });
  expect([status, json.speed]).toEqual([200, 0]);
});

test("no answer may be cached, and each names the sandbox's version", async () => {
  const { admin } = await openAdmin();
  expect((await admin("GET /keys")).headers).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "sandbox-version": expect.any(String),
  });
});

describe("an unknown method", () => {
  test.each([
    ["POST /clock", "GET, HEAD, PUT"],
    ["DELETE /environments", "GET, HEAD, POST"],
    ["GET /reset", "POST"],
    ["GET /faults/fault-1", "DELETE"],
    ["PUT /environments/default", "GET, HEAD, DELETE"],
    ["POST /health", "GET, HEAD"],
    ["DELETE /openapi.json", "GET, HEAD"],
    ["OPTIONS /clock", "GET, HEAD, PUT"],
  ])("%s is refused with 405 and the allowed ones: %s", async (call, allow) => {
    const { admin } = await openAdmin();
    const { status, headers, json } = await admin(call);
    expect([status, headers["allow"], json.code]).toEqual([405, allow, "method_not_allowed"]);
    expect(json.detail.replace(/,? and/, ",")).toMatch(new RegExp(`^This path takes ${allow}\\.$`));
  });

  test("no call that changes something is a GET", async () => {
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

describe("an unknown path", () => {
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
  ])("%s is refused with 404", async (path, hint) => {
    const { admin } = await openAdmin();
    const { status, json } = await admin(`GET ${path}`);
    expect([status, json.code]).toEqual([404, "path_not_found"]);
    const message = `There is no such path in the admin API.${hint && ` ${hint}`} /__admin/openapi.json lists them.`;
    expect(json.detail).toBe(message);
  });

  test("encoded names in a path are decoded", async () => {
    const { admin } = await openAdmin();
    expect((await admin("GET /environments/%64efault/clock")).status).toBe(200);
    expect((await admin("DELETE /faults/a%2Fb")).json).toMatchObject({ status: 404, code: "not_found" });
    expect((await admin("GET /environments/nobody/clock")).json).toMatchObject({ status: 404, code: "not_found" });
    expect((await admin("GET /environments/__proto__/clock")).json).toMatchObject({ status: 404, code: "not_found" });
  });
});

describe("wrong query parameters", () => {
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
  ])("%s is refused", async (path, message) => {
    const { admin } = await openAdmin();
    const { status, json } = await admin(`GET ${path}`);
    expect(status).toBe(400);
    expect(json.detail).toContain(message);
  });
});

test("dropping the default environment is refused", async () => {
  const { admin } = await openAdmin();
  expect((await admin("DELETE /environments/default")).json).toMatchObject({ status: 403, code: "refused" });
  expect((await admin("GET /environments/default")).status).toBe(200);
});
