import type { Request, Response } from "express";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { type AdminAccess, guardAdmin } from "../../src/admin/access.ts";
import { connectSandbox, type SandboxOptions } from "../../src/index.ts";
import { openSandbox } from "../support/sandbox.ts";

const local = { key: null };

test("requests from pages of other origins are refused at / and /__admin, except links to /", async () => {
  const { raw, sandbox } = await openSandbox();
  const before = await sandbox.snapshot();
  for (const headers of [
    { origin: "https://evil.example", "content-type": "text/plain;charset=UTF-8" },
    { origin: "null", "content-type": "multipart/form-data; boundary=x" },
    { origin: "https://evil.example", "access-control-request-method": "POST" },
    { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "content-type": "application/json" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  ]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const path of ["/__admin/environments", "/__admin/clock", "/__admin/reset", "/__admin/nothing"]) {
        const answer = await raw(path, { ...local, method, headers });
        expect([headers, method, path, answer.status]).toEqual([headers, method, path, 403]);
        expect(answer.text).not.toContain("sandbox_");
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
    }
    expect((await raw("/", { ...local, headers })).status).toBe("sec-fetch-dest" in headers ? 200 : 403);
  }
  expect(await sandbox.snapshot()).toEqual(before);
});

test("the portal's own page and local processes are admitted, and a link from another port to the page alone", async () => {
  const { raw, sandbox } = await openSandbox();
  const samePage = { origin: sandbox.url, host: new URL(sandbox.url).host, "sec-fetch-site": "same-origin" };
  for (const headers of [samePage, {}, { "sec-fetch-site": "none" }]) {
    expect((await raw("/", { ...local, headers })).status).toBe(200);
    expect((await raw("/__admin/keys", { ...local, headers })).status).toBe(200);
    const json = { "content-type": "application/json" };
    const change = { ...local, method: "PUT", headers: { ...headers, ...json }, body: '{"speed": 0}' };
    expect((await raw("/__admin/clock", change)).status).toBe(200);
  }
  const headers = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" };
  expect((await raw("/", { ...local, headers })).status).toBe(200);
  expect((await raw("/__admin/reset", { ...local, method: "POST", headers })).status).toBe(403);
});

/** Returns the guard's answer to a request: its error, or "next". */
function guarded(access: Partial<AdminAccess>, method: string, headers: Readonly<Record<string, string>>): unknown {
  let outcome: unknown;
  try {
    const guard = guardAdmin({ open: true, token: null, ...access });
    void guard({ method, headers } as unknown as Request, {} as Response, () => (outcome = "next"));
  } catch (error) {
    outcome = error;
  }
  return outcome;
}

describe("the guard", () => {
  const samePage = { host: "localhost:4120", origin: "http://localhost:4120" };
  const asksFirst = { "access-control-request-method": "PUT" };
  const site = (from: string, mode = "cors") => ({ "sec-fetch-site": from, "sec-fetch-mode": mode });
  test.each<[method: string, headers: Record<string, string>, admitted: boolean]>([
    ["PUT", {}, true],
    ["PUT", samePage, true],
    ["PUT", { ...samePage, origin: "http://localhost:4121" }, false],
    ["PUT", { ...samePage, origin: "https://localhost:4120" }, false],
    ["PUT", { origin: "http://localhost:4120" }, false],
    ["PUT", { ...samePage, origin: "http://localhost:4120.evil.example" }, false],
    ["PUT", { ...samePage, origin: "null" }, false],
    ["PUT", { ...samePage, origin: "" }, false],
    ["OPTIONS", {}, true],
    ["OPTIONS", asksFirst, false],
    ["OPTIONS", { ...samePage, ...asksFirst }, false],
    ["GET", asksFirst, true],
    ["PUT", site("none"), true],
    ["PUT", site("same-origin"), true],
    ["GET", site(""), false],
    ["GET", site("same-site"), false],
    ["GET", site("cross-site", "navigate"), false],
    ["GET", site("same-site", "navigate"), true],
    ["HEAD", site("same-site", "navigate"), true],
    ["POST", site("same-site", "navigate"), false],
    ["GET", { ...samePage, ...site("cross-site") }, false],
    ["GET", { origin: "http://localhost:4121", host: "localhost:4120", ...site("same-origin") }, false],
  ])("lets in only our own page: %s %j", (method, headers, admitted) => {
    const refusal = { status: 403, code: "origin_not_allowed", message: expect.stringContaining("another origin") };
    expect(guarded({}, method, headers)).toEqual(admitted ? "next" : expect.objectContaining(refusal));
  });

  test.each([
    ["Bearer let-me-in", true],
    ["bearer let-me-in", true],
    ["BEARER   let-me-in", true],
    ["", false],
    ["let-me-in", false],
    ["Bearerlet-me-in", false],
    ["Basic let-me-in", false],
    ["Bearer let-me", false],
    ["Bearer let-me-in2", false],
    ["Bearer let-me-in again", false],
    ["Bearer other let-me-in", false],
    ["Bearer let-me-in, Bearer let-me-in", false],
    ["no Bearer let-me-in", false],
  ])("takes the token only as one whole bearer credential: %j", (authorization, admitted) => {
    const token = "let-me-in";
    const refusal = {
      status: 401,
      code: "admin_token_required",
      message: expect.stringContaining("Authorization: Bearer <admin token>"),
      headers: { "WWW-Authenticate": "Bearer" },
    };
    expect(guarded({ token }, "GET", { authorization })).toEqual(admitted ? "next" : expect.objectContaining(refusal));
    expect(guarded({ token }, "GET", { authorization, origin: "null" })).toMatchObject({ code: "origin_not_allowed" });
  });

  test("asks for a missing token, and refuses everybody when the admin API is off", () => {
    expect(guarded({ token: "let-me-in" }, "GET", {})).toMatchObject({ code: "admin_token_required" });
    const closed = guarded({ open: false, token: "let-me-in" }, "GET", { authorization: "Bearer let-me-in" });
    expect(closed).toMatchObject({ status: 403, code: "admin_closed", message: expect.stringContaining("--no-admin") });
  });
});

test("a refused request is answered before its body is read", async () => {
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
  socket.destroy();
});

test("beyond loopback the admin API asks for a token, and generates one if none is configured", async () => {
  const { raw, sandbox } = await openSandbox({ host: "0.0.0.0" });
  expect(sandbox.adminToken).toMatch(/^[\w-]{20,}$/);
  const closed = "/__admin/environments";
  expect((await raw(closed, local)).status).toBe(401);
  expect((await raw(closed, { key: `${sandbox.adminToken}x` })).status).toBe(401);
  expect((await raw(closed, { key: sandbox.adminToken })).status).toBe(200);
  for (const path of ["/", "/__admin/health", "/__admin/openapi.json", "/openapi.json"]) {
    expect((await raw(path, local)).status).toBe(200);
  }
});

test("with admin off, the page and the admin API are refused; health still answers", async () => {
  const { raw, sandbox } = await openSandbox({ admin: false, host: "0.0.0.0" });
  expect(sandbox.adminToken).toBeNull();
  expect((await raw("/", local)).status).toBe(403);
  expect((await raw("/__admin/environments", local)).status).toBe(403);
  expect((await raw("/__admin/health", local)).json).toMatchObject({ status: "ok", version: expect.any(String) });
});

describe("the folder of a server", () => {
  const folderFor = async (options: SandboxOptions, headers: Record<string, string>): Promise<unknown> => {
    const { raw } = await openSandbox(options);
    const { status, json: answer } = await raw("/__admin/server", { key: null, headers });
    return status === 200 ? (answer as { folder: string | null }).folder : status;
  };

  test.each([
    ["at a loopback address", {}, {}, process.cwd()],
    ["at another one", { allowedHosts: ["sandbox.example"] }, { host: "sandbox.example" }, null],
    ["without the token that is required", { adminToken: "let-me-in" }, {}, 401],
    ["with it", { adminToken: "let-me-in" }, { authorization: "Bearer let-me-in" }, process.cwd()],
    ["for a page of another origin", {}, { origin: "https://evil.example" }, 403],
  ])("%s", async (_, options, headers, expected) => {
    expect(await folderFor(options, headers)).toBe(expected);
  });

  test("is not for the token of an environment", async () => {
    const { sandbox } = await openSandbox({ adminToken: "let-me-in", openToken: "may-open-one" });
    const opened = await (await connectSandbox(sandbox.url, { token: "may-open-one" })).openEnvironment();
    const own = await connectSandbox(sandbox.url, { token: opened.adminToken ?? "" });
    await expect(own.server()).rejects.toMatchObject({ name: "ControlError", code: "refused" });
  });
});
