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
  const cases: [string, Record<string, string>][] = [
    ["a foreign origin", { origin: "https://evil.example" }],
    ["the null origin", { origin: "null" }],
    ["another port of this machine", { origin: "http://localhost:3000" }],
    ["another scheme", { origin: "https://localhost" }],
    ["a cross-site request without an origin", { "sec-fetch-site": "cross-site" }],
  ];
  test.each(cases)("%s", async (_, headers) => {
    const { raw } = await openSandbox();
    for (const path of ["/", "/__admin/environments"]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await raw(path, { ...local, method, headers });
        expect([403, 404]).toContain(answer.status);
        expect(answer.text).not.toContain("sandbox_");
      }
      expect((await raw(path, { ...local, headers })).status).toBe(403);
    }
  });

  test("its own page may", async () => {
    const { raw, sandbox } = await openSandbox();
    const { status } = await raw("/", { ...local, headers: { origin: sandbox.url, host: new URL(sandbox.url).host } });
    expect(status).toBe(200);
  });
});

test("beyond loopback both ask for the admin token, which is made up when none is given", async () => {
  const { raw, sandbox } = await openSandbox({ host: "0.0.0.0" });
  expect(sandbox.adminToken).toMatch(/^[\w-]{20,}$/);
  for (const path of ["/", "/__admin/environments"]) {
    expect((await raw(path, local)).status).toBe(401);
    expect((await raw(path, { key: `${sandbox.adminToken}x` })).status).toBe(401);
    expect((await raw(path, { key: sandbox.adminToken })).status).toBe(path === "/" ? 200 : 404);
  }
  expect((await raw("/__admin/health", local)).status).toBe(200);
  expect((await raw("/openapi.json", local)).status).toBe(200);
});

test("a token of one's own is asked for on loopback too", async () => {
  const { raw } = await openSandbox({ adminToken: "let-me-in" });
  expect((await raw("/", local)).status).toBe(401);
  expect((await raw("/", { key: "let-me-in" })).status).toBe(200);
});

test("closed, neither answers anybody, and health still does", async () => {
  const { raw } = await openSandbox({ admin: false });
  expect((await raw("/", local)).status).toBe(403);
  expect((await raw("/__admin/environments", local)).status).toBe(403);
  expect((await raw("/__admin/health", local)).json).toMatchObject({ status: "ok", version: expect.any(String) });
});
