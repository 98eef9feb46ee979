import { expect, test } from "vitest";
import { version } from "../../src/package.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { exchange } from "./exchange.ts";

const path = `/investments/${known.whole}`;

test("HEAD responds as GET does, without the body", async () => {
  const { api } = await openSandbox();
  for (const [target, requestOptions] of [
    [path, {}],
    [`/offerings/${known.aurora}/investments?page=2`, {}],
    [`/investments/${known.unknown}`, {}],
    [path, { key: null }],
  ] as const) {
    const get = await api(target, requestOptions);
    const head = await api(target, { ...requestOptions, method: "HEAD" });
    expect({ ...head.headers, date: "" }).toEqual({ ...get.headers, date: "" });
    expect([target, head.text, head.status]).toEqual([target, "", get.status]);
  }
});

test("a response that is not JSON cannot run as a page, even one of a fault", async () => {
  const protectionOf = ({ headers }: { headers: Record<string, string | undefined> }): unknown => [
    headers["x-content-type-options"],
    headers["content-security-policy"],
  ];
  const [unprotected, protectedHeaders] = [
    [undefined, undefined],
    ["nosniff", "sandbox; default-src 'none'"],
  ];
  for (const [type, protection] of [
    ["application/json; charset=utf-8", unprotected],
    ["application/vnd.api+json", unprotected],
    ["text/html", protectedHeaders],
    ['application/xhtml+xml; a="/json"', protectedHeaders],
  ] as const) {
    const { sandbox, api } = await openSandbox({ assumptions: { content_type: type, "errors.body": "message" } });
    for (const target of [path, "/nowhere", "/%3Cscript%3E"])
      expect(protectionOf(await api(target)), type).toEqual(protection);
    const { headers } = await sandbox.preview({ path: "/api/v1/nowhere", key_id: null });
    expect("X-Content-Type-Options" in headers).toBe(protection === protectedHeaders);
  }
  const { sandbox, raw } = await openSandbox();
  for (const [respond, protection] of [
    [{ body: {} }, unprotected],
    [{}, protectedHeaders],
    [{ body: "<script>" }, protectedHeaders],
    [{ body: ["<script>"], headers: { "content-type": "text/html", "Content-Security-Policy": "" } }, protectedHeaders],
    ...[
      "text/html x/json",
      "text/html (x/json",
      "text/html\tx/json",
      "text/html,application/json",
      "application/json,text/html",
      "application/json; charset=utf-8, text/html",
      "application/json text/html",
    ].map((type) => [{ body: ["<script>"], headers: { "Content-Type": type } }, protectedHeaders] as const),
    [{ body: {}, headers: { "Content-Type": "application/problem+json ; charset=utf-8" } }, unprotected],
  ] as const) {
    await sandbox.faults.add({ respond: { status: 503, ...respond }, times: 1 });
    const response = await raw(`/api/v1${path}`, { key: known.keys.partner });
    expect(protectionOf(response), JSON.stringify(respond)).toEqual(protection);
  }
});

const authorization = `Authorization: Bearer ${known.keys.partner}`;

test.each([
  [`/offerings/${known.aurora.replaceAll("-", "%2D")}`, 200],
  [`/offerings/${known.aurora.replaceAll("-", "%2d")}/invest%6Dents`, 200],
  [`/%69nvestments/${known.whole.replace("0", "%30")}`, 200],
  [`/investments/${known.whole}%2Fevents`, 404],
  [`/investments/${known.whole}%`, 404],
  [`/investments/${known.whole}%00`, 404],
])("the segments of %s are decoded before they are compared: %i", async (target, status) => {
  const { sandbox } = await openSandbox();
  const head = `GET /api/v1${target} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nConnection: close\r\n\r\n`;
  expect(await exchange(sandbox.url, head)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test("a header after 1,500 others is read", async () => {
  const { sandbox } = await openSandbox();
  const manyHeaders = Array.from({ length: 1500 }, () => "a: b");
  const lines = [`GET /api/v1${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...manyHeaders, authorization];
  expect(await exchange(sandbox.url, `${lines.join("\r\n")}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
});

test("a fault's response has Sandbox-Version, is readable from any origin, and exposes Retry-After", async () => {
  const { raw, sandbox } = await openSandbox();
  await sandbox.faults.add({ respond: { status: 503, headers: { "Retry-After": 30 } } });
  const { status, headers } = await raw(`/api/v1${path}`, { headers: { origin: "https://app.example.com" } });
  expect([status, headers]).toMatchObject([
    503,
    { "retry-after": "30", "sandbox-version": version, "access-control-allow-origin": "*" },
  ]);
  expect(headers["access-control-expose-headers"]).toContain("Retry-After");
});

test("a request without Host is refused with Sandbox-Version", async () => {
  const { sandbox } = await openSandbox();
  const text = await exchange(sandbox.url, "GET /api/v1 HTTP/1.1\r\nConnection: close\r\n\r\n");
  expect(text).toMatch(new RegExp(`^HTTP/1.1 400 [^]*\r\nSandbox-Version: ${version}\r\n`));
});

test("a request without a body leaves the connection open", async () => {
  const { raw } = await openSandbox();
  for (const headers of [{}, { "content-length": "0" }])
    expect((await raw("/nowhere", { method: "POST", headers })).headers["connection"]).not.toBe("close");
});

test("each of several pipelined requests sees the effect of the one before it", async () => {
  const { sandbox } = await openSandbox({ rateLimit: 120 });
  const steps = [{ after_reads: 1, investment: { step: "COUNTERSIGN" } }];
  await sandbox.play({ investment: known.whole, steps });
  const head = `GET /api/v1${path}/status HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`;
  const text = await exchange(sandbox.url, `${head}\r\n${head}\r\n${head}Connection: close\r\n\r\n`);
  expect(text.match(/HTTP\/1.1 200 /g)).toHaveLength(3);
  expect(Array.from(text.matchAll(/"COUNTERSIGN"/g))).toHaveLength(2);
});
