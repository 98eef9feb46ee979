import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { known, openSandbox } from "../support/sandbox.ts";

const local = { key: null };

test("the page at / shows base address, offerings, keys and calls, for GET and HEAD", async () => {
  const { raw, sandbox } = await openSandbox({ rateLimit: 120 });
  const { status, headers, text } = await raw("/", local);
  expect(status).toBe(200);
  expect(headers["content-type"]).toMatch(/^text\/html/);
  expect(text).toContain(sandbox.baseUrl);
  expect(text).toContain("Aurora Robotics");
  for (const key of Object.values(known.keys)) expect(text).toContain(key);
  for (const expected of [200, 401, 403, 404, 429]) expect(text).toContain(`<div>${expected} `);
  const head = await raw("/", { ...local, method: "HEAD" });
  expect(head).toMatchObject({ status: 200, text: "" });
});

describe("pages of other origins reach neither / nor /__admin", () => {
  const json = { "content-type": "application/json" };
  const cases: [string, Record<string, string>][] = [
    ["a foreign origin", { origin: "https://evil.example" }],
    ["the null origin", { origin: "null" }],
    ["another port of this machine", { origin: "http://localhost:3000" }],
    ["another scheme", { origin: "https://localhost" }],
    ["an origin that begins like ours", { origin: "http://localhost.evil.example" }],
    ["an empty origin", { origin: "" }],
    ["a cross-site request without an origin", { "sec-fetch-site": "cross-site" }],
    ["a same-site request without an origin", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
    ["a simple POST", { origin: "https://evil.example", "content-type": "text/plain;charset=UTF-8" }],
    ["a form", { origin: "https://evil.example", "content-type": "application/x-www-form-urlencoded" }],
    ["a sandboxed frame's form", { origin: "null", "content-type": "multipart/form-data; boundary=x" }],
    ["a link", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }],
    ["an image", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }],
    ["a preflight", { origin: "https://evil.example", "access-control-request-method": "POST" }],
  ];
  test.each(cases)("%s", async (_, headers) => {
    const { raw, sandbox } = await openSandbox();
    const before = await sandbox.snapshot();
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const path of ["/__admin/environments", "/__admin/clock", "/__admin/reset", "/__admin/nothing"]) {
        const answer = await raw(path, { ...local, method, headers: { ...json, ...headers } });
        expect(answer.status).toBe(403);
        expect(answer.text).not.toContain("sandbox_");
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
    }
    expect((await raw("/", { ...local, headers })).status).toBe(403);
    expect(await sandbox.snapshot()).toEqual(before);
  });

  test("a page of a name that begins like ours", async () => {
    const { raw, sandbox } = await openSandbox();
    const headers = { host: new URL(sandbox.url).host, origin: `${sandbox.url}.evil.example` };
    expect((await raw("/__admin/keys", { ...local, headers })).status).toBe(403);
  });

  test("a preflight without an origin", async () => {
    const { raw } = await openSandbox();
    const headers = { "access-control-request-method": "PUT" };
    expect((await raw("/__admin/clock", { ...local, method: "OPTIONS", headers })).status).toBe(403);
  });

  test("its own page may, and a local process", async () => {
    const { raw, sandbox } = await openSandbox();
    const own = { origin: sandbox.url, host: new URL(sandbox.url).host, "sec-fetch-site": "same-origin" };
    for (const headers of [own, {}, { "sec-fetch-site": "none" }]) {
      expect((await raw("/", { ...local, headers })).status).toBe(200);
      expect((await raw("/__admin/keys", { ...local, headers })).status).toBe(200);
      const change = { ...local, method: "PUT", headers: { ...headers, ...json }, body: '{"speed": 0}' };
      expect((await raw("/__admin/clock", change)).status).toBe(200);
    }
  });

  test("a link from another port leads to the page", async () => {
    const { raw } = await openSandbox();
    const headers = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" };
    expect((await raw("/", { ...local, headers })).status).toBe(200);
    expect((await raw("/__admin/reset", { ...local, method: "POST", headers })).status).toBe(403);
  });
});

test("a name that was rebound to this machine reaches nothing", async () => {
  const { raw } = await openSandbox();
  for (const path of ["/", "/__admin/keys", "/__admin/health", "/__admin/openapi.json"]) {
    const origin = { origin: "http://evil.example:4120" };
    for (const headers of [{ host: "evil.example:4120" }, { host: "evil.example:4120", ...origin }]) {
      const { status, text } = await raw(path, { ...local, headers });
      expect(status).toBe(403);
      expect(text).toContain("--allowed-hosts");
    }
  }
});

test("nothing of a body is read before the request is let in", async () => {
  const { sandbox } = await openSandbox({ adminToken: "let-me-in" });
  const head = [
    "PUT /__admin/snapshot HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
    "Content-Length: 60000000",
  ];
  const socket = connect(Number(new URL(sandbox.url).port), "127.0.0.1");
  socket.setEncoding("latin1");
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [string];
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(answer).toMatch(/^connection: close/im);
  socket.destroy();
});

test("beyond loopback both ask for the admin token, which is made up when none is given", async () => {
  const { raw, sandbox } = await openSandbox({ host: "0.0.0.0" });
  expect(sandbox.adminToken).toMatch(/^[\w-]{20,}$/);
  for (const path of ["/", "/__admin/environments"]) {
    expect((await raw(path, local)).status).toBe(401);
    expect((await raw(path, { key: `${sandbox.adminToken}x` })).status).toBe(401);
    expect((await raw(path, { key: sandbox.adminToken })).status).toBe(200);
  }
  for (const path of ["/__admin/health", "/__admin/openapi.json", "/openapi.json"]) {
    expect((await raw(path, local)).status).toBe(200);
  }
});

test.each(["0x10", "1e3", " 1"])("a number in a query has digits alone: %s", async (limit) => {
  const { raw } = await openSandbox();
  expect((await raw(`/__admin/requests?limit=${encodeURIComponent(limit)}`, local)).status).toBe(400);
});

test("a token of one's own is asked for on loopback too", async () => {
  const { raw } = await openSandbox({ adminToken: "let-me-in" });
  expect((await raw("/", local)).status).toBe(401);
  expect((await raw("/", { key: "let-me-in" })).status).toBe(200);
});

test("closed, neither answers anybody, and health still does", async () => {
  const { raw, sandbox } = await openSandbox({ admin: false, host: "0.0.0.0" });
  expect(sandbox.adminToken).toBeNull();
  expect((await raw("/", local)).status).toBe(403);
  expect((await raw("/__admin/environments", local)).status).toBe(403);
  expect((await raw("/__admin/health", local)).json).toMatchObject({ status: "ok", version: expect.any(String) });
});
