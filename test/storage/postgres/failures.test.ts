import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../../src/index.ts";
import { Cluster, describeWithPostgres, useCluster } from "../../support/postgres.ts";
import { startRelay } from "../../support/relay.ts";
import { until } from "../../support/until.ts";
import { call, on, type SandboxProcess, startProcess, startProcesses } from "./processes.ts";
import { whileWriting, Writer } from "./writers.ts";

/** `ROUNDS=10 npx vitest run --project slow test/storage/postgres` does ten times as much. */
const rounds = Number(process.env["ROUNDS"] ?? 1);

/** Shorter timings than those of users, in the same proportions. */
const timings = { heartbeatIntervalMs: 200, leaseDurationMs: 600, takeoverDelayMs: 600, idleSessionTimeoutMs: 2000 };

type Two<Value> = readonly [Value, Value];

/** The bytes of a request for the instant of a clock. */
const clockRequest = (id: string): string =>
  `GET /__admin/environments/${id}/clock HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** A connection whose requests wait in the buffer of a stopped process. */
class Pipeline {
  readonly #socket;
  #received = "";

  constructor({ url }: SandboxProcess) {
    this.#socket = connect(Number(new URL(url).port), "127.0.0.1");
    this.#socket.setEncoding("utf8").on("data", (part: string) => (this.#received += part));
    this.#socket.on("error", () => {});
    onTestFinished(() => void this.#socket.destroy());
  }

  async put(text: string): Promise<void> {
    if (this.#socket.connecting) await once(this.#socket, "connect");
    this.#socket.write(text);
  }

  /** The instants in the successful responses so far, and the statuses of the other responses. */
  get responses(): string[] {
    return Array.from(
      this.#received.matchAll(/"now": ?"([^"]+)"|HTTP\/1\.1 ([45]\d\d)/g),
      ([, now, status]) => now ?? status ?? "",
    );
  }
}

describeWithPostgres("failures over one database, where PostgreSQL is installed", () => {
  const use = useCluster();

  /** Ends random sessions of sandboxes. With `hasLocks`, ends only sessions that hold a lock: each process has one. */
  function endSessions(limit: number, hasLocks = false): Promise<unknown> {
    const which = hasLocks ? "pid in (select pid from pg_locks where locktype = 'advisory')" : "true";
    return use.cluster.query(
      `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
       where application_name like 'offering-sandbox%' and ${which} order by random() limit ${limit}) as chosen`,
    );
  }

  async function openWriters(processes: readonly SandboxProcess[], count: number): Promise<Writer[]> {
    return Promise.all(
      Array.from({ length: count }, (_, nth) => Writer.open(processes[nth % processes.length] as SandboxProcess)),
    );
  }

  test("acknowledged commands survive kill -9, and none is done twice", async () => {
    const db = use.cluster.newAddress();
    const processes = await startProcesses(2, db, {}, timings);
    const writers = await openWriters(processes, 6);
    await whileWriting(
      writers,
      (nth) => processes[nth % 2] as SandboxProcess,
      async () => {
        for (let round = 0; round < 4 * rounds; round++) {
          await wait(600);
          const [victim, survivor] = [round % 2, (round + 1) % 2];
          await processes[victim]?.end("SIGKILL");
          const startedAt = performance.now();
          for (const { id } of writers) await (await on([processes[survivor] as SandboxProcess], id))[0]?.clock.get();
          // The takeover delay is 0.6 s of this.
          expect(performance.now() - startedAt).toBeLessThan(15_000);
          processes[victim] = await startProcess(db, {}, timings);
        }
      },
    );
    for (const writer of writers) await writer.expectActive(processes[0] as SandboxProcess);
  });

  test("a stopped process sends nothing stale after another took over", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress(), {}, timings);
    const [first, second] = processes as unknown as Two<SandboxProcess>;
    for (let round = 0; round < 2 * rounds; round++) {
      const writers = await openWriters([first], 3);
      for (const writer of writers) await writer.write(first);
      first.child.kill("SIGSTOP");
      const pipelines = writers.map(() => new Pipeline(first));
      for (const [nth, { id }] of writers.entries()) await pipelines[nth]?.put(clockRequest(id));
      const pendingWrites = writers.map((writer) => writer.write(first));
      const now: string[] = [];
      for (const writer of writers) {
        await writer.write(second);
        now.push((await (await second.sandbox.environment(writer.id)).clock.advance("1h")).now);
      }
      for (const [nth, { id }] of writers.entries()) await pipelines[nth]?.put(clockRequest(id).repeat(10));
      first.child.kill("SIGCONT");
      await Promise.all(pendingWrites);
      await until(() => pipelines.every(({ responses }) => responses.length === 11));
      for (const [nth, { responses }] of pipelines.entries()) {
        expect(responses.slice(1)).toEqual(Array.from({ length: 10 }, () => now[nth]));
      }
      for (const writer of writers) await writer.expectActive(second);
    }
  });

  /**
   * Ends the session of a stopped process, while another process performs a command. Returns the number of reads that
   * began after the response to the command, and do not show its effect.
   */
  async function staleAfterLostSession(
    db: string,
    sandboxProcess: SandboxProcess,
    [here, there]: Two<Environment>,
    stoppedMs: number,
  ): Promise<number> {
    await there.clock.advance("1h");
    const survivingPid = await sessionOwning(there, db);
    const pipelines = Array.from({ length: 10 }, () => new Pipeline(sandboxProcess));
    // The process accepts the connections before it stops. Then it reads them in the order in which they were written
    // to.
    for (const pipeline of pipelines) await pipeline.put(clockRequest(here.id));
    await until(() => pipelines.every(({ responses }) => responses.length === 1));
    await here.clock.advance("1h");
    sandboxProcess.child.kill("SIGSTOP");
    for (const pipeline of pipelines) await pipeline.put(clockRequest(here.id));
    await use.cluster.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> $1",
      [survivingPid],
    );
    let commanded = "";
    const command = there.clock.advance("1h").then(({ now }) => (commanded = now));
    await Promise.race([command, wait(stoppedMs)]);
    const hasCommanded = commanded !== "";
    if (hasCommanded) for (const pipeline of pipelines) await pipeline.put(clockRequest(here.id));
    sandboxProcess.child.kill("SIGCONT");
    const now = await command;
    await until(() => pipelines.every(({ responses }) => responses.length === (hasCommanded ? 3 : 2)));
    const begunAfter = pipelines.flatMap(({ responses }) => responses.slice(2));
    begunAfter.push((await here.clock.get()).now);
    return begunAfter.filter((response) => response !== now).length;
  }

  /** Returns the server process of the session that owns an environment. */
  async function sessionOwning({ id }: Environment, db: string): Promise<number> {
    const [{ pid }] = await use.cluster.query(
      `select pid from sandbox_environments join pg_locks
       on locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = owner where id = $1`,
      [id],
      new URL(db).searchParams.get("schema") ?? "",
    );
    return pid;
  }

  test("a session that ends while its process is stopped leaves no stale response", async () => {
    const db = use.cluster.newAddress();
    const processes = await startProcesses(2, db, {}, timings);
    const [first] = processes as unknown as Two<SandboxProcess>;
    const { id } = await first.sandbox.openEnvironment();
    const environments = (await on(processes, id)) as unknown as Two<Environment>;
    for (const stoppedMs of fc.sample(fc.constantFrom(20, 100, 300, 5000), 8 * rounds)) {
      expect(await staleAfterLostSession(db, first, environments, stoppedMs)).toBe(0);
    }
  });

  test("without a takeover delay, the same gives stale responses, so the previous test can fail", async () => {
    const hasty = { ...timings, leaseDurationMs: 5000, takeoverDelayMs: 1 };
    const db = use.cluster.newAddress();
    const processes = await startProcesses(2, db, {}, hasty);
    const [first] = processes as unknown as Two<SandboxProcess>;
    const { id } = await first.sandbox.openEnvironment();
    const environments = (await on(processes, id)) as unknown as Two<Environment>;
    let stale = 0;
    for (let round = 0; round < 20 && stale === 0; round++) {
      stale = await staleAfterLostSession(db, first, environments, 5000);
    }
    expect(stale).toBeGreaterThan(0);
  });

  test("restarts, crashes and outages of PostgreSQL lose nothing, repeat nothing, and journals continue", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress(), {}, timings);
    const [first] = processes as unknown as Two<SandboxProcess>;
    const writers = await openWriters(processes, 6);
    const reader = await first.sandbox.openEnvironment({ rateLimit: 0 });
    const statuses: number[] = [];
    const outages = [
      () => use.cluster.restart("fast"),
      () => use.cluster.restart("immediate"),
      async () => {
        await use.cluster.stop("immediate");
        await wait(6500);
        await use.cluster.start();
      },
    ];
    await whileWriting(
      writers,
      (nth) => processes[nth % 2] as SandboxProcess,
      async () => {
        for (const outage of outages) {
          await wait(500);
          const before = writers.map(({ refused, unknown }) => refused + unknown);
          const startedAt = performance.now();
          const back = new AbortController();
          const ending = outage().finally(() => back.abort());
          for (let after = 0; after < 10; after += Number(back.signal.aborted)) {
            statuses.push((await call(first, reader.keys.partner)).status);
            await wait(20);
          }
          await ending;
          await wait(1000);
          // Each call waits for five seconds before it is refused. One more may have lost a claim that was not on the
          // disk.
          const most = 2 + Math.floor((performance.now() - startedAt) / 5000);
          for (const [nth, { refused, unknown }] of writers.entries())
            expect(refused + unknown - (before[nth] ?? 0)).toBeLessThanOrEqual(most);
        }
      },
    );
    for (const writer of writers) await writer.expectActive(first);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await reader.requests.count()).toBe(statuses.filter((status) => status === 200).length);
    expect((await reader.requests.list()).data.at(-1)?.id).toBe(statuses.filter((status) => status === 200).length);
  });

  test("sessions that end at random during transfers leave nothing stale, lost or repeated", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress(), {}, timings);
    const writers = await openWriters(processes, 4);
    const { id } = (await processes[0]?.sandbox.openEnvironment()) ?? { id: "" };
    const environments = (await on(processes, id)) as unknown as Two<Environment>;
    const stale: object[] = [];
    await whileWriting(
      writers,
      (nth) => processes[nth % 2] as SandboxProcess,
      async () => {
        for (let round = 0; round < 30 * rounds; round++) {
          await endSessions(2, round % 2 === 0);
          const command = await environments[round % 2]?.clock.advance("1h");
          const reads = await Promise.all(environments.map((environment) => environment.clock.get()));
          for (const { now } of reads) if (now !== command?.now) stale.push({ round, now, expected: command?.now });
        }
      },
    );
    expect(stale).toEqual([]);
    for (const writer of writers) await writer.expectActive(processes[0] as SandboxProcess);
  });

  test("reads do not wait for a row that another client has locked, and the command does", async () => {
    const db = use.cluster.newAddress();
    const first = await startProcess(db, {}, timings);
    const environment = await first.sandbox.openEnvironment({ rateLimit: 0 });
    await environment.clock.advance("1h");
    const client = await use.cluster.connect(new URL(db).searchParams.get("schema") ?? "");
    onTestFinished(() => client.end());
    await client.query("begin");
    await client.query("select 1 from sandbox_environments where id = $1 for update", [environment.id]);
    let hasResponse = false;
    const command = environment.clock.advance("1h").finally(() => (hasResponse = true));
    const locked = performance.now();
    const statuses: number[] = [];
    for (let reads = 0; reads < 50 || performance.now() - locked < 1500; reads++) {
      statuses.push((await call(first, environment.keys.partner)).status);
    }
    expect([hasResponse, statuses.filter((status) => status !== 200)]).toEqual([false, []]);
    await client.query("commit");
    const { now } = await command;
    expect((await environment.clock.get()).now).toBe(now);
  });

  test("a process behind a silent network sends nothing stale, and continues when the network recovers", async () => {
    const direct = use.cluster.newAddress();
    const relay = await startRelay(use.cluster.port);
    const processes = [
      await startProcess(direct.replace(String(use.cluster.port), String(relay.port)), {}, timings),
      await startProcess(direct, {}, timings),
    ];
    const { id } = (await processes[0]?.sandbox.openEnvironment()) ?? { id: "" };
    const [here, there] = (await on(processes, id)) as unknown as Two<Environment>;
    await here.clock.advance("1h");
    relay.stopForwarding();
    const before: Promise<string>[] = [];
    const taken = new AbortController();
    const command = there.clock.advance("1h").finally(() => taken.abort());
    while (!taken.signal.aborted) {
      before.push(
        here.clock.get().then(
          ({ now }) => now,
          ({ code }) => code,
        ),
      );
      await wait(100);
    }
    const { now } = await command;
    const after = here.clock.get().then(
      (clock) => clock.now,
      ({ code }) => code,
    );
    expect([now, "storage_unavailable"]).toContain(await after);
    relay.heal();
    await Promise.all(before);
    expect((await here.clock.get()).now).toBe(now);
    const later = await here.clock.advance("1h");
    expect((await there.clock.get()).now).toBe(later.now);
  });

  test("a process whose connections are silent continues over new connections", async () => {
    const direct = use.cluster.newAddress();
    const relay = await startRelay(use.cluster.port);
    const processes = [
      await startProcess(
        direct.replace(String(use.cluster.port), String(relay.port)),
        {},
        { ...timings, queryTimeoutMs: 1000 },
      ),
      await startProcess(direct, {}, timings),
    ];
    const writers = await openWriters(processes.slice(0, 1), 6);
    await whileWriting(
      writers,
      () => processes[0] as SandboxProcess,
      async () => {
        await until(() => writers.every(({ acknowledged }) => acknowledged > 5));
        relay.lose();
        const before = writers.map(({ acknowledged }) => acknowledged);
        await until(() => writers.every(({ acknowledged }, nth) => acknowledged > (before[nth] ?? 0) + 5));
      },
    );
    for (const server of processes) for (const writer of writers) await writer.expectActive(server);
  });

  test("a stopped process does not delete an environment as unused that another process has used", async () => {
    const [first, second] = (await startProcesses(
      2,
      use.cluster.newAddress(),
      {},
      timings,
    )) as unknown as Two<SandboxProcess>;
    const { id, keys } = await first.sandbox.openEnvironment({ ttlSeconds: 2 });
    const [here, there] = (await on([first, second], id)) as unknown as Two<Environment>;
    await here.clock.advance("1h");
    first.child.kill("SIGSTOP");
    const startedAt = performance.now();
    const early = call(first, keys.partner);
    while (performance.now() - startedAt < 4000) await there.clock.advance("1h");
    first.child.kill("SIGCONT");
    const { now } = await there.clock.advance("1h");
    expect((await early).status).toBe(200);
    expect((await here.clock.get()).now).toBe(now);
  });

  test("a failover to a synchronous standby loses nothing, and does nothing twice", async () => {
    const primary = await Cluster.create();
    onTestFinished(() => primary.remove());
    const standby = await Cluster.createStandby(primary);
    onTestFinished(() => standby.remove());
    await primary.query("alter system set synchronous_standby_names = '*'");
    await primary.query("select pg_reload_conf()");
    await until(
      async () => (await primary.query("select 1 from pg_stat_replication where sync_state = 'sync'")).length > 0,
    );
    const relay = await startRelay(primary.port);
    const db = primary.newAddress().replace(String(primary.port), String(relay.port));
    const processes = await startProcesses(2, db, {}, timings);
    const writers = await openWriters(processes, 4);
    await whileWriting(
      writers,
      (nth) => processes[nth % 2] as SandboxProcess,
      async () => {
        await wait(1000);
        await primary.stop("immediate");
        await standby.promote();
        relay.turnTo(standby.port);
        const acknowledged = writers.map((writer) => writer.acknowledged);
        await until(() => writers.every((writer, nth) => writer.acknowledged > (acknowledged[nth] ?? 0) + 5));
      },
    );
    for (const writer of writers) await writer.expectActive(processes[0] as SandboxProcess);
  });
});
