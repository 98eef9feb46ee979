import { expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";
import { parseMetrics } from "../support/parse-metrics.ts";
import { openAdmin } from "./admin.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("metrics count requests by route and status from the start, limits, faults and environments", async () => {
  const { sandbox, raw } = await openSandbox({ rateLimit: 2 });
  const investmentPath = `/api/v1/investments/${known.whole}`;
  const statuses = [];
  for (let round = 0; round < 3; round++) statuses.push((await raw(investmentPath)).status);
  expect(statuses).toEqual([200, 200, 429]);
  const environment = await sandbox.openEnvironment({ id: "mine" });
  await environment.faults.add({ respond: { status: 503 }, times: 1 });
  expect((await raw(investmentPath, { key: environment.keys.partner })).status).toBe(503);
  const { samples, types } = parseMetrics((await raw("/__admin/metrics", { key: null })).text);
  const route = '"/api/v1/investments/{id}"';
  const count = (status: number) =>
    samples.get(
      `http_server_request_duration_seconds_count{http_request_method="GET",http_route=${route},http_response_status_code="${status}"}`,
    );
  expect([200, 429, 503].map(count)).toEqual([2, 1, 1]);
  expect(samples.get("offering_sandbox_limited_requests_total")).toBe(1);
  expect(samples.get("offering_sandbox_faults_applied_total")).toBe(1);
  expect(samples.get("offering_sandbox_environments")).toBe(2);
  expect(samples.get('v8js_memory_heap_used_bytes{v8js_heap_space_name="old_space"}')).toBeGreaterThan(1_000_000);
  for (const statistic of ["min", "max", "mean", "p50", "p90", "p99"])
    expect(types.get(`nodejs_eventloop_delay_${statistic}_seconds`)).toBe("gauge");
});

test("no label has anything from a request: keys, ids, unknown paths and methods", async () => {
  const { raw } = await openSandbox({ rateLimit: 0 });
  const pastedKey = "sk_live_51Habcdefghij";
  const paths = [
    `/api/v1/investments/${known.whole}`,
    `/api/v1/investments/${pastedKey}`,
    `/api/v2/offerings/${known.aurora}?token=${pastedKey}`,
    `/${known.keys.partner}/x`,
    `/x%22%7D%0Ainjected_metric%201`,
    "/api/v1/__proto__",
    `/__admin/environments/${pastedKey}/clock`,
    `/__admin/keys/${known.keys.partner}`,
    `/__admin/investments/${known.whole}`,
  ];
  for (const path of [...paths, ...Array.from({ length: 50 }, (_, index) => `/unknown/${index}`)])
    for (const method of ["GET", "HEAD", "PROPFIND"]) await raw(path, { method, headers: { "x-key": pastedKey } });
  const { text } = await raw("/__admin/metrics", { key: null });
  const { samples } = parseMetrics(text);
  for (const secret of [pastedKey, "sandbox_", known.whole, known.aurora, "injected", "unknown", "PROPFIND"])
    expect(text.replaceAll("offering_sandbox_", "")).not.toContain(secret);
  const routes = new Set(Array.from(samples.keys(), (name) => /http_route="([^"]*)"/.exec(name)?.[1]));
  expect(routes).toEqual(
    new Set([
      undefined,
      "_OTHER",
      "/api/v1/investments/{id}",
      "/__admin/environments/{environment}/clock",
      "/__admin/investments/{id}",
    ]),
  );
});

test("metrics require what the admin API requires: the admin token and no foreign origin", async () => {
  const { admin, sandbox } = await openAdmin({ adminToken: "for-the-operator", openToken: "only-for-opening" });
  const listResponse = await fetch(`${sandbox.url}/__admin/environments`, {
    method: "POST",
    headers: bearer("only-for-opening"),
  });
  const { admin_token: environmentToken } = (await listResponse.json()) as { admin_token: string };
  for (const [headers, status] of [
    [{}, 401],
    [bearer("wrong-token"), 401],
    [bearer("only-for-opening"), 403],
    [bearer(environmentToken), 403],
    [{ ...bearer("for-the-operator"), origin: "https://evil.example" }, 403],
    [bearer("for-the-operator"), 200],
  ] as const) {
    const response = await admin("GET /metrics", undefined, { headers });
    expect(response.status, JSON.stringify(headers)).toBe(status);
    if (status === 200) expect(response.headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  }
  expect((await admin("POST /metrics", undefined, { headers: bearer("for-the-operator") })).status).toBe(405);
  expect((await (await openAdmin({ admin: false })).admin("GET /metrics")).status).toBe(403);
});
