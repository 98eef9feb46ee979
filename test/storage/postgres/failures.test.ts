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

/** `ROUNDS=10 npx vitest run --project slow test/storage/postgres` does so many times as much. */
const rounds = Number(process.env["ROUNDS"] ?? 1);

/** As those of users, but shorter. */
const timings = { beat: 200, validity: 600, grace: 600, silence: 2000 };

type Two<Value> = readonly [Value, Value];

/** The instant of a clock, as a request for it that is sent byte by byte. */
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

  /** The instants in the responses so far, and the statuses of others. */
  get responses(): string[] {
    return Array.from(
      this.#received.matchAll(/"now": ?"([^"]+)"|HTTP\/1\.1 ([45]\d\d)/g),
      ([, now, status]) => now ?? status ?? "",
    );
  }
}

describeWithPostgres("failures over one database, where PostgreSQL is installed", () => {
  const use = useCluster();

  /** Ends sessions of sandboxes: all, or those that have a lock, which are one of each process. */
  function endSessions(limit: number, ofLocks = false): Promise<unknown> {
    const which = ofLocks ? "pid in (select pid from pg_locks where locktype = 'advisory')" : "true";
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
          const [victim, other] = [round % 2, (round + 1) % 2];
          await processes[victim]?.end("SIGKILL");
          const began = performance.now();
          for (const { id } of writers) await (await on([processes[other] as SandboxProcess], id))[0]?.clock.get();
          // `grace` is 0.6 s of it.
          expect(performance.now() - began).toBeLessThan(15_000);
          processes[victim] = await startProcess(db, {}, timings);
        }
      },
    );
    for (const writer of writers) await writer.expectActive(processes[0] as SandboxProcess);
  });

  test("a stopped process sends nothing stale after another took over", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress(), {}, timings);
    const [one, other] = processes as unknown as Two<SandboxProcess>;
    for (let round = 0; round < 2 * rounds; round++) {
      const writers = await openWriters([one], 3);
      for (const writer of writers) await writer.write(one);
      one.child.kill("SIGSTOP");
      const pipelines = writers.map(() => new Pipeline(one));
      for (const [nth, { id }] of writers.entries()) await pipelines[nth]?.put(clockRequest(id));
      const late = writers.map((writer) => writer.write(one));
      const now: string[] = [];
      for (const writer of writers) {
        await writer.write(other);
        now.push((await (await other.sandbox.environment(writer.id)).clock.advance("1h")).now);
      }
      for (const [nth, { id }] of writers.entries()) await pipelines[nth]?.put(clockRequest(id).repeat(10));
      one.child.kill("SIGCONT");
      await Promise.all(late);
      await until(() => pipelines.every(({ responses }) => responses.length === 11));
      for (const [nth, { responses }] of pipelines.entries()) {
        expect(responses.slice(1)).toEqual(Array.from({ length: 10 }, () => now[nth]));
      }
      for (const writer of writers) await writer.expectActive(other);
    }
  });

  /**
   * Ends the session of a process that is stopped, and lets another command meanwhile. Returns the number of reads that
   * began after the command was answered, and do not show it.
   */
  async function staleAfterLostSession(
    db: string,
    sandboxProcess: SandboxProcess,
    [here, there]: Two<Environment>,
    stopped: number,
  ): Promise<number> {
    await there.clock.advance("1h");
    const kept = await sessionOwning(there, db);
    const pipelines = Array.from({ length: 10 }, () => new Pipeline(sandboxProcess));
    // The process knows the connections before it stops: it looks first into those that were written to first.
    for (const pipeline of pipelines) await pipeline.put(clockRequest(here.id));
    await until(() => pipelines.every(({ responses }) => responses.length === 1));
    await here.clock.advance("1h");
    sandboxProcess.child.kill("SIGSTOP");
    for (const pipeline of pipelines) await pipeline.put(clockRequest(here.id));
    await use.cluster.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> $1",
      [kept],
    );
    let commanded = "";
    const command = there.clock.advance("1h").then(({ now }) => (commanded = now));
    await Promise.race([command, wait(stopped)]);
    const hasCommanded = commanded !== "";
    if (hasCommanded) for (const pipeline of pipelines) await pipeline.put(clockRequest(here.id));
    sandboxProcess.child.kill("SIGCONT");
    const now = await command;
    await until(() => pipelines.every(({ responses }) => responses.length === (hasCommanded ? 3 : 2)));
    const begunAfter = pipelines.flatMap(({ responses }) => responses.slice(2));
    begunAfter.push((await here.clock.get()).now);
    return begunAfter.filter((response) => response !== now).length;
  }

  /** The process of PostgreSQL for the session whose lock owns an environment. */
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
    const [one] = processes as unknown as Two<SandboxProcess>;
    const { id } = await one.sandbox.openEnvironment();
    const environments = (await on(processes, id)) as unknown as Two<Environment>;
    for (const stopped of fc.sample(fc.constantFrom(20, 100, 300, 5000), 8 * rounds)) {
      expect(await staleAfterLostSession(db, one, environments, stopped)).toBe(0);
    }
  });

  test("without `grace`, the same gives stale responses: so the test before can fail", async () => {
    const hasty = { ...timings, validity: 5000, grace: 1 };
    const db = use.cluster.newAddress();
    const processes = await startProcesses(2, db, {}, hasty);
    const [one] = processes as unknown as Two<SandboxProcess>;
    const { id } = await one.sandbox.openEnvironment();
    const environments = (await on(processes, id)) as unknown as Two<Environment>;
    let stale = 0;
    for (let round = 0; round < 20 && stale === 0; round++) {
      stale = await staleAfterLostSession(db, one, environments, 5000);
    }
    expect(stale).toBeGreaterThan(0);
  });

  test("PostgreSQL restarted, killed and away loses nothing, does nothing twice, and journals go on", async () => {
    const processes = await startProcesses(2, use.cluster.newAddress(), {}, timings);
    const [one] = processes as unknown as Two<SandboxProcess>;
    const writers = await openWriters(processes, 6);
    const reader = await one.sandbox.openEnvironment({ rateLimit: 0 });
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
          const began = performance.now();
          const back = new AbortController();
          const ending = outage().finally(() => back.abort());
          for (let after = 0; after < 10; after += Number(back.signal.aborted)) {
            statuses.push((await call(one, reader.keys.partner)).status);
            await wait(20);
          }
          await ending;
          await wait(1000);
          // Each call waits for five seconds before it is refused. One more may have been in an unsynced claim.
          const most = 2 + Math.floor((performance.now() - began) / 5000);
          for (const [nth, { refused, unknown }] of writers.entries())
            expect(refused + unknown - (before[nth] ?? 0)).toBeLessThanOrEqual(most);
        }
      },
    );
    for (const writer of writers) await writer.expectActive(one);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await reader.requests.count()).toBe(statuses.filter((status) => status === 200).length);
    expect((await reader.requests.list()).data.at(-1)?.id).toBe(statuses.filter((status) => status === 200).length);
  });

  test("sessions that end at random amid transfers leave nothing stale, lost or done twice", async () => {
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

  test("reads do not notice a row that somebody has locked, and its command comes after", async () => {
    const db = use.cluster.newAddress();
    const one = await startProcess(db, {}, timings);
    const environment = await one.sandbox.openEnvironment({ rateLimit: 0 });
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
      statuses.push((await call(one, environment.keys.partner)).status);
    }
    expect([hasResponse, statuses.filter((status) => status !== 200)]).toEqual([false, []]);
    await client.query("commit");
    const { now } = await command;
    expect((await environment.clock.get()).now).toBe(now);
  });

  test("a process whose network is silent sends nothing stale, and goes on when it heals", async () => {
    const direct = use.cluster.newAddress();
    const relay = await startRelay(use.cluster.port);
    const processes = [
      await startProcess(direct.replace(String(use.cluster.port), String(relay.port)), {}, timings),
      await startProcess(direct, {}, timings),
    ];
    const { id } = (await processes[0]?.sandbox.openEnvironment()) ?? { id: "" };
    const [here, there] = (await on(processes, id)) as unknown as Two<Environment>;
    await here.clock.advance("1h");
    relay.silence();
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

  test("a process whose connections are silent goes on over others", async () => {
    const direct = use.cluster.newAddress();
    const relay = await startRelay(use.cluster.port);
    const processes = [
      await startProcess(
        direct.replace(String(use.cluster.port), String(relay.port)),
        {},
        { ...timings, patience: 1000 },
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

  test("a process that was stopped does not remove as unused what another has used", async () => {
    const [one, other] = (await startProcesses(
      2,
      use.cluster.newAddress(),
      {},
      timings,
    )) as unknown as Two<SandboxProcess>;
    const { id, keys } = await one.sandbox.openEnvironment({ ttlSeconds: 2 });
    const [here, there] = (await on([one, other], id)) as unknown as Two<Environment>;
    await here.clock.advance("1h");
    one.child.kill("SIGSTOP");
    const began = performance.now();
    const early = call(one, keys.partner);
    while (performance.now() - began < 4000) await there.clock.advance("1h");
    one.child.kill("SIGCONT");
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
