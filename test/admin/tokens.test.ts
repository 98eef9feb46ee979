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
  const sendWithToken = (call: string, key: string | null, body?: object): Promise<TestResponse> => {
    const [method = "", path = ""] = call.split(" ");
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return raw(`/__admin${path}`, { method, key, ...(body && json) });
  };
  const tokens: { id: string; admin: string; view: string }[] = [];
  for (let index = 0; index < count; index++) {
    const { status, json } = await sendWithToken("POST /environments", openToken, {});
    expect(status).toBe(201);
    tokens.push({ id: json.id, admin: json.admin_token, view: tokenOf(json.view_link) });
    expect(json.portal_link).toBe(`${sandbox.url}/#token=${json.admin_token}&/${json.id}`);
    expect(json.view_link).toMatch(new RegExp(`^${sandbox.url}/#token=sandbox_view_\\w[\\w-]*&/${json.id}$`));
  }
  return { sandbox, raw, sendWithToken, tokens, entries };
}

const insufficient = { status: 403, json: { code: "admin_token_insufficient" } };

describe("every operation of the table", () => {
  test("is refused with the open token, except opening an environment", async () => {
    const { sendWithToken, tokens } = await openShared(1);
    for (const { id, operation, path } of calls) {
      if (id === "openEnvironment") continue;
      const call = `${operation.method} ${path.replace("{environment}", tokens[0]?.id ?? "")}`;
      expect(await sendWithToken(call, openToken), call).toMatchObject(insufficient);
    }
  });

  test("is refused at every other environment with the tokens of one environment", async () => {
    const { sandbox, sendWithToken, tokens } = await openShared(2);
    const snapshotsBefore = await Promise.all(tokens.map(async ({ id }) => (await sandbox.environment(id)).snapshot()));
    for (const [index, { id, admin, view }] of tokens.entries()) {
      const otherId = tokens[(index + 1) % tokens.length]?.id ?? "";
      for (const { operation, path } of calls) {
        for (const target of path.startsWith(environmentPath)
          ? index === 0
            ? [otherId, "default", "nothing"]
            : [otherId]
          : [""]) {
          const call = `${operation.method} ${path.replace("{environment}", target)}`;
          expect(await sendWithToken(call, admin), call).toMatchObject(insufficient);
          expect(await sendWithToken(call, view), call).toMatchObject(insufficient);
        }
      }
      expect((await sendWithToken(`GET /environments/${id}`, admin)).json).toMatchObject({ id });
    }
    expect(await Promise.all(tokens.map(async ({ id }) => (await sandbox.environment(id)).snapshot()))).toEqual(
      snapshotsBefore,
    );
  });

  test("is accepted at an environment with its admin token, and with its view token only if it changes nothing", async () => {
    const { sandbox, sendWithToken, tokens } = await openShared(1);
    const { id = "", admin = "", view = "" } = tokens[0] ?? {};
    const environmentCalls = calls.filter(({ path }) => path.startsWith(environmentPath));
    const snapshotBefore = await (await sandbox.environment(id)).snapshot();
    for (const { operation, path } of environmentCalls) {
      const call = `${operation.method} ${path.replace("{environment}", id)}`;
      const isRefused = (await sendWithToken(call, view)).status === 403;
      expect([call, isRefused]).toEqual([call, operation.changes]);
    }
    expect(await (await sandbox.environment(id)).snapshot()).toEqual(snapshotBefore);
    const deletionLast = environmentCalls.toSorted(
      (left, right) => Number(left.id === "deleteEnvironment") - Number(right.id === "deleteEnvironment"),
    );
    for (const { operation, path } of deletionLast) {
      const call = `${operation.method} ${path.replace("{environment}", id)}`;
      expect([401, 403], call).not.toContain((await sendWithToken(call, admin)).status);
    }
    expect(await sendWithToken(`GET /environments/${id}`, admin)).toMatchObject({ status: 401 });
  });
});

test("a call that includes all environments is refused at the path of one environment", async () => {
  const { sendWithToken, tokens } = await openShared(1);
  const { id = "", admin = "", view = "" } = tokens[0] ?? {};
  const callsOfAllEnvironments = calls.filter(
    ({ operation, path }) => operation.allEnvironmentsParameter !== undefined && path.startsWith(environmentPath),
  );
  expect(callsOfAllEnvironments).not.toEqual([]);
  for (const { operation, path } of callsOfAllEnvironments) {
    const call = `${operation.method} ${path.replace("{environment}", id)}`;
    for (const query of [
      `${operation.allEnvironmentsParameter}=true`,
      `x=1&${operation.allEnvironmentsParameter}=1`,
      "%61ll=yes",
      "all",
      "all=false",
    ]) {
      for (const token of [admin, view]) {
        expect(await sendWithToken(`${call}?${query}`, token), query).toMatchObject({ status: 403 });
      }
    }
    expect(await sendWithToken(`${call}?${operation.allEnvironmentsParameter}=true`, adminToken)).toMatchObject({
      status: 200,
    });
  }
});

test("a link that is made later works only for its environment, and all tokens of an environment end with it", async () => {
  const { sandbox, sendWithToken, tokens } = await openShared(1);
  const [{ id, admin, view } = { id: "", admin: "", view: "" }] = tokens;
  for (const [environment, otherId, maker] of [
    ["default", id, adminToken],
    [id, "default", adminToken],
    [id, "default", admin],
  ] as const) {
    const path = `/environments/${environment}`;
    const { status, json } = await sendWithToken(`POST ${path}/links`, maker);
    expect([status, json.portal_link]).toEqual([200, expect.stringContaining(`${sandbox.url}/#token=sandbox_admin_`)]);
    const [editToken, viewToken] = [tokenOf(json.portal_link), tokenOf(json.view_link)];
    const forgedToken = editToken.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    for (const [call, token, expectedStatus, body] of [
      [`GET ${path}`, viewToken, 200],
      [`POST ${path}/clock/advance`, viewToken, 403, { by: "1d" }],
      [`POST ${path}/links`, viewToken, 403],
      [`POST ${path}/clock/advance`, editToken, 200, { by: "1d" }],
      [`GET /environments/${otherId}`, editToken, 403],
      ["POST /environments", editToken, 403, {}],
      [`GET ${path}`, forgedToken, 401],
      [`GET ${path}`, editToken.replace("admin", "view"), 401],
    ] as const) {
      expect([call, token, (await sendWithToken(call, token, body)).status]).toEqual([call, token, expectedStatus]);
    }
    // All links of an environment are equal, and differ from the one at its opening.
    expect((await sendWithToken(`POST ${path}/links`, maker)).json).toEqual(json);
    expect([admin, view]).not.toContain(editToken);
  }
  const linkToken = tokenOf((await sendWithToken(`POST /environments/${id}/links`, admin)).json.portal_link);
  await sendWithToken(`DELETE /environments/${id}`, adminToken);
  const { status, json: reopened } = await sendWithToken("POST /environments", openToken, { id });
  expect(status).toBe(201);
  const token: string = reopened.admin_token;
  expect(await sendWithToken(`GET /environments/${id}`, token)).toMatchObject({ status: 200 });
  for (const wrongToken of [linkToken, admin, view, null, "", `${token}0`, token.slice(0, -1), token.toUpperCase()])
    expect(await sendWithToken(`GET /environments/${id}`, wrongToken)).toMatchObject({ status: 401 });
});

test("a second close of a deleted environment does not delete a new one with its id", async () => {
  const { sandbox } = await openShared(0);
  const opener = await connectSandbox(sandbox.url, { token: openToken });
  const environment = await opener.openEnvironment({ id: "mine" });
  await (await sandbox.environment("mine")).close();
  await environment.close();
  const reopened = await opener.openEnvironment({ id: "mine" });
  await expect(environment.clock.advance("1d")).rejects.toMatchObject({ code: "not_found" });
  await environment.close();
  expect((await reopened.clock.get()).now).toBe((await sandbox.clock.get()).now);
});

test("no log, snapshot, description or error has a token", async () => {
  const { sandbox, sendWithToken, tokens, entries } = await openShared(1);
  const { id = "", admin = "", view = "" } = tokens[0] ?? {};
  const texts: string[] = [];
  for (const token of [admin, view, openToken, adminToken]) {
    for (const call of [`GET /environments/${token}`, `GET /${token}`, `GET /clock?${token}=${token}`, "GET /keys"])
      texts.push((await sendWithToken(call, token)).text);
    texts.push((await sendWithToken("POST /environments", openToken, { clock: token, [token]: token })).text);
  }
  for (const token of [admin, view])
    for (const member of ["id", "label"])
      expect((await sendWithToken("POST /environments", openToken, { [member]: token })).status).toBe(400);
  for (const path of ["", "/snapshot", "/requests", "/timeline"])
    texts.push((await sendWithToken(`GET /environments/${id}${path}`, admin)).text);
  texts.push((await sendWithToken("GET /environments", adminToken)).text, JSON.stringify(entries));
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
    const opener = await connectSandbox(sandbox.url, { token: openToken });
    const environment = await opener.openEnvironment({ id: "mine" });
    admin = environment.adminToken ?? "";
    await environment.clock.set("2026-02-01");
    expect(readFileSync(db, "utf8")).not.toContain(admin.slice(-20));
  }
  await using sandbox = await startSandbox({ ...options, openToken: "another-token-to-open" });
  const holder = await connectSandbox(sandbox.url, { token: admin });
  expect((await holder.clock.get()).now).toBe("2026-02-01T00:00:00.000Z");
  await expect(holder.environment("default")).rejects.toThrow(/only for calls of its environment/);
});

describe("a client", () => {
  test.each(["in process", "connected"])("gets a token and links for an environment that it opens: %s", async (way) => {
    const { sandbox } = await openSandbox({ adminToken, openToken });
    const opener = way === "connected" ? await connectSandbox(sandbox.url, { token: openToken }) : sandbox;
    const {
      adminToken: token = "",
      portalLink,
      viewLink = "",
      ...otherMembers
    } = await opener.openEnvironment({ id: "mine" });
    expect(otherMembers).not.toHaveProperty("admin_token");
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

  test("runs tests with the open token", async () => {
    const { sandbox } = await openSandbox({ adminToken, openToken });
    const server = await connectSandbox(sandbox.url, { token: openToken });
    const testSandboxes = await openForTest(["a test"], server, {});
    const printedLines: string[] = [];
    await testSandboxes.close(true, (text) => printedLines.push(text));
    expect(printedLines.join("\n")).toMatch(/^a test: no request with a key of its sandbox reached it/);
    expect(await sandbox.environments()).toHaveLength(1);
  });

  test("gets only a link to the portal where there is no open token", async () => {
    const testSandbox = await openSandbox();
    expect(await testSandbox.sandbox.openEnvironment()).toMatchObject({
      portalLink: `${testSandbox.sandbox.url}/#/environment-1`,
      adminToken: undefined,
      viewLink: undefined,
    });
    const protectedSandbox = await openSandbox({ adminToken });
    const { portalLink, adminToken: missingToken } = await protectedSandbox.sandbox.openEnvironment();
    expect(missingToken).toBeUndefined();
    // The link is for others, so it must not contain the token of the whole server.
    expect(portalLink).not.toContain(adminToken);
    const { id } = await connectSandbox(protectedSandbox.sandbox.url, { token: tokenOf(portalLink ?? "") });
    expect(id).toBe("environment-1");
    expect((await (await openSandbox({ admin: false })).sandbox.openEnvironment()).portalLink).toBeNull();
  });

  test("needs an admin token where there is an open token", async () => {
    const { sandbox, raw } = await openSandbox({ openToken });
    expect(sandbox.adminToken).toMatch(/^[\w-]{20,}$/);
    expect((await raw("/__admin/clock", { key: null })).status).toBe(401);
    await expect(startSandbox({ openToken, adminToken: openToken })).rejects.toThrow(
      "The open token is the admin token",
    );
    const refusedStart = startSandbox({ openToken: "short", host: "0.0.0.0" });
    await expect(refusedStart).rejects.toThrow("The open token has fewer than 16 characters");
  });
});

test("a view token replays its environment's journal, and may not send a snapshot", async () => {
  const { sandbox, sendWithToken, raw, tokens } = await openShared(1);
  const { id = "", admin = "", view = "" } = tokens[0] ?? {};
  const environment = await sandbox.environment(id);
  const snapshot = await environment.snapshot();
  const call = `POST /environments/${id}/replay`;
  expect(await sendWithToken(call, view, { profile: "minimal" })).toMatchObject({ status: 200 });
  expect(await sendWithToken(call, admin, { snapshot })).toMatchObject({ status: 200 });
  for (const body of [{ snapshot }, { snapshot: {} }, { snapshot: null }]) {
    const refusal = await sendWithToken(call, view, body);
    expect(refusal).toMatchObject(insufficient);
    expect(refusal.json.detail).toMatch(/only for looking .* own journal .* omit the snapshot/);
  }
  // A body as large as a snapshot is not read.
  const large = { method: "POST", headers: { "content-type": "application/json" }, body: `"${"x".repeat(6_000_000)}"` };
  expect(await raw(`/__admin/environments/${id}/replay`, { ...large, key: view })).toMatchObject({ status: 413 });
  expect(await raw(`/__admin/environments/${id}/replay`, { ...large, key: admin })).toMatchObject({ status: 400 });
});

test("a body that ends after its environment was deleted does not reach a new environment with the same id", async () => {
  const { sandbox, sendWithToken, tokens } = await openShared(1);
  const { id = "", admin = "" } = tokens[0] ?? {};
  const body = JSON.stringify({ used: 7 });
  const { json } = await sendWithToken(`GET /environments/${id}/keys`, admin);
  const path = `/__admin/environments/${id}/limits/${json.data[0].id}`;
  const unfinishedRequest = request(sandbox.url + path, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${admin}`,
      "content-type": "application/json",
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  const pendingResponse = once(unfinishedRequest, "response");
  unfinishedRequest.flushHeaders();
  // The server has checked the token, and waits for the body.
  await once(unfinishedRequest, "continue");
  await (await sandbox.environment(id)).close();
  const reopened = await sendWithToken("POST /environments", openToken, { id });
  unfinishedRequest.end(body);
  const [response] = (await pendingResponse) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(401);
  expect(
    (await sendWithToken(`GET /environments/${id}/limits`, reopened.json.admin_token)).json.data,
  ).not.toContainEqual(expect.objectContaining({ used: 7 }));
});
