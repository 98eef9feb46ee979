import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { version } from "../../src/package.ts";
import { known, openSandbox } from "../support/sandbox.ts";

const path = `/investments/${known.whole}`;

describe("HEAD", () => {
  const cases: [string, { key?: string | null }][] = [
    [path, {}],
    [`/offerings/${known.aurora}/investments?page=2`, {}],
    [`/investments/${known.unknown}`, {}],
    [path, { key: null }],
  ];
  test.each(cases)("%s answers as GET does, without the body", async (target, ask) => {
    const { api } = await openSandbox();
    const got = await api(target, ask);
    const head = await api(target, { ...ask, method: "HEAD" });
    expect(head.text).toBe("");
    expect(head.status).toBe(got.status);
    expect({ ...head.headers, date: "" }).toEqual({ ...got.headers, date: "" });
  });
});

test("responses have Sandbox-Version, and no ETag or X-Powered-By", async () => {
  const { api, raw } = await openSandbox();
  const answers = [
    await api(path),
    await api("/nowhere"),
    await raw("/"),
    await raw("/nowhere"),
    await raw("/openapi.json"),
  ];
  for (const { headers } of answers) {
    expect(headers["sandbox-version"]).toBe(version);
    expect(headers).not.toHaveProperty("etag");
    expect(headers).not.toHaveProperty("x-powered-by");
  }
});

test.each([
  ["400", "GET /api/v1 HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["417", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: wonders\r\n\r\n"],
])("a %s for an invalid request has Sandbox-Version", async (status, request) => {
  const { sandbox } = await openSandbox();
  const text = await exchange(sandbox.url, request);
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(text).toContain(`Sandbox-Version: ${version}\r\n`);
});

test("a response that is not JSON cannot run as a page, nor can one of a fault", async () => {
  const inert = ({ headers }: { headers: Record<string, string | undefined> }): unknown => [
    headers["x-content-type-options"],
    headers["content-security-policy"],
  ];
  const [free, sandboxed] = [
    [undefined, undefined],
    ["nosniff", "sandbox; default-src 'none'"],
  ];
  for (const [type, protection] of [
    ["application/json; charset=utf-8", free],
    ["application/vnd.api+json", free],
    ["text/html", sandboxed],
    ['application/xhtml+xml; a="/json"', sandboxed],
  ] as const) {
    const { sandbox, api } = await openSandbox({ assumptions: { content_type: type, "errors.body": "message" } });
    for (const target of [path, "/nowhere", "/%3Cscript%3E"])
      expect(inert(await api(target)), type).toEqual(protection);
    const { headers } = await sandbox.preview({ path: "/api/v1/nowhere", key_id: null });
    expect("X-Content-Type-Options" in headers).toBe(protection === sandboxed);
  }
  const { sandbox, raw } = await openSandbox();
  for (const [respond, protection] of [
    [{ body: {} }, free],
    [{}, sandboxed],
    [{ body: "<script>" }, sandboxed],
    [{ body: ["<script>"], headers: { "content-type": "text/html", "Content-Security-Policy": "" } }, sandboxed],
  ] as const) {
    await sandbox.faults.add({ respond: { status: 503, ...respond }, times: 1 });
    const answer = await raw(`/api/v1${path}`, { key: known.keys.partner });
    expect(inert(answer), JSON.stringify(respond)).toEqual(protection);
  }
});

const authorization = `Authorization: Bearer ${known.keys.partner}`;

test("a header after 1,500 others is read", async () => {
  const { sandbox } = await openSandbox();
  const many = Array.from({ length: 1500 }, () => "a: b");
  const lines = [`GET /api/v1${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...many, authorization];
  expect(await exchange(sandbox.url, `${lines.join("\r\n")}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
});

describe("a repeated single header is refused, or has no effect", () => {
  const service = `GET /api/v1${path}`;
  const page = "GET /";
  const command = "PUT /__admin/clock";
  test.each([
    [service, [authorization, authorization], 401, "key_malformed"],
    [service, [authorization, "Authorization: Bearer other"], 401, "key_malformed"],
    [service, [authorization, "Authorization: "], 401, "key_"],
    [service, [authorization, "Host: localhost"], 400, "more than one Host header"],
    [service, [authorization, "Host: evil.example"], 400, "more than one Host header"],
    [service, [authorization, "Host: a.localhost"], 400, "more than one Host header"],
    [
      "DELETE /__admin/requests",
      ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site", "Content-Length: 2"],
      403,
      "origin_not_allowed",
    ],
    [page, ["Sec-Fetch-Site: none", "Sec-Fetch-Site: none"], 403, "origin_not_allowed"],
    [
      page,
      ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Mode: cors"],
      403,
      "origin_not_allowed",
    ],
    [page, ["Origin: http://localhost", "Origin: http://localhost"], 403, "origin_not_allowed"],
    [
      command,
      ["Content-Length: 2", ...twice("Content-Type: application/json")],
      415,
      "one Content-Type: application/json",
    ],
    [command, ["Content-Type: application/json", ...twice("Content-Length: 2")], 400, ""],
    [command, ["Content-Type: application/json", "Content-Length: 2", ...twice("Content-Encoding: identity")], 415, ""],
    [command, ["Content-Type: application/json", "Content-Length: 2", "Transfer-Encoding: chunked"], 400, ""],
  ])("%s %j", async (call, headers, status, message) => {
    const { sandbox } = await openSandbox();
    const lines = [`${call} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers];
    const text = await exchange(sandbox.url, `${lines.join("\r\n")}\r\n\r\n{}`);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain(message);
  });

  test("repeated cookies are ignored", async () => {
    const { sandbox } = await openSandbox();
    const lines = [
      `${service} HTTP/1.1`,
      "Host: localhost",
      "Connection: close",
      authorization,
      "Cookie: a=b",
      "Cookie: c=d",
    ];
    expect(await exchange(sandbox.url, `${lines.join("\r\n")}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });
});

function twice(header: string): string[] {
  return [header, header];
}

test("a fault's answer has Sandbox-Version", async () => {
  const { raw, sandbox } = await openSandbox();
  await sandbox.faults.add({ respond: { status: 503 } });
  expect((await raw(`/api/v1${path}`)).headers["sandbox-version"]).toBe(version);
});

async function exchange(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(request);
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

test("Sandbox-Assumptions can be turned off", async () => {
  const { raw } = await openSandbox({ assumptionHeader: false });
  expect((await raw(`/api/v1${path}`)).headers).not.toHaveProperty("sandbox-assumptions");
});

describe("CORS", () => {
  const origin = "https://app.example.com";
  const preflight = {
    origin,
    "access-control-request-method": "GET",
    "access-control-request-headers": "authorization",
  };

  test("a preflight is answered without a key, and allows Authorization", async () => {
    const { raw } = await openSandbox();
    const { status, headers, text } = await raw(`/api/v1${path}`, { method: "OPTIONS", key: null, headers: preflight });
    expect(status).toBe(204);
    expect(text).toBe("");
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-allow-headers"]?.toLowerCase().split(/, ?/)).toContain("authorization");
    expect(headers["access-control-allow-methods"]).toMatch(/GET/);
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
  });

  test.each([
    [path, known.keys.partner, 200],
    [path, null, 401],
    [path, known.keys.atLimit, 429],
    ["/nowhere", known.keys.partner, 404],
  ])("a request for %s exposes Retry-After to any origin", async (target, key, expected) => {
    const { api } = await openSandbox({ rateLimit: 120 });
    const { status, headers } = await api(target, { key, headers: { origin } });
    expect(status).toBe(expected);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-expose-headers"]).toContain("Retry-After");
  });

  test("with a list of origins, only those are allowed", async () => {
    const { api } = await openSandbox({ corsOrigins: [origin] });
    const { headers } = await api(path, { headers: { origin } });
    expect(headers["access-control-allow-origin"]).toBe(origin);
    expect(headers["vary"]).toContain("Origin");
    for (const other of [`${origin}.evil.test`, "http://app.example.com", "null", `${origin}:8443`]) {
      const answer = await api(path, { headers: { origin: other } });
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  test("a fault's answer is readable from any origin, and exposes Retry-After", async () => {
    const { raw, sandbox } = await openSandbox();
    await sandbox.faults.add({ respond: { status: 503, headers: { "Retry-After": 30 } } });
    const { status, headers } = await raw(`/api/v1${path}`, { headers: { origin } });
    expect([status, headers["retry-after"]]).toEqual([503, "30"]);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(headers["access-control-expose-headers"]).toContain("Retry-After");
  });

  test("a preflight from another origin than the allowed ones grants nothing", async () => {
    const { raw } = await openSandbox({ corsOrigins: [origin] });
    const headers = { ...preflight, origin: "https://evil.example" };
    const answer = await raw(`/api/v1${path}`, { method: "OPTIONS", key: null, headers });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("CORS covers only the API and its description", async () => {
    const { raw } = await openSandbox();
    for (const target of ["/", "/__admin", "/__admin/health", "/__admin/openapi.json"]) {
      const { headers } = await raw(target, { headers: { origin } });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
      const answer = await raw(target, { method: "OPTIONS", headers: preflight });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe("the Host check holds for every path", () => {
  const paths = ["/", "/openapi.json", "/__admin/health", `/api/v1${path}`, "/nowhere"];
  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.1.2.3",
    "evil.example:80",
    "[::2]",
    "evil-localhost",
    "127.999.0.1",
    "@",
  ])("the host %s is refused", async (host) => {
    const { raw } = await openSandbox();
    for (const target of paths) {
      const { status, text } = await raw(target, { headers: { host } });
      expect(status).toBe(403);
      expect(text).toContain("--allowed-hosts");
    }
  });

  test.each(["localhost", "LOCALHOST:1", "localhost:", "localhost.", "127.0.0.1:9", "[::1]:9", "app.localhost"])(
    "the host %s is admitted",
    async (host) => {
      const { raw } = await openSandbox();
      for (const target of paths.slice(0, 4)) expect((await raw(target, { headers: { host } })).status).toBe(200);
    },
  );

  test("allowedHosts admits further names", async () => {
    const { raw } = await openSandbox({ allowedHosts: ["sandbox"] });
    expect((await raw("/", { headers: { host: "sandbox:4120" } })).status).toBe(200);
    expect((await raw("/", { headers: { host: "sandbox.evil.example" } })).status).toBe(403);
  });
});

describe("a request body", () => {
  test.each([
    ["/", 404],
    ["/nowhere", 404],
    [`/api/v1${path}`, 405],
    ["/__admin/snapshot", 405],
    ["/__admin/keys", 413],
  ])("over 5 MB is answered at %s with %i before it is read", async (target, status) => {
    const { raw } = await openSandbox();
    const length = String(5 * 1024 * 1024 + 1);
    const headers = { "content-length": length, "content-type": "application/json", expect: "100-continue" };
    const answer = await raw(target, { method: "POST", headers });
    expect([answer.status, answer.headers["connection"]]).toEqual([status, "close"]);
  });

  test("without content leaves the connection open", async () => {
    const { raw } = await openSandbox();
    for (const headers of [{}, { "content-length": "0" }]) {
      expect((await raw("/nowhere", { method: "POST", headers })).headers["connection"]).not.toBe("close");
    }
  });

  test("of a GET is ignored", async () => {
    const { api } = await openSandbox();
    expect((await api(path, { body: '{"page":2}', headers: { "content-length": "10" } })).status).toBe(200);
  });
});

test("each of several pipelined requests sees the effect of the one before it", async () => {
  const { sandbox } = await openSandbox({ rateLimit: 120 });
  const steps = [{ after_reads: 1, investment: { step: "COUNTERSIGN" } }];
  await sandbox.play({ investment: known.whole, steps });
  const { port } = new URL(sandbox.url);
  const socket = connect(Number(port), "127.0.0.1");
  const head = `GET /api/v1${path}/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${known.keys.partner}\r\n`;
  socket.write(`${head}\r\n${head}\r\n${head}Connection: close\r\n\r\n`);
  let text = "";
  for await (const part of socket) text += String(part);
  expect(text.match(/HTTP\/1.1 200 /g)).toHaveLength(3);
  expect(Array.from(text.matchAll(/"COUNTERSIGN"/g))).toHaveLength(2);
});

test("paths match exactly; another path is a problem document outside the API, an API error inside", async () => {
  const { raw } = await openSandbox();
  for (const target of [`/API/v1${path}`, `/api/v2${path}`, "/api", "/favicon.ico", `//api/v1${path}`]) {
    const { status, headers } = await raw(target);
    expect([target, status, headers["content-type"]]).toEqual([target, 404, "application/problem+json"]);
  }
  for (const target of ["", "/", `${path}/`, `${path}/status/`, `/${path}`, "/investments", "/offerings/"]) {
    const { status, json } = await raw(`/api/v1${target}`);
    expect([target, status, json.errors[0].code]).toEqual([target, 404, "path_not_found"]);
  }
});

test("a whole URL as the request target, as sent to proxies, is read as its path", async () => {
  const { raw } = await openSandbox();
  expect((await raw(`http://localhost/api/v1${path}`)).status).toBe(200);
});
