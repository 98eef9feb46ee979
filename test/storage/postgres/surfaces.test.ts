import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { connectSandbox } from "../../../src/index.ts";
import type { Environment, Sandbox, Snapshot } from "../../../src/index.ts";
import { checksumOf } from "../../support/checksum.ts";
import { describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { known, send } from "../../support/sandbox.ts";
import { until } from "../../support/until.ts";
import { admin, call, counts, on, type SandboxProcess, startProcess, startProcesses } from "./processes.ts";

type Two<Value> = readonly [Value, Value];

/** Starts two processes over an empty database. */
async function startTwo(...settings: Parameters<typeof startProcess>): Promise<Two<SandboxProcess>> {
  return (await startProcesses(2, ...settings)) as unknown as Two<SandboxProcess>;
}

async function openOn(processes: Two<SandboxProcess>, options = {}): Promise<Two<Environment>> {
  const { id } = await processes[0].sandbox.openEnvironment({ scenarios: [], ...options });
  return (await on(processes, id)) as unknown as Two<Environment>;
}

const idsOf = async (sandbox: Sandbox): Promise<string[]> => (await sandbox.environments()).map(({ id }) => id);

const schemaOf = (db: string): string => new URL(db).searchParams.get("schema") ?? "";

describeWithPostgres("what several processes over one database show, where PostgreSQL is installed", () => {
  const use = useCluster();

  test("three processes that start at once over an empty database have one default environment", async () => {
    const processes = await startProcesses(3, use.cluster.newAddress(), { fixture: "demo" });
    const keys = await Promise.all(processes.map(({ sandbox }) => sandbox.keys.list()));
    expect(keys.map((list) => list.map(({ key }) => key))).toEqual(
      Array.from(keys, () => keys[0]?.map(({ key }) => key)),
    );
    for (const { sandbox } of processes) expect(await idsOf(sandbox)).toEqual(["default"]);
  });

  test("rows that another program edits or deletes fail no other environment and no process", async () => {
    const db = use.cluster.newAddress();
    const processes = await startTwo(db);
    const table = `${schemaOf(db)}.sandbox_environments`;
    const health = () => Promise.all(processes.map(({ url }) => send(url, "/__admin/health", { key: null })));
    await use.cluster.query(`delete from ${table} where id = 'default'`);
    // The first use of the default environment adds its row again.
    for (const { sandbox } of processes) expect((await sandbox.clock.get()).speed).toBe(0);
    for (const { sandbox } of processes) expect(await idsOf(sandbox)).toEqual(["default"]);
    const [edited, unreadable] = [await openOn(processes), await openOn(processes)];
    await use.cluster.query(
      `update ${table} set owner = null, head = 'null', written = 'infinity' where id = '${edited[0].id}'`,
    );
    await use.cluster.query(`update ${table} set owner = null, document = 'x' where id = '${unreadable[0].id}'`);
    // The owner finds out with its first write that it lost the row.
    for (const environment of edited) await until(async () => (await environment.clock.advance("1h")).speed === 0);
    const responses = await Promise.allSettled(unreadable.map((environment) => environment.clock.get()));
    for (const response of responses) {
      // The owner continues from memory until it has to release the environment.
      if (response.status === "rejected") expect(response.reason).toMatchObject({ code: "conflict" });
    }
    for (const { sandbox } of processes) expect(await idsOf(sandbox)).toContain(edited[0].id);
    expect((await health()).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("requests with unknown keys are in the journal of the default environment", async () => {
    const processes = await startTwo(use.cluster.newAddress());
    for (let nth = 0; nth < 20; nth++) {
      const { url } = processes[nth % 2] as SandboxProcess;
      const key = nth % 3 === 0 ? null : `sandbox_partner_e9_${String(nth).padStart(32, "0")}`;
      expect((await send(url, `/api/v1/offerings/${known.aurora}`, { key })).status).toBe(401);
    }
    for (const { sandbox } of processes) expect(await sandbox.requests.count()).toBe(20);
  });

  test("the keys of an environment have its routing prefix, even keys that are issued later", async () => {
    const processes = await startTwo(use.cluster.newAddress(), { fixture: "demo" });
    const opened = await Promise.all(
      [0, 1, 0, 1].map((at) => (processes[at] as SandboxProcess).sandbox.openEnvironment()),
    );
    expect(new Set(opened.map(({ id }) => id))).toEqual(new Set(["e1", "e2", "e3", "e4"]));
    const named = await processes[0].sandbox.openEnvironment({ id: "checkout-ada" });
    const secrets = new Set<string>();
    for (const environment of [...opened, named]) {
      const routingPrefix = environment.id.split("-")[0];
      const issued = await environment.keys.issue({ type: "partner" });
      for (const secret of [environment.keys.partner, issued.key]) {
        expect(secret).toMatch(new RegExp(`^sandbox_partner_${routingPrefix}_[\\da-f]{32}$`));
        secrets.add(secret);
      }
    }
    expect(secrets.size).toBe(10);
    expect(processes[1].sandbox.keys.partner).toMatch(/^sandbox_partner_[\da-f]{32}$/);
  });

  test("tokens and links of an environment are valid in each process, even after a restart, until its deletion", async () => {
    const [db, tokens] = [
      use.cluster.newAddress(),
      { adminToken: "the-admin-token-of-all", openToken: "the-open-token" },
    ];
    const settings = { ...tokens, host: "127.0.0.1" };
    const processes = [await startProcess(db, settings), await startProcess(db, settings)];
    const opening = await connectSandbox(processes[0]?.url ?? "", { token: tokens.openToken });
    const [ownEnvironment, otherEnvironment] = [await opening.openEnvironment(), await opening.openEnvironment()];
    const { id, adminToken = "", viewLink = "" } = ownEnvironment;
    const view = decodeURIComponent(/#token=([^&]+)/.exec(viewLink)?.[1] ?? "");
    const statusOf = async (at: number, path: string, key: string, method = "GET"): Promise<number> =>
      (await send(processes[at]?.url ?? "", `/__admin/environments/${path}`, { key, method })).status;
    const expectAccess = async (): Promise<void> => {
      for (const at of [1, 0]) {
        expect(await statusOf(at, `${id}/clock`, adminToken)).toBe(200);
        expect(await statusOf(at, `${id}/clock`, view)).toBe(200);
        expect(await statusOf(at, `${id}/requests`, adminToken, "DELETE")).toBeLessThan(300);
        expect(await statusOf(at, `${id}/requests`, view, "DELETE")).toBe(403);
        expect(await statusOf(at, `${otherEnvironment.id}/clock`, adminToken)).toBe(403);
      }
    };
    await expectAccess();
    await Promise.all(processes.map(({ end }) => end("SIGTERM")));
    for (const at of [0, 1]) processes[at] = await startProcess(db, settings);
    await expectAccess();
    expect(await statusOf(0, id, adminToken, "DELETE")).toBeLessThan(300);
    for (const at of [0, 1]) {
      expect(await statusOf(at, `${id}/clock`, adminToken)).toBe(401);
      expect(await statusOf(at, `${id}/clock`, view)).toBe(401);
    }
  });

  test("each process lists all environments as they are now, in the order of opening", async () => {
    const processes = await startTwo(use.cluster.newAddress());
    const ids = ["default"];
    for (let nth = 0; nth < 6; nth++) {
      ids.push((await processes[nth % 2]?.sandbox.openEnvironment({ label: `label ${nth}`, speed: 0 }))?.id ?? "");
    }
    const last = await processes[1].sandbox.environment(ids.at(-1) ?? "");
    const { now } = await last.clock.advance("5h");
    for (const { sandbox, url } of processes) {
      const full = await sandbox.environments();
      expect(full.map(({ id }) => id)).toEqual(ids);
      expect(full.at(-1)).toMatchObject({ label: "label 5", clock: { now } });
      const { json } = await send(url, "/__admin/environments?summary=true", { key: null });
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual(ids);
      expect(json.data.at(-1)).toMatchObject({ label: "label 5", clock: { now, speed: 0 } });
    }
  });

  test("the maximum number of environments is that of the database", async () => {
    const processes = await startTwo(use.cluster.newAddress(), { maxEnvironments: 4 });
    for (let nth = 0; nth < 3; nth++) await processes[nth % 2]?.sandbox.openEnvironment();
    for (const { sandbox } of processes) {
      await expect(sandbox.openEnvironment()).rejects.toMatchObject({
        code: "conflict",
        message: "There are 4 environments already; delete one first, or start with a higher --max-environments.",
      });
    }
    await (await processes[1].sandbox.environment((await idsOf(processes[0].sandbox)).at(-1) ?? "")).close();
    await processes[0].sandbox.openEnvironment();
  });

  test("an environment expires when no process has used it for its time, and its row goes", async () => {
    const db = use.cluster.newAddress();
    const processes = await startTwo(
      db,
      {},
      { cleanupIntervalMs: 100, idleEnvironmentMs: 300, heartbeatIntervalMs: 50 },
    );
    const [usedEnvironment] = await openOn(processes, { ttlSeconds: 3 });
    const [unusedEnvironment] = await openOn(processes, { ttlSeconds: 1 });
    const rows = async (): Promise<string[]> =>
      (await use.cluster.query("select id from sandbox_environments order by number", [], schemaOf(db))).map(
        ({ id }) => id,
      );
    expect(await rows()).toEqual(["default", usedEnvironment.id, unusedEnvironment.id]);
    const startedAt = performance.now();
    let [lastUsedAt, longestPauseMs] = [startedAt, 0];
    for (let nth = 0; performance.now() - startedAt < 5000; nth++) {
      const { status } = await call(processes[nth % 2] as SandboxProcess, usedEnvironment.keys.partner);
      // On a machine that is too busy to use the environment, the result says nothing.
      longestPauseMs = Math.max(longestPauseMs, performance.now() - lastUsedAt);
      if (longestPauseMs < 2000) expect(status).toBe(200);
      lastUsedAt = performance.now();
      await wait(100);
    }
    await until(async () => !(await rows()).includes(unusedEnvironment.id));
    for (const server of processes) {
      expect((await call(server, unusedEnvironment.keys.partner)).status).toBe(401);
      expect((await admin(server, unusedEnvironment.id, "/clock")).status).toBe(404);
    }
    await until(async () => (await rows()).length === 1);
    for (const { sandbox } of processes) expect(await idsOf(sandbox)).toEqual(["default"]);
  });

  test("environments that are unused or too many for a process are released, with journal and limits", async () => {
    const db = use.cluster.newAddress();
    const processes = await startTwo(
      db,
      { rateLimit: 5 },
      { heartbeatIntervalMs: 50, idleEnvironmentMs: 60_000, maxOpenEnvironments: 3 },
    );
    const ownedCount = async (): Promise<number> =>
      (await use.cluster.query("select 1 from sandbox_environments where owner is not null", [], schemaOf(db))).length;
    const opened: Environment[] = [];
    for (let nth = 0; nth < 12; nth++) opened.push((await openOn(processes, { rateLimit: 5 }))[0]);
    for (let round = 1; round <= 3; round++) {
      for (const { keys } of opened) {
        expect((await call(processes[round % 2] as SandboxProcess, keys.partner)).status).toBe(200);
      }
      await until(async () => (await ownedCount()) <= 6);
    }
    for (const environment of opened) {
      expect(await environment.requests.count()).toBe(3);
      expect(await environment.limits.list()).toEqual(
        expect.arrayContaining([expect.objectContaining({ used: 3, limit: 5 })]),
      );
    }
    const idleProcesses = await startTwo(
      use.cluster.newAddress(),
      {},
      { heartbeatIntervalMs: 50, idleEnvironmentMs: 200 },
    );
    const [environment] = await openOn(idleProcesses);
    expect((await call(idleProcesses[1], environment.keys.partner)).status).toBe(200);
    const schema = `test_${Number(schemaOf(db).split("_")[1]) + 1}`;
    await until(
      async () =>
        (await use.cluster.query("select 1 from sandbox_environments where owner is not null", [], schema)).length ===
        0,
    );
    expect(await environment.requests.count()).toBe(1);
  });

  test("an environment that another process deleted is gone, and its id can be used again", async () => {
    const processes = await startTwo(use.cluster.newAddress());
    const { id, keys } = await processes[0].sandbox.openEnvironment({ id: "mine", label: "first" });
    const here = await processes[0].sandbox.environment(id);
    const there = await processes[1].sandbox.environment(id);
    await here.clock.advance("1h");
    await there.close();
    for (const server of processes) {
      expect((await call(server, keys.partner)).status).toBe(401);
      expect((await admin(server, id, "/clock")).status).toBe(404);
      expect(await idsOf(server.sandbox)).toEqual(["default"]);
    }
    await processes[1].sandbox.openEnvironment({ id: "mine", label: "second" });
    for (const { sandbox } of processes) {
      const again = await (await sandbox.environment("mine")).describe();
      expect(again).toMatchObject({ label: "second", clock: { now: "2026-01-15T12:00:00.000Z" } });
    }
  });

  test("one of four concurrent calls that open the same id succeeds", async () => {
    const processes = await startTwo(use.cluster.newAddress());
    for (let round = 0; round < 5; round++) {
      const opened = [0, 1, 0, 1].map(async (at) => {
        const ask = { method: "POST", key: null, headers: { "content-type": "application/json" } };
        const body = JSON.stringify({ id: `one-${round}` });
        const { status, json } = await send(processes[at]?.url ?? "", "/__admin/environments", { ...ask, body });
        return json.detail ?? status;
      });
      expect(counts(await Promise.all(opened))).toEqual({
        201: 1,
        [`There is an environment "one-${round}" already.`]: 3,
      });
    }
  });

  test("a reset by another process returns everything to the beginning", async () => {
    const processes = await startTwo(use.cluster.newAddress());
    const [here, there] = await openOn(processes);
    await here.clock.advance("5h");
    const issued = await here.keys.issue({ type: "partner" });
    await call(processes[0], here.keys.partner);
    await there.reset();
    for (const environment of [here, there]) {
      expect((await environment.clock.get()).now).toBe("2026-01-15T12:00:00.000Z");
      expect((await environment.keys.list()).map(({ key }) => key)).not.toContain(issued.key);
      expect(await environment.requests.count()).toBe(0);
    }
    for (const server of processes) expect((await call(server, issued.key)).status).toBe(401);
  });

  test("two schemas of one database are independent", async () => {
    const [first] = [await startProcess(use.cluster.newAddress())];
    const second = await startProcess(use.cluster.newAddress());
    const environment = await first.sandbox.openEnvironment({ id: "mine" });
    await environment.clock.advance("1h");
    expect(await idsOf(second.sandbox)).toEqual(["default"]);
    await second.sandbox.openEnvironment({ id: "mine" });
    expect((await (await second.sandbox.environment("mine")).clock.get()).now).toBe("2026-01-15T12:00:00.000Z");
  });

  test("readiness does not depend on the database, and a start waits for the database", async () => {
    const db = use.cluster.newAddress();
    const first = await startProcess(db);
    const health = (query = "?ready") => send(first.url, `/__admin/health${query}`, { key: null });
    expect(await health()).toMatchObject({ status: 200, json: { status: "ok", database: "ok" } });
    await use.cluster.stop();
    onTestFinished(() => use.cluster.start());
    await until(async () => expect((await health()).json).toMatchObject({ database: "away" }));
    expect(await health()).toMatchObject({ status: 200, json: { status: "ok" } });
    const starting = startProcess(db);
    const refused = await send(first.url, "/__admin/environments", { key: null });
    expect(refused).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      json: {
        code: "storage_unavailable",
        detail: "The database of the sandbox does not respond; nothing was applied.",
      },
    });
    const response = await call(first, known.keys.partner);
    expect([response.status, response.headers["retry-after"]]).toEqual([503, "1"]);
    await use.cluster.start();
    const second = await starting;
    await until(async () => expect((await health()).json).toMatchObject({ database: "ok" }));
    for (const sandboxProcess of [first, second])
      expect((await call(sandboxProcess, known.keys.partner)).status).toBe(200);
    expect(await second.sandbox.requests.count()).toBe(2);
  });

  /** Returns a copy of a snapshot in which one secret is replaced with another. */
  function forge(snapshot: Snapshot, [from, to]: Two<string>): Snapshot {
    const { checksum: _, ...body } = JSON.parse(JSON.stringify(snapshot).replaceAll(from, to)) as Snapshot;
    return { ...body, checksum: checksumOf(body) };
  }

  test("a snapshot with a secret of an environment in another process cannot take that secret", async () => {
    const processes = await startTwo(use.cluster.newAddress(), { fixture: "demo" });
    // The keys have the same routing prefix. A secret with another prefix would get that of the environment.
    const victim = await processes[0].sandbox.openEnvironment({ id: "team-ada", scenarios: [] });
    const secret = (await victim.keys.issue({ type: "partner" })).key;
    const attacker = await processes[1].sandbox.openEnvironment({ id: "team-bob", scenarios: [] });
    const ownKey = await attacker.keys.issue({ type: "partner" });
    const forged = forge(await attacker.snapshot(), [ownKey.key, secret]);
    const before = await attacker.keys.list();
    await expect(attacker.restore(forged)).rejects.toMatchObject({
      code: "conflict",
      message: "Another environment has a key with the secret of one of its keys.",
    });
    for (const { sandbox, url } of processes) {
      expect((await (await sandbox.environment(attacker.id)).keys.list()).map(({ key }) => key)).toEqual(
        before.map(({ key }) => key),
      );
      const count = await victim.requests.count();
      await send(url, "/api/v1/offerings/of-unknown", { key: secret });
      expect(await victim.requests.count()).toBe(count + 1);
    }
    // The environment continues.
    await attacker.clock.advance("1h");
  });

  test("reads and resets in one process wait for a long clock advance in another", async () => {
    const processes = await startTwo(use.cluster.newAddress(), {}, { queryTimeoutMs: 20_000 });
    const [here, there] = await openOn(processes);
    const repeat = { count: 1500, every: "1m" };
    await here.play({ repeat, investment: { amount: 100 }, steps: [{ event: "PAYMENT SUBMITTED" }] });
    const { now: start } = await here.clock.get();
    const advance = here.clock.advance("26h");
    // The two requests race to two processes: a read is before the advance or after it, never in the middle.
    let read = await there.clock.get();
    while (read.now === start) read = await there.clock.get();
    expect(read.now).toBe((await advance).now);
    expect((await there.runs.list())[0]?.investment_ids.length).toBeGreaterThanOrEqual(1500);
    await there.reset();
    await here.play({ repeat, investment: { amount: 100 }, steps: [{ event: "PAYMENT SUBMITTED" }] });
    const again = here.clock.advance("26h").catch((error: unknown) => error);
    // A response of the same process, so that the advance arrived there before the reset is sent to the other one.
    await fetch(new URL("/__admin/health", processes[0].url));
    await there.reset();
    await again;
    for (const each of [here, there]) {
      expect((await each.clock.get()).now).toBe("2026-01-15T12:00:00.000Z");
      expect(await each.runs.list()).toEqual([]);
    }
  });

  test("a process without the fixture of an environment refuses only this environment", async () => {
    const db = use.cluster.newAddress();
    const first = await startProcess(db);
    const [refused, sound] = [await first.sandbox.openEnvironment(), await first.sandbox.openEnvironment()];
    await first.end("SIGTERM");
    const row = "sandbox_environments where id = $1";
    const [{ document }] = await use.cluster.query(`select document from ${row}`, [refused.id], schemaOf(db));
    const { checksum: _, ...body } = { ...JSON.parse(document), fixture_checksum: "0".repeat(64) };
    const changed = JSON.stringify({ ...body, checksum: checksumOf(body) });
    const update = "update sandbox_environments set document = $2 where id = $1";
    await use.cluster.query(update, [refused.id, changed], schemaOf(db));
    const second = await startProcess(db);
    expect(await admin(second, refused.id, "/clock")).toMatchObject({
      status: 409,
      json: {
        code: "conflict",
        detail: expect.stringMatching(
          /^The environment was opened over the fixture "known", which this process was not/,
        ),
      },
    });
    expect((await admin(second, sound.id, "/clock")).status).toBe(200);
    const { status, json } = await send(second.url, "/__admin/environments?summary=true", { key: null });
    expect([status, json.data.map(({ id }: { id: string }) => id)]).toEqual([200, ["default", refused.id, sound.id]]);
    expect(await idsOf(second.sandbox)).toEqual(["default", sound.id]);
    expect((await admin(second, refused.id, "", undefined, { method: "DELETE" })).status).toBe(409);
  });

  test("no client can stop one of several processes", async () => {
    const second = await startProcess(use.cluster.newAddress());
    const refused = await send(second.url, "/__admin/stop", { method: "POST", key: null });
    expect(refused).toMatchObject({
      status: 403,
      json: { code: "refused", detail: "Several processes serve these environments: stop them where they run." },
    });
  });
});
