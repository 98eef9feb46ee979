import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { Environment, Sandbox } from "../../src/public/control.ts";
import { connectSandbox } from "../../src/index.ts";
import { type LogLine, type Running, runProcess, start } from "../cli/cli.ts";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/packed.ts";
import { describeWithPostgres, useCluster } from "../support/postgres.ts";
import { known, knownFixture, send } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const folder = join(root, "examples", "haproxy");
const token = "the-token-of-this-test";
const openToken = "the-open-token-of-this-test";
const password = "the-password-of-the-database";

/** The variables that the compose file reads from its environment. */
const variables: Readonly<Record<string, string>> = {
  OFFERING_SANDBOX_ADMIN_TOKEN: token,
  OFFERING_SANDBOX_OPEN_TOKEN: openToken,
  POSTGRES_PASSWORD: password,
};

interface Compose {
  readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>;
}

/** A process as the compose file starts it, on the machine itself. */
class SandboxProcess {
  readonly url: string;
  readonly #port: string;
  readonly #env: Readonly<Record<string, string>>;
  /** The child processes in which it has run, one after the other. */
  readonly #runs: Running[] = [];

  private constructor(port: number, env: Readonly<Record<string, string>>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#port = String(port);
    this.#env = env;
  }

  static async start(service: string, { services }: Compose, db: string): Promise<SandboxProcess> {
    const settings = Object.entries(services[service]?.environment ?? {}).map(([name, value]) => {
      return [name, value.replace(/^\$\{(\w+):.*\}$/, (_, variable: string) => variables[variable] ?? "")] as const;
    });
    const env = { ...Object.fromEntries(settings), OFFERING_SANDBOX_DB: db };
    const server = new SandboxProcess(await freePort(), env);
    await server.run();
    return server;
  }

  async run(): Promise<void> {
    this.#runs.push(await start(["--port", this.#port, "--fixture", knownFixture], { env: { ...this.#env } }));
  }

  /** Returns the exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null | undefined> {
    return this.#runs.at(-1)?.stop(signal);
  }

  get output(): string {
    return this.#runs.flatMap(({ lines, stderr }) => [...lines, stderr]).join("\n");
  }

  /** The environments whose requests to the service got their response here. */
  get environments(): readonly unknown[] {
    const lines = this.#runs.flatMap((run) => run.lines).map((line) => JSON.parse(line) as LogLine);
    const calls = lines.filter(({ event, environment }) => event === "request" && environment !== null);
    return Array.from(new Set(calls.map(({ environment }) => environment)));
  }
}

interface ProxySetup {
  /** The address of the proxy. */
  readonly url: string;
  /** A connection through the proxy. */
  readonly sandbox: Sandbox;
  readonly processes: readonly [SandboxProcess, SandboxProcess];
  /** How often the proxy has logged this text. */
  readonly countSaid: (words: string) => number;
}

/** Both processes of the compose file, and HAProxy in front of them with the example's configuration. */
async function startBehindProxy(db: string): Promise<ProxySetup> {
  const compose = parse(await readFile(join(folder, "compose.yaml"), "utf8"), { merge: true }) as Compose;
  const processes = await Promise.all([
    SandboxProcess.start("sandbox-a", compose, db),
    SandboxProcess.start("sandbox-b", compose, db),
  ]);
  const port = String(await freePort());
  const [SANDBOX_A, SANDBOX_B] = processes.map(({ url }) => new URL(url).host);
  const proxy = spawn("haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], {
    env: { ...process.env, LISTEN_PORT: port, SANDBOX_A, SANDBOX_B },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const pendingClose = once(proxy, "close");
  let log = "";
  proxy.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  onTestFinished(async () => {
    proxy.kill("SIGKILL");
    await pendingClose;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (proxy.exitCode !== null) expect.fail(log);
    return (await send(url, "/__admin/health", { key: null })).status === 200;
  });
  const countLogged = (text: string): number => log.split(text).length - 1;
  return { url, sandbox: await connectSandbox(url, { token }), processes, countSaid: countLogged };
}

/** An environment of a client, and its expected state. */
interface Client {
  readonly environment: Environment;
  readonly keys: string[];
  now: number;
  requests: number;
}

async function openThroughProxy(sandbox: Sandbox): Promise<Client> {
  const environment = await sandbox.openEnvironment({ clock: "fixture", speed: 0, scenarios: [], rateLimit: 0 });
  const { now } = await environment.clock.get();
  return { environment, keys: [environment.keys.partner], now: Date.parse(now), requests: 0 };
}

const actions = {
  read: async (client: Client, url: string, keyIndex: number) => {
    const key = client.keys[keyIndex % client.keys.length] ?? "";
    const response = await send(url, `/api/v1/offerings/${known.aurora}`, { key });
    expect(response, response.text).toMatchObject({ status: 200 });
    client.requests++;
  },
  advance: async (client: Client) => {
    await client.environment.clock.advance("1h");
    client.now += 3_600_000;
  },
  issue: async (client: Client) => {
    client.keys.push((await client.environment.keys.issue({ type: "partner", offering_id: known.aurora })).key);
  },
  check: async ({ environment, now, requests }: Client) => {
    expect(Date.parse((await environment.clock.get()).now)).toBe(now);
    expect(await environment.requests.count()).toBe(requests);
  },
} as const;

const traffic = fc.record({
  kind: fc.constantFrom("read", "read", "read", "advance", "issue", "check"),
  pick: fc.nat(1000),
} as const);

async function performActions(client: Client, url: string, count: number): Promise<void> {
  for (const { kind, pick } of fc.sample(traffic, count)) await actions[kind](client, url, pick);
}

const isInstalled = spawnSync("haproxy", ["-v"]).status === 0;

describeWithPostgres("HAProxy in front of two sandboxes over PostgreSQL, where both are installed", () => {
  describe.skipIf(!isInstalled && !process.env["CI"])("with the settings of the compose file", () => {
    const cluster = useCluster();
    let count = 0;
    const newAddress = (): string => cluster.cluster.address(`compose_${++count}`, "guarded");

    beforeAll(async () => {
      await cluster.cluster.query(`create role guarded superuser login password '${password}'`);
    });

    test("each environment belongs to one process, and the other process knows every change and request of it", async () => {
      const { url, sandbox, processes } = await startBehindProxy(newAddress());
      const clients: Client[] = [];
      for (let index = 0; index < 12; index++) clients.push(await openThroughProxy(sandbox));
      const ids = clients.map(({ environment }) => environment.id);
      expect(ids).toEqual(clients.map((_, index) => `e${index + 1}`));
      await Promise.all(clients.map((client) => performActions(client, url, 40)));
      // Fixture's keys, unknown ones and none are of the default environment.
      for (const key of [known.keys.partner, `sandbox_partner_e99_${"0".repeat(32)}`, null]) {
        await send(url, "/api/v1/offerings/unknown", { key });
      }
      const [idsOfFirst, idsOfSecond] = [processes[0].environments, processes[1].environments];
      for (const processIds of [idsOfFirst, idsOfSecond]) expect(processIds.length).toBeGreaterThan(1);
      expect(idsOfFirst.filter((id) => idsOfSecond.includes(id))).toEqual([]);
      expect(new Set([...idsOfFirst, ...idsOfSecond])).toEqual(new Set(["default", ...ids]));
      for (const sandboxProcess of processes) {
        const direct = await connectSandbox(sandboxProcess.url, { token });
        expect((await direct.environments()).map(({ id }) => id)).toEqual(["default", ...ids]);
        for (const client of clients) {
          await actions.check({ ...client, environment: await direct.environment(client.environment.id) });
          for (let keyIndex = 0; keyIndex < client.keys.length; keyIndex++)
            await actions.read(client, sandboxProcess.url, keyIndex);
        }
      }
      for (const { output } of processes) expect(output).not.toContain(password);
    });

    test("the token and the links of an environment are valid in each process", async () => {
      const { url, processes } = await startBehindProxy(newAddress());
      const opener = await connectSandbox(url, { token: openToken });
      const { id, adminToken = "" } = await opener.openEnvironment({ speed: 0 });
      const links = await send(url, `/__admin/environments/${id}/links`, { method: "POST", key: adminToken });
      const viewToken = /#token=([^&]+)/.exec(links.json.view_link as string)?.[1] ?? "";
      for (const { url: address } of [{ url }, ...processes]) {
        const admin = await connectSandbox(address, { token: adminToken });
        const { now } = await admin.clock.advance("1h");
        const response = await send(address, `/__admin/environments/${id}/clock`, { key: viewToken });
        expect([response.status, response.json.now]).toEqual([200, now]);
        const refusal = await send(address, "/__admin/environments/default/clock", { key: adminToken });
        expect([refusal.status, refusal.json.code]).toEqual([403, "admin_token_insufficient"]);
      }
    });

    test("a connection that a fault breaks is broken through the proxy too, once", async () => {
      const { url, sandbox } = await startBehindProxy(newAddress());
      const { environment, keys } = await openThroughProxy(sandbox);
      const [key = ""] = keys;
      await environment.faults.add({ connection: "reset", times: 1 });
      await expect(send(url, `/api/v1/offerings/${known.aurora}`, { key })).rejects.toThrow(
        /socket hang up|ECONNRESET/,
      );
      expect((await send(url, `/api/v1/offerings/${known.aurora}`, { key })).status).toBe(200);
      expect(await environment.requests.count()).toBe(2);
    });

    test("during a rolling restart, no client gets an error, and no request is missing in a journal", async () => {
      const { url, sandbox, processes, countSaid } = await startBehindProxy(newAddress());
      const clients: Client[] = [];
      for (let index = 0; index < 8; index++) clients.push(await openThroughProxy(sandbox));
      const endOfRequests = new AbortController();
      const pendingClients = clients.map(async (client) => {
        while (!endOfRequests.signal.aborted) await performActions(client, url, 10);
      });
      const restarts = async (): Promise<void> => {
        for (const [index, server] of processes.entries()) {
          expect(await server.stop("SIGTERM")).toBe(0);
          await server.run();
          await until(() => countSaid("is UP") > index);
        }
      };
      await Promise.all([restarts().finally(() => endOfRequests.abort()), ...pendingClients]);
      for (const client of clients) await actions.check(client);
    });

    test("while PostgreSQL is away, both processes stay ready, and requests wait for it", async () => {
      const { url, sandbox, processes, countSaid } = await startBehindProxy(newAddress());
      const client = await openThroughProxy(sandbox);
      await cluster.cluster.stop();
      const health = (address: string, query = "") => send(address, `/__admin/health${query}`, { key: null });
      for (const server of processes) {
        await until(async () =>
          expect((await health(server.url)).json).toMatchObject({ status: "ok", database: "away" }),
        );
        expect((await health(server.url, "?ready")).status).toBe(200);
      }
      const path = `/api/v1/offerings/${known.aurora}`;
      const pendingResponse = send(url, path, { key: client.environment.keys.partner });
      await cluster.cluster.start();
      // The one code if the machine took longer than such a request waits.
      const { status, json } = await pendingResponse;
      if (status !== 200) expect([status, json.errors[0].code]).toEqual([503, "storage_unavailable"]);
      await until(async () =>
        expect((await send(url, path, { key: client.environment.keys.partner })).status).toBe(200),
      );
      await until(async () => expect((await health(url)).json).toMatchObject({ database: "ok" }));
      expect(countSaid("is DOWN")).toBe(0);
    });

    test("the statements of docs/sharing.md let a user store environments who may create nothing else", async () => {
      const page = await readFile(join(root, "docs", "sharing.md"), "utf8");
      // The cluster already has a user of the name on the page, who may do everything.
      const statementIn = (pattern: RegExp): string => (pattern.exec(page)?.[1] ?? "").replaceAll("sandbox", "keeper");
      for (const statement of statementIn(/^```sql\n([^`]+)```$/m)
        .trim()
        .split("\n"))
        await cluster.cluster.query(statement);
      await cluster.cluster.query(statementIn(/`(create schema [^`]+)`/));
      const server = `postgres://keeper@127.0.0.1:${cluster.cluster.port}`;
      for (const db of [`${server}/keeper`, `${server}/postgres?schema=team`]) {
        const { ready } = await start(["--db", db]);
        expect(ready.environment.id).toBe("default");
      }
      const refusal = await runProcess(["--db", `${server}/postgres?schema=another`]);
      const message = 'may not create tables in the schema "another" for "keeper"; docs/sharing.md has the statements';
      expect(refusal).toMatchObject({ code: 1, stderr: expect.stringContaining(message) as string });
    });

    test("after a process was killed, the other process has its environments with every confirmed change", async () => {
      const { url, sandbox, processes } = await startBehindProxy(newAddress());
      const clients: Client[] = [];
      for (let index = 0; index < 8; index++) clients.push(await openThroughProxy(sandbox));
      for (const client of clients) for (const command of [actions.issue, actions.advance]) await command(client);
      await processes[1].stop("SIGKILL");
      for (const { environment, keys, now } of clients) {
        await until(async () => expect(Date.parse((await environment.clock.get()).now)).toBe(now));
        for (const key of keys)
          expect((await send(url, `/api/v1/offerings/${known.aurora}`, { key })).status).toBe(200);
      }
    });
  });
});
