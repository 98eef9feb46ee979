import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/index.ts";
import { openSandbox } from "../support/sandbox.ts";
import { openAdmin } from "./admin.ts";

const local = { key: null };

test("requests from pages of other origins are refused at / and /__admin, except links to /", async () => {
  const { raw, sandbox } = await openSandbox();
  const snapshotBefore = await sandbox.snapshot();
  for (const headers of [
    { origin: "https://evil.example", "content-type": "text/plain;charset=UTF-8" },
    { origin: "null", "content-type": "multipart/form-data; boundary=x" },
    { origin: "https://evil.example", "access-control-request-method": "POST" },
    { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "content-type": "application/json" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  ]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const path of ["/__admin/environments", "/__admin/clock", "/__admin/reset", "/__admin/nothing"]) {
        const response = await raw(path, { ...local, method, headers });
        expect([headers, method, path, response.status]).toEqual([headers, method, path, 403]);
        expect(response.text).not.toContain("sandbox_");
        expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
    }
    expect((await raw("/", { ...local, headers })).status).toBe("sec-fetch-dest" in headers ? 200 : 403);
  }
  expect(await sandbox.snapshot()).toEqual(snapshotBefore);
});

test("beyond loopback the admin API requires a token, which the sandbox generates if none is configured", async () => {
  const { raw, sandbox } = await openSandbox({ host: "0.0.0.0" });
  expect(sandbox.adminToken).toMatch(/^[\w-]{20,}$/);
  const protectedPath = "/__admin/environments";
  expect((await raw(protectedPath, local)).status).toBe(401);
  expect((await raw(protectedPath, { key: `${sandbox.adminToken}x` })).status).toBe(401);
  expect((await raw(protectedPath, { key: sandbox.adminToken })).status).toBe(200);
  for (const path of ["/", "/__admin/health", "/__admin/openapi.json", "/openapi.json"]) {
    expect((await raw(path, local)).status).toBe(200);
  }
  expect((await openSandbox({ admin: false, host: "0.0.0.0" })).sandbox.adminToken).toBeNull();
});

test.each<[where: string, SandboxOptions, Record<string, string>, folder: string | null]>([
  ["at a loopback address", {}, {}, process.cwd()],
  ["at another host", { allowedHosts: ["sandbox.example"] }, { host: "sandbox.example" }, null],
  ["with a token", { adminToken: "let-me-in" }, { authorization: "Bearer let-me-in" }, process.cwd()],
])("GET /server names the folder only to local and authorized callers: %s", async (_, options, headers, folder) => {
  const { raw } = await openSandbox(options);
  expect((await raw("/__admin/server", { ...local, headers })).json).toMatchObject({ folder });
});

test("behind a proxy that ends TLS, only pages of the sandbox itself may send commands", async () => {
  const { admin, sandbox } = await openAdmin();
  const { host } = new URL(sandbox.url);
  for (const [origin, scheme, status] of [
    [`https://${host}`, "https", 200],
    [`https://${host}`, "http", 403],
    ["https://evil.example", "https", 403],
    [`https://${host}.evil.example`, "https", 403],
  ] as const) {
    const headers = { origin, "x-forwarded-proto": scheme };
    expect([origin, scheme, (await admin("POST /reset", undefined, { headers })).status]).toEqual([
      origin,
      scheme,
      status,
    ]);
  }
});
