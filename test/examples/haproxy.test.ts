import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import type { Environment, Sandbox } from "../../src/control.ts";
import { connectSandbox } from "../../src/index.ts";
import { type Running, start, temporaryFolder } from "../cli/cli.ts";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/packed.ts";
import { known, knownFixture, send } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const folder = join(root, "examples", "haproxy");
const token = "the-token-of-this-test";
const openToken = "the-open-token-of-this-test";

/** Those that the compose file takes from its surroundings. */
const variables: Readonly<Record<string, string>> = {
  OFFERING_SANDBOX_ADMIN_TOKEN: token,
  OFFERING_SANDBOX_OPEN_TOKEN: openToken,
};

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }>
  >;
}

/** A process as the compose file starts it, on the machine itself. */
interface Shard {
  readonly mark: string;
  readonly url: string;
  /** Kills it with -9. */
  readonly kill: () => Promise<unknown>;
  /** Starts it again, as before. */
  readonly restart: () => Promise<void>;
}

async function startShard(mark: string, services: Compose["services"]): Promise<Shard> {
  const { command = [], environment = {} } = services[mark.replace("s", "sandbox-")] ?? {};
  const data = temporaryFolder();
  const settings = Object.entries(environment).map(([name, value]) => {
    const variable = value.replace(/^\$\{(\w+):.*\}$/, (_, wanted: string) => variables[wanted] ?? "");
    return [name, variable.replace("/data", data)] as const;
  });
  const port = await freePort();
  const run = (): Promise<Running> =>
    start([...command, "--port", String(port), "--fixture", knownFixture], { env: Object.fromEntries(settings) });
  let running = await run();
  return {
    mark,
    url: `http://127.0.0.1:${port}`,
    kill: () => running.stop("SIGKILL"),
    async restart() {
      running = await run();
    },
  };
}

/** Both processes of the compose file, and HAProxy in front of them with the file beside it. */
async function startBehindProxy(): Promise<{ url: string; sandbox: Sandbox; shards: readonly [Shard, Shard] }> {
  const { services } = parse(await readFile(join(folder, "compose.yaml"), "utf8"), { merge: true }) as Compose;
  const shards = await Promise.all([startShard("s0", services), startShard("s1", services)]);
  const port = String(await freePort());
  const addresses = shards.map(({ mark, url }) => [`SHARD_${mark.slice(1)}`, new URL(url).host] as const);
  const proxy = spawn("haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], {
    env: { ...process.env, LISTEN_PORT: port, ...Object.fromEntries(addresses) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const closed = once(proxy, "close");
  let said = "";
  proxy.stderr.on("data", (part: Buffer) => (said += part.toString()));
  onTestFinished(async () => {
    proxy.kill("SIGKILL");
    await closed;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (proxy.exitCode !== null) expect.fail(said);
    return (await send(url, "/__admin/health", { key: null })).status === 200;
  });
  return { url, sandbox: await connectSandbox(url, { token }), shards };
}

/** An environment, and what its owner has to answer. */
interface Expected {
  readonly environment: Environment;
  readonly keys: string[];
  now: number;
  requests: number;
}

async function openThroughProxy(sandbox: Sandbox): Promise<Expected> {
  const environment = await sandbox.openEnvironment({ clock: "fixture", speed: 0, scenarios: [], rateLimit: 0 });
  const { now } = await environment.clock.get();
  return { environment, keys: [environment.keys.partner], now: Date.parse(now), requests: 0 };
}

const hour = 3_600_000;

const acts = {
  read: async (one: Expected, url: string, pick: number) => {
    const key = one.keys[pick % one.keys.length] ?? "";
    const answer = await send(url, `/api/v1/offerings/${known.aurora}`, { key });
    expect(answer.status).toBe(200);
    one.requests++;
  },
  advance: async (one: Expected) => {
    await one.environment.clock.advance("1h");
    one.now += hour;
  },
  issue: async (one: Expected) => {
    one.keys.push((await one.environment.keys.issue({ type: "partner", offering_id: known.aurora })).key);
  },
  look: async ({ environment, now, requests }: Expected) => {
    expect(Date.parse((await environment.clock.get()).now)).toBe(now);
    expect(await environment.requests.count()).toBe(requests);
  },
} as const;

const traffic = fc.record({
  kind: fc.constantFrom("read", "read", "read", "advance", "issue", "look"),
  pick: fc.nat(1000),
} as const);

function ownersMark({ environment: { id } }: Expected): string {
  return id.split("-")[0] ?? "";
}

const isInstalled = spawnSync("haproxy", ["-v"]).status === 0;

describe.skipIf(!isInstalled && !process.env["CI"])("HAProxy in front of two sandboxes, where it is installed", () => {
  test("each call and command is answered by the owner of its environment", async () => {
    const { url, sandbox, shards } = await startBehindProxy();
    const opened: Expected[] = [];
    for (let count = 0; count < 12; count++) opened.push(await openThroughProxy(sandbox));
    for (const { mark } of shards) expect(opened.filter((one) => ownersMark(one) === mark)).toHaveLength(6);
    const drawn = fc.sample(traffic, 40 * opened.length);
    const work = async (one: Expected, index: number): Promise<void> => {
      for (const { kind, pick } of drawn.slice(40 * index, 40 * (index + 1))) await acts[kind](one, url, pick);
    };
    await Promise.all(opened.map(work));
    for (const shard of shards) {
      const own = await connectSandbox(shard.url, { token });
      const ids = (await own.environments()).map(({ id }) => id);
      expect(ids.filter((id) => id !== "default").every((id) => id.startsWith(`${shard.mark}-`))).toBe(true);
      for (const one of opened.filter((each) => ownersMark(each) === shard.mark)) {
        for (const key of one.keys) expect(key).toMatch(new RegExp(`^sandbox_partner_${shard.mark}_`));
        await acts.look({ ...one, environment: await own.environment(one.environment.id) });
      }
    }
  });

  test("without a mark, or with one that is of no shard, shard 0 answers", async () => {
    const { url, shards } = await startBehindProxy();
    const unknown = `sandbox_partner_s9_${"0".repeat(32)}`;
    expect((await send(url, `/api/v1/offerings/${known.aurora}`, {})).status).toBe(200);
    expect((await send(url, "/api/v1/offerings/of-unknown", { key: unknown })).status).toBe(401);
    expect((await send(url, "/api/v1/offerings/of-nobody", { key: null })).status).toBe(401);
    // The journal of the default environment has them too.
    const counts = shards.map(async (shard) => (await connectSandbox(shard.url, { token })).requests.count());
    expect(await Promise.all(counts)).toEqual([3, 0]);
  });

  test("the token of an environment is known to its shard", async () => {
    const { url } = await startBehindProxy();
    const shared = await connectSandbox(url, { token: openToken });
    for (let count = 0; count < 4; count++) {
      const { id, adminToken = "" } = await shared.openEnvironment();
      const own = await connectSandbox(url, { token: adminToken });
      expect(await own.clock.advance("1h")).toBeDefined();
      const refused = await send(url, "/__admin/clock", { key: adminToken });
      expect([id, refused.status, refused.json.code]).toEqual([id, 403, "admin_token_insufficient"]);
    }
  });

  test("a connection that a fault breaks is broken through the proxy too", async () => {
    const { url, sandbox } = await startBehindProxy();
    for (let shard = 0; shard < 2; shard++) {
      const {
        environment,
        keys: [key = ""],
      } = await openThroughProxy(sandbox);
      await environment.faults.add({ connection: "reset", times: 1 });
      await expect(send(url, `/api/v1/offerings/${known.aurora}`, { key })).rejects.toThrow(
        /socket hang up|ECONNRESET/,
      );
      expect((await send(url, `/api/v1/offerings/${known.aurora}`, { key })).status).toBe(200);
      expect(await environment.requests.count()).toBe(2);
    }
  });

  test("a killed process comes back with its environments, and the clients of the other notice nothing", async () => {
    const { url, sandbox, shards } = await startBehindProxy();
    const [one, two] = [await openThroughProxy(sandbox), await openThroughProxy(sandbox)];
    const [kept, lost] = ownersMark(one) === "s0" ? [one, two] : [two, one];
    for (const each of [kept, lost]) for (const act of [acts.issue, acts.advance]) await act(each);
    await shards[1].kill();
    for (const { kind, pick } of fc.sample(traffic, 40)) await acts[kind](kept, url, pick);
    expect(ownersMark(await openThroughProxy(sandbox))).toBe("s0");
    const over = new AbortController();
    const others = (async () => {
      while (!over.signal.aborted)
        for (const { kind, pick } of fc.sample(traffic, 10)) await acts[kind](kept, url, pick);
    })();
    await shards[1].restart();
    over.abort();
    await others;
    await until(() => acts.look(lost));
    for (let pick = 0; pick < lost.keys.length; pick++) await acts.read(lost, url, pick);
    await acts.look(lost);
  });
});
