import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AdminOperation, environmentPath, pathsOf } from "../../src/control/operation.ts";
import { adminOperations } from "../../src/control/operations.ts";
import type { RequestEntry } from "../../src/public/requests.ts";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { openForTest } from "../../src/testing/test-sandbox.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { type TestResponse, openSandbox } from "../support/sandbox.ts";

const [adminToken, openToken] = ["the-admin-token-of-all", "the-token-to-open-with"];

/** The table's calls that need a token, with and without the id of an environment. */
const calls = Object.entries<AdminOperation>(adminOperations)
  .filter(([, { isPublic }]) => !isPublic)
  .flatMap(([id, operation]) => pathsOf(operation).map((path) => ({ id, operation, path })));

const tokenOf = (link: string): string => /#token=([^&]+)/.exec(link)?.[1] ?? "";

/** Opens a sandbox with environments by the open token, and returns their tokens. */
async function openShared(count: number) {
  const entries: RequestEntry[] = [];
  const { sandbox, raw } = await openSandbox({ adminToken, openToken, onRequest: (entry) => entries.push(entry) });
  const ask = (call: string, key: string | null, body?: object): Promise<TestResponse> => {
    const [method = "", path = ""] = call.split(" ");
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return raw(`/__admin${path}`, { method, key, ...(body && json) });
  };
  const opened: { id: string; admin: string; view: string }[] = [];
  for (let index = 0; index < count; index++) {
    const { status, json } = await ask("POST /environments", openToken, {});
    expect(status).toBe(201);
    opened.push({ id: json.id, admin: json.admin_token, view: tokenOf(json.view_link) });
    expect(json.portal_link).toBe(`${sandbox.url}/#token=${json.admin_token}&/${json.id}`);
    expect(json.view_link).toMatch(new RegExp(`^${sandbox.url}/#token=sandbox_view_\\w[\\w-]*&/${json.id}$`));
  }
  return { sandbox, raw, ask, opened, entries };
}

const insufficient = { status: 403, json: { code: "admin_token_insufficient" } };

describe("every operation of the table", () => {
  test("is refused with the open token, but for opening an environment", async () => {
    const { ask, opened } = await openShared(1);
    for (const { id, operation, path } of calls) {
      if (id === "openEnvironment") continue;
      const call = `${operation.method} ${path.replace("{environment}", opened[0]?.id ?? "")}`;
      expect(await ask(call, openToken), call).toMatchObject(insufficient);
    }
  });

  test("with one of two tokens, works only for its environment", async () => {
    const { sandbox, ask, opened } = await openShared(2);
    const before = await Promise.all(opened.map(async ({ id }) => (await sandbox.environment(id)).snapshot()));
    for (const [index, { id, admin, view }] of opened.entries()) {
      const otherId = opened[(index + 1) % opened.length]?.id ?? "";
      for (const { operation, path } of calls) {
        for (const target of path.startsWith(environmentPath)
          ? index === 0
            ? [otherId, "default", "nothing"]
            : [otherId]
          : [""]) {
          const call = `${operation.method} ${path.replace("{environment}", target)}`;
          expect(await ask(call, admin), call).toMatchObject(insufficient);
          expect(await ask(call, view), call).toMatchObject(insufficient);
        }
      }
      expect((await ask(`GET /environments/${id}`, admin)).json).toMatchObject({ id });
    }
    expect(await Promise.all(opened.map(async ({ id }) => (await sandbox.environment(id)).snapshot()))).toEqual(before);
  });

  test("is done for its environment; with the view token only if it changes nothing", async () => {
    const { sandbox, ask, opened } = await openShared(1);
    const { id = "", admin = "", view = "" } = opened[0] ?? {};
    const environmentCalls = calls.filter(({ path }) => path.startsWith(environmentPath));
    const before = await (await sandbox.environment(id)).snapshot();
    for (const { operation, path } of environmentCalls) {
      const call = `${operation.method} ${path.replace("{environment}", id)}`;
      const isRefused = (await ask(call, view)).status === 403;
      expect([call, isRefused]).toEqual([call, operation.changes]);
    }
    expect(await (await sandbox.environment(id)).snapshot()).toEqual(before);
    const last = environmentCalls.toSorted((a) => (a.id === "deleteEnvironment" ? 1 : -1));
    for (const { operation, path } of last) {
      const call = `${operation.method} ${path.replace("{environment}", id)}`;
      expect([401, 403], call).not.toContain((await ask(call, admin)).status);
    }
    expect(await ask(`GET /environments/${id}`, admin)).toMatchObject({ status: 401 });
  });
});

test("a call of every environment is refused at the path of one's own", async () => {
  const { ask, opened } = await openShared(1);
  const { id = "", admin = "", view = "" } = opened[0] ?? {};
  const wide = calls.filter(
    ({ operation, path }) => operation.allEnvironmentsParameter !== undefined && path.startsWith(environmentPath),
  );
  expect(wide).not.toEqual([]);
  for (const { operation, path } of wide) {
    const call = `${operation.method} ${path.replace("{environment}", id)}`;
    for (const query of [
      `${operation.allEnvironmentsParameter}=true`,
      `x=1&${operation.allEnvironmentsParameter}=1`,
      "%61ll=yes",
      "all",
      "all=false",
    ]) {
      for (const token of [admin, view]) {
        expect(await ask(`${call}?${query}`, token), query).toMatchObject({ status: 403 });
      }
    }
    expect(await ask(`${call}?${operation.allEnvironmentsParameter}=true`, adminToken)).toMatchObject({ status: 200 });
  }
});

test("a link that is made later works only for its environment; all tokens of an environment end with it", async () => {
  const { sandbox, ask, opened } = await openShared(1);
  const [{ id, admin, view } = { id: "", admin: "", view: "" }] = opened;
  for (const [environment, otherId, maker] of [
    ["default", id, adminToken],
    [id, "default", adminToken],
    [id, "default", admin],
  ] as const) {
    const path = `/environments/${environment}`;
    const { status, json } = await ask(`POST ${path}/links`, maker);
    expect([status, json.portal_link]).toEqual([200, expect.stringContaining(`${sandbox.url}/#token=sandbox_admin_`)]);
    const [editToken, viewToken] = [tokenOf(json.portal_link), tokenOf(json.view_link)];
    const altered = editToken.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    for (const [call, token, expected, body] of [
      [`GET ${path}`, viewToken, 200],
      [`POST ${path}/clock/advance`, viewToken, 403, { by: "1d" }],
      [`POST ${path}/links`, viewToken, 403],
      [`POST ${path}/clock/advance`, editToken, 200, { by: "1d" }],
      [`GET /environments/${otherId}`, editToken, 403],
      ["POST /environments", editToken, 403, {}],
      [`GET ${path}`, altered, 401],
      [`GET ${path}`, editToken.replace("admin", "view"), 401],
    ] as const) {
      expect([call, token, (await ask(call, token, body)).status]).toEqual([call, token, expected]);
    }
    // All links of an environment are equal, and differ from the one at its opening.
    expect((await ask(`POST ${path}/links`, maker)).json).toEqual(json);
    expect([admin, view]).not.toContain(editToken);
  }
  const linkToken = tokenOf((await ask(`POST /environments/${id}/links`, admin)).json.portal_link);
  await ask(`DELETE /environments/${id}`, adminToken);
  const { status, json: next } = await ask("POST /environments", openToken, { id });
  expect(status).toBe(201);
  const token: string = next.admin_token;
  expect(await ask(`GET /environments/${id}`, token)).toMatchObject({ status: 200 });
  for (const wrong of [linkToken, admin, view, null, "", `${token}0`, token.slice(0, -1), token.toUpperCase()])
    expect(await ask(`GET /environments/${id}`, wrong)).toMatchObject({ status: 401 });
});

test("an environment with its own token is closed again when it has ended", async () => {
  const { sandbox } = await openShared(0);
  const shared = await connectSandbox(sandbox.url, { token: openToken });
  const environment = await shared.openEnvironment({ id: "mine" });
  await (await sandbox.environment("mine")).close();
  await environment.close();
  const again = await shared.openEnvironment({ id: "mine" });
  await expect(environment.clock.advance("1d")).rejects.toMatchObject({ code: "not_found" });
  await environment.close();
  expect((await again.clock.get()).now).toBe((await sandbox.clock.get()).now);
});

test("no log, snapshot, description or error has a token", async () => {
  const { sandbox, ask, opened, entries } = await openShared(1);
  const { id = "", admin = "", view = "" } = opened[0] ?? {};
  const texts: string[] = [];
  for (const token of [admin, view, openToken, adminToken]) {
    for (const call of [`GET /environments/${token}`, `GET /${token}`, `GET /clock?${token}=${token}`, "GET /keys"])
      texts.push((await ask(call, token)).text);
    texts.push((await ask("POST /environments", openToken, { clock: token, [token]: token })).text);
  }
  for (const token of [admin, view])
    for (const member of ["id", "label"])
      expect((await ask("POST /environments", openToken, { [member]: token })).status).toBe(400);
  for (const path of ["", "/snapshot", "/requests", "/timeline"])
    texts.push((await ask(`GET /environments/${id}${path}`, admin)).text);
  texts.push((await ask("GET /environments", adminToken)).text, JSON.stringify(entries));
  texts.push(JSON.stringify(await sandbox.environments()));
  for (const token of [admin, view, openToken]) for (const text of texts) expect(text).not.toContain(token.slice(-20));
  expect(entries.length).toBeGreaterThan(20);
});

test("tokens stay valid with a file of environments, which does not contain them", async () => {
  const db = join(temporaryFolder(), "db.json");
  const options = { db, adminToken, openToken, fixture: "minimal" };
  let admin = "";
  {
    await using sandbox = await startSandbox(options);
    const connected = await connectSandbox(sandbox.url, { token: openToken });
    const opened = await connected.openEnvironment({ id: "mine" });
    admin = opened.adminToken ?? "";
    await opened.clock.set("2026-02-01");
    expect(readFileSync(db, "utf8")).not.toContain(admin.slice(-20));
  }
  await using sandbox = await startSandbox({ ...options, openToken: "another-token-to-open" });
  const holder = await connectSandbox(sandbox.url, { token: admin });
  expect((await holder.clock.get()).now).toBe("2026-02-01T00:00:00.000Z");
  await expect(holder.environment("default")).rejects.toThrow(/only for calls of its environment/);
});

describe("clients", () => {
  test.each(["in process", "connected"])("get the same ways to an environment: %s", async (way) => {
    const { sandbox } = await openSandbox({ adminToken, openToken });
    const opener = way === "connected" ? await connectSandbox(sandbox.url, { token: openToken }) : sandbox;
    const {
      adminToken: token = "",
      portalLink,
      viewLink = "",
      ...opened
    } = await opener.openEnvironment({ id: "mine" });
    expect(opened).not.toHaveProperty("admin_token");
    expect(portalLink).toBe(`${sandbox.url}/#token=${token}&/mine`);
    const holder = await connectSandbox(sandbox.url, { token });
    await holder.clock.advance("1d");
    await expect(holder.environments()).rejects.toMatchObject({ code: "refused" });
    const guest = await connectSandbox(sandbox.url, { token: tokenOf(viewLink) });
    expect(guest.id).toBe("mine");
    expect(await guest.clock.get()).toEqual(await holder.clock.get());
    await expect(guest.clock.advance("1d")).rejects.toMatchObject({ code: "refused" });
    await expect(connectSandbox(sandbox.url, { token, environment: "default" })).rejects.toThrow("only for calls");
  });

  test("run their tests with the open token", async () => {
    const { sandbox } = await openSandbox({ adminToken, openToken });
    const server = await connectSandbox(sandbox.url, { token: openToken });
    const testSandboxes = await openForTest(["a test"], server, {});
    const printed: string[] = [];
    await testSandboxes.close(true, (text) => printed.push(text));
    expect(printed.join("\n")).toMatch(/^a test: no request with a key of its sandbox reached it/);
    expect(await sandbox.environments()).toHaveLength(1);
  });

  test("without an open token, only the link to the portal is new", async () => {
    const open = await openSandbox();
    expect(await open.sandbox.openEnvironment()).toMatchObject({
      portalLink: `${open.sandbox.url}/#/environment-1`,
      adminToken: undefined,
      viewLink: undefined,
    });
    const closed = await openSandbox({ adminToken });
    const { portalLink, adminToken: none } = await closed.sandbox.openEnvironment();
    expect(none).toBeUndefined();
    // The link is for others, so it must not contain the token of the whole server.
    expect(portalLink).not.toContain(adminToken);
    const { id } = await connectSandbox(closed.sandbox.url, { token: tokenOf(portalLink ?? "") });
    expect(id).toBe("environment-1");
    expect((await (await openSandbox({ admin: false })).sandbox.openEnvironment()).portalLink).toBeNull();
  });

  test("an open token makes an admin token necessary", async () => {
    const { sandbox, raw } = await openSandbox({ openToken });
    expect(sandbox.adminToken).toMatch(/^[\w-]{20,}$/);
    expect((await raw("/__admin/clock", { key: null })).status).toBe(401);
    await expect(startSandbox({ openToken, adminToken: openToken })).rejects.toThrow(
      "The open token is the admin token",
    );
    const short = startSandbox({ openToken: "short", host: "0.0.0.0" });
    await expect(short).rejects.toThrow("The open token has fewer than 16 characters");
  });
});

test("a view token replays its environment's journal, and may not send a snapshot", async () => {
  const { sandbox, ask, raw, opened } = await openShared(1);
  const { id = "", admin = "", view = "" } = opened[0] ?? {};
  const environment = await sandbox.environment(id);
  const snapshot = await environment.snapshot();
  const call = `POST /environments/${id}/replay`;
  expect(await ask(call, view, { profile: "minimal" })).toMatchObject({ status: 200 });
  expect(await ask(call, admin, { snapshot })).toMatchObject({ status: 200 });
  for (const body of [{ snapshot }, { snapshot: {} }, { snapshot: null }]) {
    const refused = await ask(call, view, body);
    expect(refused).toMatchObject(insufficient);
    expect(refused.json.detail).toMatch(/only for looking .* own journal .* omit the snapshot/);
  }
  // A body as large as a snapshot is not read.
  const large = { method: "POST", headers: { "content-type": "application/json" }, body: `"${"x".repeat(6_000_000)}"` };
  expect(await raw(`/__admin/environments/${id}/replay`, { ...large, key: view })).toMatchObject({ status: 413 });
  expect(await raw(`/__admin/environments/${id}/replay`, { ...large, key: admin })).toMatchObject({ status: 400 });
});

test("a body that ends after its environment was deleted does not reach the next one of its id", async () => {
  const { sandbox, ask, opened } = await openShared(1);
  const { id = "", admin = "" } = opened[0] ?? {};
  const body = JSON.stringify({ used: 7 });
  const { json } = await ask(`GET /environments/${id}/keys`, admin);
  const path = `/__admin/environments/${id}/limits/${json.data[0].id}`;
  const started = request(sandbox.url + path, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${admin}`,
      "content-type": "application/json",
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  const responded = once(started, "response");
  started.flushHeaders();
  // The server has checked the token, and waits for the body.
  await once(started, "continue");
  await (await sandbox.environment(id)).close();
  const again = await ask("POST /environments", openToken, { id });
  started.end(body);
  const [response] = (await responded) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(401);
  expect((await ask(`GET /environments/${id}/limits`, again.json.admin_token)).json.data).not.toContainEqual(
    expect.objectContaining({ used: 7 }),
  );
});
