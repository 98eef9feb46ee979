import { copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { Environment, LocalSandbox, Sandbox } from "../../src/public/control.ts";
import { temporaryFolder } from "../cli/cli.ts";
import { known, knownFixture } from "../support/sandbox.ts";
import { read } from "../support/sandboxes.ts";
import { until } from "../support/until.ts";
import { storedIds, newFile, restart, startOverFixture, startWithDatabase, stateOf } from "./databases.ts";

const stepwise = {
  investment: { amount: 100 },
  steps: [
    { event: "REGISTRATION COMPLETED" },
    { next: true, investment: { step: "SIGNERS" } },
    { after: "1d", sign: "all" },
  ],
};

const ofDocument = {
  fixture: { follows_clock: true, offerings: [{ name: "Own", generate: { investments: 3 } }] },
  clock: "2027-05-06T07:08:09.000Z",
};

const commands: Readonly<Record<string, (sandbox: LocalSandbox) => Promise<unknown>>> = {
  "clock.advance": ({ clock }) => clock.advance("3d"),
  "keys.issue": ({ keys }) => keys.issue({ type: "marketing", offering_id: "borealis", label: "mine" }),
  "keys.revoke": async ({ keys }) => keys.revoke((await keys.list())[0]?.id ?? ""),
  "investments.create": ({ investments }) => investments.create({ offering_id: "aurora", amount: 700 }),
  "investments.change": ({ investments }) => investments.change(known.whole, { step: null, expedited: true }),
  "investments.recordEvent": ({ investments }) =>
    investments.recordEvent(known.whole, { event: "PAYMENT", action: "APPROVED" }),
  "runs.stop": async (sandbox) => {
    const { id } = await sandbox.play("closing");
    await sandbox.clock.advance("2m");
    return sandbox.runs.stop(id);
  },
  "faults.remove": async ({ faults }) => {
    const { id } = await faults.add({ match: {}, delay: "1s" });
    return faults.remove(id);
  },
  "faults.add": ({ faults }) =>
    faults.add({
      respond: { status: 500, headers: { "X-Pick": 7 }, body: { a: [null, -0, "\u2028\uD800ü"] } },
      times: 3,
    }),
  "scenarios.save": ({ scenarios }) => scenarios.save("# Mine.\nname: mine\nsteps: [{ event: PAYMENT SUBMITTED }]"),
  "assumptions.set": ({ assumptions }) => assumptions.set({ "list.default_size": 7, "errors.body": "problem" }),
  reset: async (sandbox) => {
    await sandbox.keys.issue({ type: "partner", offering_id: "aurora" });
    await sandbox.reset();
  },
  "openEnvironment with the greatest numbers": async (sandbox) => {
    const greatest = { ttlSeconds: 1_000_000_000, speed: 100_000_000, rateLimit: 1_000_000 };
    for (const [name, value] of Object.entries(greatest)) {
      for (const beyond of [value * 1.1, Infinity, Number.NaN]) {
        await expect(sandbox.openEnvironment({ [name]: beyond })).rejects.toThrow(`, not ${beyond}.`);
      }
    }
    const opened = await sandbox.openEnvironment({ ...greatest, clock: "2026-03-01" });
    return opened.clock.set({ speed: 0 });
  },
  "openEnvironment with every option": (sandbox) =>
    sandbox.openEnvironment({
      label: "a label",
      fixture: "demo",
      clock: "0000-01-01",
      speed: 0,
      scenarios: ["closing", "polling"],
      profile: "minimal",
      assumptions: { "errors.body": 'like:{"message":"{detail}"}', "list.default_size": 7 },
      rateLimit: 0,
      ttlSeconds: 3600.5,
    }),
  "openEnvironment of a document that follows the clock": (sandbox) => sandbox.openEnvironment(ofDocument),
  "openEnvironment with a scenario of a file": async (sandbox) => {
    const file = join(temporaryFolder(), "mine.json");
    await writeFile(file, JSON.stringify(stepwise));
    const opened = await sandbox.openEnvironment({ scenarios: [file] });
    return opened.runs.next("run-1");
  },
  "openEnvironment of snapshots, next to their originals": async (sandbox) => {
    const original = await sandbox.openEnvironment({ ...ofDocument, id: "one" });
    for (const environment of [sandbox, original]) {
      await environment.play(stepwise);
      await environment.clock.advance("1h");
      const snapshot = await environment.snapshot();
      const copy = await sandbox.openEnvironment({ snapshot });
      await copy.runs.next("run-1");
    }
    const snapshot = await original.snapshot();
    await original.close();
    await sandbox.openEnvironment({ id: "one", snapshot });
  },
};

test.each(Object.entries(commands))("changes by %s survive a restart", async (_, command) => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  await command(sandbox);
  const before = await stateOf(sandbox);
  expect(await stateOf(await restart(sandbox, file))).toEqual(before);
});

test("a fixture file too large for a database is refused, with a way out", async () => {
  const file = join(temporaryFolder(), "large.json");
  await writeFile(file, JSON.stringify(ofDocument.fixture) + " ".repeat(5 * 1024 * 1024));
  const sandbox = await startWithDatabase(newFile());
  await expect(sandbox.openEnvironment({ fixture: file })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/larger than the 5 MB .* Start a sandbox with this fixture, or one without `db`/),
  });
  expect(await sandbox.environments()).toHaveLength(1);
});

test("keys serve after a restart: those of the fixture, issued ones, and those of other environments", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  const issued = await sandbox.keys.issue({ type: "partner", offering_id: "aurora" });
  const opened = await sandbox.openEnvironment({ id: "mine" });
  const secrets = [known.keys.partner, issued.key, opened.keys.partner];
  const { uid } = await opened.describe();
  const again = await restart(sandbox, file);
  expect(await (await again.environment("mine")).describe()).toMatchObject({ uid });
  for (const secret of secrets) expect((await read(again, `/offerings/${known.aurora}`, secret)).status).toBe(200);
});

test("a reset after a restart restores the state of the opening", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file, { clock: "2026-02-01T00:00:00.000Z" });
  const { create_date } = await sandbox.describe();
  await sandbox.clock.advance("9d");
  const again = await restart(sandbox, file, { clock: "2027-01-01T00:00:00.000Z" });
  await again.reset();
  expect(await again.describe()).toMatchObject({ create_date, clock: { now: "2026-02-01T00:00:00.000Z", speed: 0 } });
});

test("after a restart, every environment has its own settings, even the default one, until a reload changes them", async () => {
  const file = newFile();
  const firstOptions = { rateLimit: 7, assumptions: { "list.default_size": 3 } };
  const sandbox = await startWithDatabase(file, firstOptions);
  await sandbox.openEnvironment({ id: "mine", rateLimit: 8 });
  await sandbox.assumptions.set({ "errors.body": "message" });
  const settingsOf = async (environment: Sandbox | Environment): Promise<unknown[]> => {
    const values = Object.fromEntries((await environment.assumptions.list()).map(({ id, value }) => [id, value]));
    return [(await environment.describe()).rate_limit, values["list.default_size"], values["errors.body"]];
  };
  const laterOptions = { rateLimit: 99, assumptions: { "list.default_size": 5 } };
  const again = await restart(sandbox, file, laterOptions);
  expect(await settingsOf(again)).toEqual([7, 3, "message"]);
  expect(await settingsOf(await again.environment("mine"))).toEqual([8, 3, "jsonapi"]);
  expect(await settingsOf(await again.openEnvironment())).toEqual([99, 5, "jsonapi"]);
  await again.reset();
  expect(await settingsOf(again)).toEqual([7, 3, "jsonapi"]);
  await again.reload({ fixture: knownFixture, ...laterOptions });
  expect(await settingsOf(again)).toEqual([99, 5, "jsonapi"]);
  expect(await settingsOf(await restart(again, file, firstOptions))).toEqual([99, 5, "jsonapi"]);
});

const steps = `steps:
  - { event: A B }
  - { next: true, event: C D }
`;

test("a scenario file is stored with the environments opened with it", async () => {
  const [file, scenarioFile] = [newFile(), join(temporaryFolder(), "mine.yaml")];
  await writeFile(scenarioFile, steps);
  const sandbox = await startWithDatabase(file, { scenarios: [scenarioFile] });
  const opened = await sandbox.openEnvironment({ id: "x", scenarios: ["mine"] });
  await opened.runs.next("run-1");
  const scenarios = async (from: Sandbox) =>
    Promise.all([from, await from.environment("x")].map((environment) => environment.scenarios.list()));
  const before = [await stateOf(sandbox), await scenarios(sandbox)];
  const again = await restart(sandbox, file);
  expect([await stateOf(again), await scenarios(again)]).toEqual(before);
  for (const environment of [again, await again.environment("x")]) {
    await environment.reset();
    expect(await environment.runs.list()).toMatchObject([{ scenario: "mine", status: "waiting" }]);
    expect(await environment.play("mine")).toMatchObject({ scenario: "mine" });
  }
});

test("an expired environment is removed from the file with the next command, or when its key is used", async () => {
  const now = performance.now.bind(performance);
  for (const isKeyUsed of [false, true]) {
    const file = newFile();
    const sandbox = await startWithDatabase(file);
    const { keys } = await sandbox.openEnvironment({ id: "short", ttlSeconds: 60 });
    vi.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
    if (isKeyUsed) expect((await read(sandbox, `/offerings/${known.aurora}`, keys.partner)).status).toBe(401);
    else await sandbox.keys.issue({ type: "marketing", offering_id: "aurora" });
    await until(async () => (await storedIds(file)).join() === "default");
    vi.restoreAllMocks();
  }
});

test("a key at its limit is at it again after a restart or a restore; other keys and journals begin anew", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file, { rateLimit: 100 });
  const path = `/offerings/${known.aurora}`;
  const snapshot = await sandbox.snapshot();
  await sandbox.limits.clear();
  expect((await read(sandbox, path, known.keys.atLimit)).status).toBe(200);
  await sandbox.restore(snapshot);
  expect((await read(sandbox, path, known.keys.atLimit)).status).toBe(429);
  await sandbox.limits.clear();
  expect((await read(sandbox, path, known.keys.partner)).status).toBe(200);
  const again = await restart(sandbox, file, { rateLimit: 100 });
  expect(await again.requests.count()).toBe(0);
  expect((await again.limits.list()).filter(({ used }) => used > 0 && used < 100)).toEqual([]);
  expect((await read(again, path, known.keys.atLimit)).status).toBe(429);
});

test("a running clock continues while the sandbox is stopped, and due changes have their own dates", async () => {
  const file = newFile();
  const script = {
    repeat: { count: 20, every: "1h" },
    investment: { amount: 100 },
    steps: [{ event: "A B" }, { after: "30m", event: "C D" }],
  };
  const sandbox = await startWithDatabase(file);
  await sandbox.play(script);
  await sandbox.clock.set({ speed: 1_000_000 });
  const before = await sandbox.clock.get();
  await sandbox.close();
  await wait(100);
  const again = await startWithDatabase(file);
  const { now } = await again.clock.get();
  // A tenth of a second at this speed is more than a day.
  expect(Date.parse(now) - Date.parse(before.now)).toBeGreaterThanOrEqual(100_000_000);
  const dates = (await again.timeline()).filter(({ kind }) => kind === "event").map(({ date }) => date);
  const start = Date.parse("2026-01-15T12:00:00.000Z");
  const expected = Array.from({ length: 40 }, (_, half) => new Date(start + half * 1_800_000).toISOString());
  expect(dates).toEqual(expected);
  expect((await again.runs.list())[0]?.status).toBe("finished");
});

test("counted reads of a waiting step and uses of a fault are stored soon", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  const [id] = (await sandbox.play("polling")).investment_ids;
  await sandbox.faults.add({ match: { path: "/investments/:id/status" }, respond: { status: 500 }, times: 2 });
  await read(sandbox, `/investments/${id}`, known.keys.partner);
  await read(sandbox, `/investments/${id}/status`, known.keys.partner);
  await until(async () => /"reads":1.*"fault_uses":\{"[^"]+":1\}/.test(await readFile(file, "utf8")));
  const again = await restart(sandbox, file);
  expect((await again.faults.list())[0]).toMatchObject({ used: 1 });
  await read(again, `/investments/${id}`, known.keys.partner);
  expect((await again.runs.list())[0]?.steps[1]?.status).toBe("done");
});

test("the file is not written without a change", async () => {
  const file = newFile();
  const sandbox = await startWithDatabase(file);
  const { ino, mtimeMs } = await stat(file);
  await stateOf(sandbox);
  await sandbox.limits.list();
  await sandbox.requests.clear();
  await read(sandbox, `/offerings/${known.aurora}/investments`, known.keys.partner);
  await expect(sandbox.keys.revoke("unknown")).rejects.toMatchObject({ code: "not_found" });
  await wait(80);
  expect(await stat(file)).toMatchObject({ ino, mtimeMs });
});

test.each([
  ["a clean stop", "2026-02-01T00:10:00.000Z"],
  ["a kill", "2026-02-01T00:00:00.000Z"],
])("after %s, a running clock continues even if the machine's clock was set back meanwhile", async (end, expected) => {
  const db = newFile();
  const start = performance.now();
  let milliseconds = start;
  vi.spyOn(performance, "now").mockImplementation(() => milliseconds);
  const first = await startWithDatabase(db);
  await first.clock.set({ now: "2026-02-01T00:00:00.000Z", speed: 60 });
  milliseconds = start + 10_000;
  const copy = newFile();
  await copyFile(db, copy);
  await first.close();
  milliseconds = start - 3_600_000;
  const second = await startWithDatabase(end === "a kill" ? copy : db);
  expect(await second.clock.get()).toEqual({ now: expected, speed: 60 });
  milliseconds += 1000;
  expect(Date.parse((await second.clock.get()).now) - Date.parse(expected)).toBe(60_000);
});

test.each([
  ["the first process", async (first: LocalSandbox) => first],
  ["the next process", async (first: LocalSandbox, db: string) => restart(first, db)],
])("a reload in %s on a file does not change the start of the default environment", async (_, next) => {
  const db = newFile();
  const first = await startWithDatabase(db, { scenarios: ["closing"], clock: "2026-05-05T00:00:00.000Z" });
  const sandbox = await next(first, db);
  await sandbox.clock.advance("1d");
  await sandbox.reload({ fixture: knownFixture, db, clock: "2026-07-07", scenarios: [] });
  await sandbox.reset();
  expect((await sandbox.clock.get()).now).toBe("2026-05-05T00:00:00.000Z");
  expect((await sandbox.runs.list()).map(({ scenario }) => scenario)).toEqual(["closing"]);
});

test("a reload that is refused leaves the fixture of new environments as it was", async () => {
  const { db, fixture, rewrite, sandbox } = await startOverFixture();
  const taken = [{ type: "partner", offering: "one", key: "sandbox_partner_0123456789" }];
  const holder = await sandbox.openEnvironment({ fixture: { offerings: [{ alias: "one" }], keys: taken } });
  const { key } = (await holder.keys.list())[0] ?? {};
  await rewrite({ name: "Other" }, { keys: [{ ...taken[0], key }] });
  await expect(sandbox.reload({ fixture, db })).rejects.toThrow("has the secret of a key of another environment");
  const before = sandbox.offerings[0]?.name;
  expect((await sandbox.openEnvironment()).offerings[0]?.name).toBe(before);
});

test("environments that are opened during a reload make no file unusable", async () => {
  const { db, fixture, rewrite, sandbox } = await startOverFixture();
  await rewrite({ name: "Other" });
  const progress = { isReloaded: false };
  const reload = sandbox.reload({ fixture, db }).then(() => (progress.isReloaded = true));
  while (!progress.isReloaded) await sandbox.openEnvironment();
  await reload;
  const environments = await Promise.all((await sandbox.environments()).map(({ id }) => sandbox.environment(id)));
  const edited = environments.filter(({ offerings }) => offerings[0]?.name === "Other").map(({ id }) => id);
  const again = await restart(sandbox, db, { fixture });
  expect((await again.environments()).map(({ id }) => id)).toEqual(edited);
});
