import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../../src/index.ts";
import { start } from "../../cli/cli.ts";
import { describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { known, knownFixture, send } from "../../support/sandbox.ts";
import { parseMetrics } from "../../support/parse-metrics.ts";
import { until } from "../../support/until.ts";
import { call, on, type SandboxProcess, startProcess, startProcesses } from "./processes.ts";

const repeated = {
  repeat: { count: 4000, every: "1m" },
  investment: { amount: 100 },
  steps: [{ event: "PAYMENT SUBMITTED" }],
};

describeWithPostgres("what a process knows of other processes over its database, where PostgreSQL is installed", () => {
  const use = useCluster();

  /** Starts the command line over a database, and returns its warnings next to it. */
  async function startCommand(db: string, ...flags: readonly string[]) {
    const running = await start(["--db", db, "--fixture", knownFixture, "--no-scenario", ...flags]);
    const warnings = (): string[] =>
      running.lines.filter((line) => line.startsWith('{"event":"warning"')).map((line) => JSON.parse(line).message);
    return { ...running.ready, child: running.child, stop: () => running.stop(), warnings };
  }

  test("a description of the server says which process sent it", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress());
    const asked = [...processes, ...processes].map(({ url }) => send(url, "/__admin/server", { key: null }));
    const numbers = (await Promise.all(asked)).map(({ json }) => json.process as string);
    expect(numbers.slice(2)).toEqual(numbers.slice(0, 2));
    const locks = await use.cluster.query(
      "select ((classid::bigint << 32) | objid::bigint)::text as number from pg_locks where locktype = 'advisory'",
    );
    expect(new Set(numbers.slice(0, 2))).toEqual(new Set(locks.map(({ number }) => number)));
  });

  test("the log says that the database is lost, and that it responds again", async () => {
    const db = use.cluster.newAddress();
    const running = await start(["--db", db, "--fixture", knownFixture, "--no-scenario"]);
    await use.cluster.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
    expect(await running.event("warning")).toMatchObject({ level: "warn", message: expect.stringContaining("lost") });
    expect(await running.event("database")).toMatchObject({ level: "info", message: "PostgreSQL responds again." });
    expect(await running.stop()).toBe(0);
    expect(running.lines.map((line) => JSON.parse(line).event)).toEqual(["stopping"]);
  });

  test("metrics count statements, and environments that come from another process", async () => {
    const processes = (await startProcesses(2, use.cluster.newAddress())) as [SandboxProcess, SandboxProcess];
    const { keys } = await processes[0].sandbox.openEnvironment({ scenarios: [] });
    const transfers: (number | undefined)[] = [];
    for (const { url } of [processes[1], processes[0], processes[1]]) {
      expect((await call(processes.find((process) => process.url === url) ?? processes[0], keys.partner)).status).toBe(
        200,
      );
    }
    for (const { url } of processes) {
      const { samples } = parseMetrics((await send(url, "/__admin/metrics", { key: null })).text);
      expect(samples.get('db_client_operation_duration_seconds_count{db_system_name="postgresql"}')).toBeGreaterThan(1);
      expect(samples.get("offering_sandbox_database_up")).toBe(1);
      transfers.push(samples.get("offering_sandbox_transfers_total"));
    }
    expect(transfers[0]).toBeGreaterThanOrEqual(2);
    expect(transfers[1]).toBeGreaterThanOrEqual(2);
  });

  test("a reset by another process ends a long advance, whose command says so", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress());
    const { id } = (await processes[0]?.sandbox.openEnvironment({ scenarios: [] })) ?? { id: "" };
    const [here, there] = (await on(processes, id)) as [Environment, Environment];
    const outcomes: string[] = [];
    // On a busy machine, a reset may come before the long advance or after it.
    while (outcomes.length < 20 && !outcomes.includes("conflict")) {
      await here.play(repeated);
      const advance = here.clock.advance("70h").then(
        () => "done",
        ({ code, message }) => (/was reset or restored before its clock/.test(message) ? code : message),
      );
      const read = here.clock.get();
      await wait(200);
      await there.reset();
      outcomes.push(await advance);
      await read;
      // A long advance that came after the reset has moved the clock.
      if (outcomes.at(-1) === "done") await there.reset();
      for (const environment of [here, there]) {
        expect((await environment.clock.get()).now).toBe("2026-01-15T12:00:00.000Z");
        expect(await environment.runs.list()).toEqual([]);
      }
    }
    expect(outcomes).toContain("conflict");
  });

  test("requests that wait in any process are listed by all, until they end", async () => {
    const processes = await startProcesses(3, use.cluster.newAddress());
    const [first, second] = processes as [SandboxProcess, SandboxProcess];
    const { id, keys } = await first.sandbox.openEnvironment({ scenarios: [], rateLimit: 0 });
    const environments = await on(processes, id);
    await environments[0]?.faults.add({ delay: "10m", match: { path: "/offerings/*" } });
    const abortController = new AbortController();
    const path = `/api/v1/offerings/${known.aurora}`;
    const headers = { authorization: `Bearer ${keys.partner}` };
    const responses = [first, second].map(({ url }, nth) =>
      fetch(url + path, { headers, ...(nth === 0 && { signal: abortController.signal }) }).catch(() => {}),
    );
    const listCounts = (): Promise<number[]> =>
      Promise.all(environments.map(async (environment) => (await environment.requests.list()).waiting.length));
    await until(async () => (await listCounts()).every((count) => count === 2));
    const { waiting } = await (environments[2] as Environment).requests.list();
    expect(waiting).toMatchObject([{ path }, { path }]);
    const laterWaiting = (await (environments[2] as Environment).requests.list()).waiting;
    for (const [nth, { duration_ms: milliseconds }] of laterWaiting.entries()) {
      expect(milliseconds).toBeGreaterThanOrEqual(waiting[nth]?.duration_ms ?? Infinity);
    }
    abortController.abort();
    await until(async () => (await listCounts()).every((count) => count === 1));
    expect((await environments[2]?.requests.list())?.data).toMatchObject([{ status: null }]);
    await second.end("SIGKILL");
    await Promise.all(responses);
    environments.splice(1, 1);
    await until(async () => (await listCounts()).every((count) => count === 0));
  });

  test("a run that stopped is reported by the process where it stopped, once", async () => {
    const db = use.cluster.newAddress();
    const commands = [await startCommand(db), await startCommand(db)];
    const processes = commands.map(({ url }) => ({ url })) as SandboxProcess[];
    const steps = [{ after_reads: 1, sign: "unknown@elsewhere.test" }];
    const headers = { "content-type": "application/json" };
    const post = (at: number, where: string, body: object) =>
      send(commands[at]?.url ?? "", `/__admin${where}`, {
        method: "POST",
        key: null,
        headers,
        body: JSON.stringify(body),
      });
    const { json } = await post(0, "/environments", {});
    const { id, partner_key: key } = json as unknown as { id: string; partner_key: string };
    await post(0, `/environments/${id}/runs`, { scenario: { name: "unsigned", investment: known.whole, steps } });
    for (let nth = 0; nth < 6; nth++) {
      await call(processes[nth % 2] as SandboxProcess, key, `/investments/${known.whole}`);
      await post(nth % 2, `/environments/${id}/clock/advance`, { by: "1h" });
    }
    for (const { stop } of commands) await stop();
    const warnings = commands.map(({ warnings: of }) => of());
    expect(warnings).toEqual([[expect.stringMatching(/unsigned \(run-1\) stopped: /)], []]);
  });

  test("a start warns of other settings of a process that runs over the same schema", async () => {
    const db = use.cluster.newAddress();
    const token = ["--admin-token", "the-admin-token-of-all"];
    await startCommand(db, "--rate-limit", "60", ...token);
    const equal = await startCommand(db, "--rate-limit", "60", ...token);
    await startCommand(use.cluster.newAddress(), "--rate-limit", "70");
    const different = await startCommand(db, "--rate-limit", "50", "--admin-token", "another-admin-token");
    await different.stop();
    await equal.stop();
    const advice = "Processes over one database should have the same settings.";
    expect([equal.warnings(), different.warnings()]).toEqual([
      [],
      [
        `Another process over this database has --rate-limit 60. ${advice}`,
        `Another process over this database has other tokens. ${advice}`,
      ],
    ]);
  });

  test("a start over a restored copy does not warn of processes over the original", async () => {
    const db = use.cluster.newAddress();
    const schema = new URL(db).searchParams.get("schema") ?? "";
    await startCommand(db, "--rate-limit", "60");
    const [{ secret }] = await use.cluster.query(
      "select encode(link_secret, 'hex') as secret from sandbox_meta",
      [],
      schema,
    );
    await use.cluster.query("create database restored template template0");
    const copy = db.replace("/postgres?", "/restored?");
    await (await startCommand(copy)).stop();
    const client = new Client({ connectionString: copy });
    await client.connect();
    await client.query(`update ${schema}.sandbox_meta set link_secret = decode($1, 'hex')`, [secret]);
    await client.end();
    expect((await startCommand(copy, "--rate-limit", "70")).warnings()).toEqual([]);
  });

  /** Locks the rows of environments, until the connection rolls back or the test ends. */
  async function lockRows(db: string, environments: readonly Environment[]): Promise<Client> {
    const client = await use.cluster.connect(new URL(db).searchParams.get("schema") ?? "");
    onTestFinished(() => client.end());
    await client.query("begin");
    const ids = environments.map(({ id }) => id);
    await client.query("select 1 from sandbox_environments where id = any($1) for update", [ids]);
    return client;
  }

  test("rows that another client has locked delay only the commands of their environments", async () => {
    const db = use.cluster.newAddress();
    const { sandbox } = await startProcess(db, {}, { queryTimeoutMs: 20_000 });
    const locked = await Promise.all(Array.from({ length: 6 }, () => sandbox.openEnvironment()));
    const free = await sandbox.openEnvironment();
    const client = await lockRows(db, locked);
    let responded = 0;
    const commands = locked.map((environment) => environment.clock.advance("1h").finally(() => (responded += 1)));
    for (let nth = 0; nth < 5; nth++) await free.clock.advance("1h");
    expect(responded).toBe(0);
    await client.query("rollback");
    await Promise.all(commands);
  });

  test("a process begins a new session although another client has locked one of its rows", async () => {
    const db = use.cluster.newAddress();
    const { sandbox } = await startProcess(
      db,
      {},
      { takeoverDelayMs: 100, leaseDurationMs: 100, heartbeatIntervalMs: 20 },
    );
    const [locked, free] = [await sandbox.openEnvironment(), await sandbox.openEnvironment()];
    await locked.clock.advance("1h");
    const { now } = await free.clock.advance("1h");
    const client = await lockRows(db, [locked]);
    await use.cluster.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
    expect((await free.clock.get()).now).toBe(now);
    await free.clock.advance("1h");
    await client.query("rollback");
    expect((await locked.clock.get()).now).toBe(now);
  });

  test("an environment whose deletion is refused stays for every process", async () => {
    const db = use.cluster.newAddress();
    const processes = await startProcesses(2, db, {}, { queryTimeoutMs: 1000 });
    const environment = (await processes[0]?.sandbox.openEnvironment()) as Environment;
    await environment.clock.advance("1h");
    const client = await lockRows(db, [environment]);
    await expect(environment.close()).rejects.toMatchObject({ code: "storage_unavailable" });
    await client.query("rollback");
    const reads = (await on(processes.toReversed(), environment.id)).map(({ clock }) => clock.get());
    expect(new Set((await Promise.all(reads)).map(({ now }) => now))).toHaveLength(1);
  });
});
