import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Environment, KeyDescription, Sandbox } from "../../src/public/control.ts";
import { ControlError } from "../../src/index.ts";
import { connectSandbox } from "../../src/client/connect.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, knownFixture, openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";

function codeOf(error: unknown): unknown {
  return error instanceof ControlError ? error.code : error;
}

describe("environments", () => {
  test("the sandbox is its default environment, with its addresses", async () => {
    const sandbox = await openControl();
    expect(sandbox.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(sandbox.baseUrl).toBe(`${sandbox.url}/api/v1`);
    expect(sandbox.adminUrl).toBe(`${sandbox.url}/__admin`);
    expect(sandbox.id).toBe("default");
    expect(sandbox.keys.marketing).toBe(known.keys.marketing);
    expect(sandbox.keys.partner).toBe(known.keys.partner);
    const { offerings } = await sandbox.describe();
    expect(offerings.map(({ alias, investments }) => [alias, investments])).toEqual([
      ["aurora", 25],
      ["borealis", 1],
      ["empty", 0],
    ]);
    expect(sandbox.offerings).toEqual(offerings);
  });

  test("a sandbox with onStop is stopped by another client, even after a reload without onStop", async () => {
    const { sandbox }: TestSandbox = await openSandbox({ onStop: () => void sandbox.close() });
    await sandbox.reload({ rateLimit: 1 });
    await (await connectSandbox(sandbox.url)).stop();
    await expect(sandbox.describe()).rejects.toThrow("The sandbox is closed.");
  });

  test("a reload with the same fixture continues the timeline, one with another fixture clears it, and the clock continues", async () => {
    stopMachineTime();
    const { sandbox } = await openSandbox();
    const now = "2026-01-16T12:00:00.000Z";
    const { id } = await sandbox.keys.issue({ type: "partner" });
    await sandbox.clock.set({ now, speed: 3 });
    const otherFixture = { offerings: [{ alias: "other" }] };
    for (const [options, speed, changes] of [
      [{ fixture: knownFixture }, 3, 1],
      [{ fixture: knownFixture, speed: 7 }, 7, 1],
      [{ fixture: otherFixture, speed: 7 }, 3, 0],
    ] as const) {
      await sandbox.reload({ scenarios: [], ...options });
      expect(await sandbox.clock.get()).toEqual({ now, speed });
      expect(await sandbox.timeline()).toHaveLength(changes);
      expect((await sandbox.keys.list()).some((key) => key.id === id)).toBe(changes > 0);
      if (changes > 0) await sandbox.clock.set({ speed: 3 });
    }
    await sandbox.reset();
    expect(await sandbox.clock.get()).toEqual({ now: "2026-01-15T12:00:00.000Z", speed: 7 });
  });

  test("a description lists the environment's settings, offerings, keys, runs and faults", async () => {
    const sandbox = await openControl({ rateLimit: 120 });
    expect(await sandbox.describe()).toEqual({
      id: "default",
      uid: "default",
      label: null,
      base_url: sandbox.baseUrl,
      marketing_key: known.keys.marketing,
      partner_key: known.keys.partner,
      fixture: "known",
      create_date: "2026-01-15T12:00:00.000Z",
      clock: { now: "2026-01-15T12:00:00.000Z", speed: 0 },
      profile: "conventional",
      rate_limit: 120,
      offerings: sandbox.offerings,
      keys: await sandbox.keys.list(),
      runs: [],
      faults: [],
    });
  });

  test("a summary has the last request, and when the environment closes without another use", async () => {
    const passTime = stopMachineTime();
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({ ttlSeconds: 60 });
    const summarize = async () => (await sandbox.environmentSummaries())[1];
    const summaryBefore = await summarize();
    expect(summaryBefore?.last_request_at).toBe(null);
    passTime(10_000);
    await read(environment, "/offerings", environment.keys.partner);
    const [entry] = (await environment.requests.list()).data;
    // Reading the list does not count as using an environment.
    passTime(10_000);
    const summaryAfter = await summarize();
    expect(summaryAfter?.last_request_at).toBe(entry?.recorded_at);
    expect(Date.parse(summaryAfter?.expires_at ?? "") - Date.parse(summaryBefore?.expires_at ?? "")).toBe(10_000);
    expect((await sandbox.environmentSummaries())[0]?.expires_at).toBe(null);
  });

  test("a new environment has the keys of its fixture, and one of each type for each offering", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({ id: "mine" });
    expect(environment.id).toBe("mine");
    expect(environment.baseUrl).toBe(sandbox.baseUrl);
    const { keys, offerings } = await environment.describe();
    const keyFields = ({
      type,
      offering_id,
      alias,
      label,
      status,
      create_date,
      revoke_date,
      effect,
    }: KeyDescription) => {
      return { type, offering_id, alias, label, status, create_date, revoke_date, effect };
    };
    const keysOfFixture = (await sandbox.keys.list()).map(keyFields);
    expect(keys.slice(0, keysOfFixture.length).map(keyFields)).toEqual(keysOfFixture);
    expect(keys.slice(keysOfFixture.length)).toMatchObject(
      [known.borealis, known.empty].map((offering_id) => ({ type: "marketing", offering_id, alias: null })),
    );
    for (const { id } of offerings) expect(keys.filter((key) => key.offering_id === id).length).toBeGreaterThan(1);
    expect(new Set(keys.map(({ environment: environmentId }) => environmentId))).toEqual(new Set(["mine"]));
    const path = `/offerings/${known.aurora}`;
    expect((await read(environment, path, environment.keys.partner)).status).toBe(200);
    expect((await read(environment, path, environment.keys.marketing)).status).toBe(200);
    const defaultSecrets = (await sandbox.keys.list()).map(({ key }) => key);
    expect(keys.filter(({ key }) => defaultSecrets.includes(key))).toEqual([]);
  });

  test("an environment opens with its options", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({
      fixture: "demo",
      clock: "2030-01-01T00:00:00.000Z",
      speed: 60,
      scenarios: ["closing"],
      profile: "minimal",
      assumptions: { "list.default_size": 3 },
      rateLimit: 7,
      ttlSeconds: 60,
    });
    const description = await environment.describe();
    expect(description).toMatchObject({ fixture: "demo", clock: { speed: 60 }, profile: "minimal", rate_limit: 7 });
    expect(description.clock.now).toMatch(/^2030-01-01T00:/);
    expect(description.runs.map(({ scenario }) => scenario)).toEqual(["closing"]);
    const assumptions = await environment.assumptions.list();
    expect(assumptions.find(({ id }) => id === "list.default_size")?.value).toBe(3);
    expect(assumptions.find(({ id }) => id === "errors.body")?.value).toBe("empty");
  });

  test("a deleted environment can be closed again, and its commands do not reach a new one with its id", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({ id: "mine" });
    const [firstHandle, secondHandle] = [await sandbox.environment("mine"), await sandbox.environment("mine")];
    await firstHandle.close();
    await environment.close();
    await environment.close();
    const notFound = { code: "not_found", name: "ControlError" };
    await expect(environment.clock.get()).rejects.toMatchObject(notFound);
    const reopened = await sandbox.openEnvironment({ id: "mine" });
    const snapshotBefore = await reopened.snapshot();
    await secondHandle.close();
    for (const handle of [environment, firstHandle, secondHandle]) {
      await handle.close();
      await expect(handle.clock.advance("1d")).rejects.toMatchObject(notFound);
      await expect(handle.describe()).rejects.toMatchObject(notFound);
    }
    expect(await reopened.snapshot()).toEqual(snapshotBefore);
    await reopened.close();
  });

  test("the keys of an environment work as its fixture says, even after a restore and a restart", async () => {
    const db = join(temporaryFolder(), "sandbox.json");
    const fixture = {
      offerings: [{ alias: "harbour", name: "Harbour Lights", investments: [{ alias: "first" }] }],
      keys: [
        { alias: "night", type: "partner" as const, label: "nightly job" },
        { alias: "gone", type: "partner" as const, status: "revoked" as const },
        { alias: "busy", type: "marketing" as const, at_limit: true },
      ],
    };
    const describeKeys = async (environment: Environment): Promise<unknown[]> =>
      (await environment.keys.list()).map(({ alias, label, status }) => [alias, label, status]);
    const secretsOf = async (environment: Environment): Promise<string[]> =>
      (await environment.keys.list()).map(({ key }) => key);
    const requestWithEachKey = async (environment: Environment): Promise<number[]> => {
      const responses = (await secretsOf(environment)).map((secret) =>
        read(environment, `/offerings/${environment.offering.id}`, secret),
      );
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    const server = await openControl({ db, rateLimit: 5 });
    const environment = await server.openEnvironment({ id: "mine", fixture });
    const expected = [
      ["night", "nightly job", "active"],
      ["gone", "Harbour Lights partner", "revoked"],
      ["busy", "Harbour Lights marketing", "active"],
      [null, "Harbour Lights marketing", "active"],
    ];
    expect(await describeKeys(environment)).toEqual(expected);
    expect(await requestWithEachKey(environment)).toEqual([200, 401, 429, 200]);
    const secrets = await secretsOf(environment);
    expect(environment.keys).toMatchObject({ partner: secrets[0], marketing: secrets[3] });

    const restored = await server.openEnvironment({ snapshot: await environment.snapshot() });
    expect(await describeKeys(restored)).toEqual(expected);
    expect(await requestWithEachKey(restored)).toEqual([200, 401, 429, 200]);
    expect(new Set([...secrets, ...(await secretsOf(restored))]).size).toBe(8);

    await environment.play({ steps: [{ key: { revoke: "nightly job" } }] }, { investment_id: "first" });
    expect(await requestWithEachKey(environment)).toEqual([401, 401, 429, 200]);
    await server.close();
    const restartedEnvironment = await (await openControl({ db, rateLimit: 5 })).environment("mine");
    expect(await secretsOf(restartedEnvironment)).toEqual(secrets);
    expect(await requestWithEachKey(restartedEnvironment)).toEqual([401, 401, 429, 200]);
  });

  test("environments are summarized, found by id, and deleted with their keys", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({ label: "a test" });
    const connection = await sandbox.environment(environment.id);
    const {
      base_url: _,
      marketing_key,
      partner_key,
      offerings,
      keys,
      runs,
      faults,
      ...rest
    } = await connection.describe();
    expect([marketing_key, partner_key]).toEqual([environment.keys.marketing, environment.keys.partner]);
    expect([offerings.length, keys.length, runs, faults]).toEqual([3, 9, [], []]);
    expect((await sandbox.environmentSummaries())[1]).toEqual({
      ...rest,
      last_request_at: null,
      expires_at: expect.any(String),
    });
    expect(rest).toMatchObject({ id: environment.id, label: "a test" });
    await environment.close();
    expect((await sandbox.environments()).map(({ id }) => id)).toEqual(["default"]);
    expect((await read(sandbox, `/offerings/${known.aurora}`, partner_key ?? "")).status).toBe(401);
    await expect(connection.describe()).rejects.toMatchObject({ name: "ControlError", code: "not_found" });
  });

  const path = `/offerings/${known.aurora}`;

  test.each<
    [first: string, access: (sandbox: Sandbox, environment: Environment) => Promise<unknown>, expected: unknown]
  >([
    ["a request", async (_, environment) => (await read(environment, path, environment.keys.partner)).status, 401],
    ["a look-up", (sandbox) => sandbox.environment("short").catch(codeOf), "not_found"],
    ["a command", (_, environment) => environment.clock.advance("1d").catch(codeOf), "not_found"],
    ["a list", async (sandbox) => (await sandbox.environments()).map(({ id }) => id), ["default"]],
  ])("%s does not find an expired environment, and does not revive it", async (_, access, expected) => {
    const passTime = stopMachineTime();
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({ id: "short", ttlSeconds: 60 });
    passTime(61_000);
    expect(await access(sandbox, environment)).toEqual(expected);
    expect((await read(environment, path, environment.keys.partner)).status).toBe(401);
    await expect(sandbox.environment("short")).rejects.toMatchObject({ code: "not_found" });
    await expect(environment.describe()).rejects.toMatchObject({ code: "not_found" });
    const reopened = await sandbox.openEnvironment({ id: "short" });
    expect((await read(reopened, path, reopened.keys.partner)).status).toBe(200);
  });

  test("an environment expires by the monotonic clock, not by the date", async () => {
    const sandbox = await openControl();
    await sandbox.openEnvironment({ ttlSeconds: 60 });
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 86_400_000);
    expect(await sandbox.environments()).toHaveLength(2);
  });
});

test("the refusal of an environment above the limit names the setting", async () => {
  const { sandbox } = await openSandbox({ maxEnvironments: 2 });
  const firstEnvironment = await sandbox.openEnvironment();
  await expect(sandbox.openEnvironment()).rejects.toMatchObject({
    code: "conflict",
    message: "There are 2 environments already; delete one first, or start with a higher --max-environments.",
  });
  await firstEnvironment.close();
  expect((await sandbox.openEnvironment()).id).toBe("environment-3");
});
