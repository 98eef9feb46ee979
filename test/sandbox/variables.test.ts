import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chdir, cwd } from "node:process";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../../src/index.ts";
import type { SandboxOptions } from "../../src/public/options.ts";
import { configure } from "../../src/sandbox/configuration.ts";
import { startRunning } from "../../src/sandbox/start-running.ts";
import { startSettings } from "../../src/settings/start-settings.ts";
import { sandboxSettings } from "../../src/settings/settings.ts";
import { readVariables, unreadVariables } from "../../src/settings/variables.ts";
import { temporaryFolder } from "../cli/cli.ts";

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("OFFERING_SANDBOX_")) vi.stubEnv(name, undefined);
});

/** A variable, and what a sandbox in code has of it; the rest is named as unread. */
const variables: Readonly<Record<keyof typeof startSettings, [variable: string, text: string, read?: object]>> = {
  fixture: ["FIXTURE", "minimal", { fixture: "minimal", hasFixture: true }],
  scenarios: ["SCENARIO", "closing", { scenarios: ["closing"] }],
  snapshot: ["SNAPSHOT", "monday.json", { snapshot: "monday.json" }],
  clock: ["CLOCK", "2026-02-01", { environment: { clock: "2026-02-01" } }],
  speed: ["SPEED", "60", { environment: { speed: 60 } }],
  seed: ["SEED", "7", { seed: 7 }],
  maxEnvironments: ["MAX_ENVIRONMENTS", "9", { maxEnvironments: 9 }],
  host: ["HOST", "127.0.0.1", { host: "127.0.0.1" }],
  allowedHosts: ["ALLOWED_HOSTS", "a.test,b.test", { allowedHosts: ["a.test", "b.test"] }],
  adminToken: ["ADMIN_TOKEN", "let-me-in", { adminToken: "let-me-in" }],
  openToken: ["OPEN_TOKEN", "only-open", { openToken: "only-open" }],
  admin: ["NO_ADMIN", "1", { admin: false }],
  profile: ["PROFILE", "minimal", { environment: { profile: "minimal" } }],
  assumptions: ["ASSUME", "list.order=id", { assumptions: { "list.order": "id" } }],
  rateLimit: ["RATE_LIMIT", "0", { environment: { rateLimit: 0 } }],
  delay: ["DELAY", "5ms", { delay: [5, 5] }],
  cors: ["CORS", "off", { assumptions: { cors: "no" } }],
  corsOrigins: ["CORS_ORIGIN", "https://a.test", { corsOrigins: new Set(["https://a.test"]) }],
  assumptionHeader: ["ASSUMPTION_HEADER", "no", { assumptionHeader: false }],
  snapshotDir: ["SNAPSHOT_DIR", "snapshot-dir", { snapshotDir: "snapshot-dir" }],
  coverageDir: ["COVERAGE_DIR", "coverage", { coverageDir: "coverage" }],
  config: ["CONFIG", "other.yaml", { configFile: "other.yaml", environment: { rateLimit: 5 } }],
  port: ["PORT", "1"],
  db: ["DB", "x.json"],
  watch: ["WATCH", "1"],
  drain: ["DRAIN", "1s"],
  logLevel: ["LOG_LEVEL", "debug"],
  logFormat: ["LOG_FORMAT", "json"],
  quiet: ["QUIET", "1"],
  portFile: ["PORT_FILE", "port.txt"],
};

function inFolder(files: Readonly<Record<string, string>>): void {
  const [before, folder] = [cwd(), temporaryFolder()];
  onTestFinished(() => chdir(before));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chdir(folder);
}

test.each(Object.values(variables))("OFFERING_SANDBOX_%s=%s is read, or named", async (name, text, read) => {
  inFolder({ "other.yaml": "rate-limit: 5" });
  const variable = `OFFERING_SANDBOX_${name}`;
  const without = await configure({});
  vi.stubEnv(variable, text);
  expect(await configure({})).toMatchObject(read ?? { ...without, onFailure: expect.any(Function) });
  expect(unreadVariables(process.env, {})).toEqual(read ? [] : [expect.stringMatching(`^${variable} is only for`)]);
});

test("own options win over variables, these over exec, and that over the config file, which a variable can name", async () => {
  inFolder({ "a.yaml": "rate-limit: 5\nseed: 5\nprofile: minimal\nassume: { list.order: id }" });
  const settings = [
    { setting: "rateLimit", text: "6", place: "--rate-limit" },
    { setting: "seed", text: "6", place: "--seed" },
  ];
  vi.stubEnv("OFFERING_SANDBOX_EXEC", JSON.stringify({ textValues: settings }));
  vi.stubEnv("OFFERING_SANDBOX_CONFIG", "a.yaml");
  vi.stubEnv("OFFERING_SANDBOX_RATE_LIMIT", "7");
  vi.stubEnv("OFFERING_SANDBOX_FIXTURE", "");
  const read = async (options: SandboxOptions) => {
    const { environment, seed, assumptions } = await configure(options);
    return [environment.rateLimit, seed, environment.profile, assumptions["list.order"]];
  };
  expect(await read({})).toEqual([7, 6, "minimal", "id"]);
  expect(await read({ rateLimit: 8 })).toEqual([8, 6, "minimal", "id"]);
  expect(await read({ config: false })).toEqual([7, 6, undefined, "create_date"]);
  expect((await configure({}, { isAlone: true })).environment.rateLimit).toBeUndefined();
});

test("a malformed value names its variable", async () => {
  vi.stubEnv("OFFERING_SANDBOX_PROFILE", "strikt");
  vi.stubEnv("OFFERING_SANDBOX_RATE_LIMIT", "many");
  vi.stubEnv("OFFERING_SANDBOX_PORT", "tcp://10.0.0.1:4120");
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const failure = startSandbox();
  await expect(failure).rejects.toThrow(/OFFERING_SANDBOX_PROFILE: expected/);
  await expect(failure).rejects.toThrow(/OFFERING_SANDBOX_RATE_LIMIT: expected/);
  await expect(failure).rejects.not.toThrow(/PORT/);
});

test("what is not read is named once in a process, and not where an option replaces it", async () => {
  inFolder({});
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.stubEnv("OFFERING_SANDBOX_DB", "x.json");
  vi.stubEnv("OFFERING_SANDBOX_PORT", "1");
  vi.stubEnv("OFFERING_SANDBOX_PROFIL", "minimal");
  vi.stubEnv("offering_sandbox_seed", "7");
  vi.stubEnv("OFFERING_SANDBOX_COLOR_OF_MY_CI", "red");
  for (let count = 0; count < 2; count++) await (await startSandbox({ port: 0 })).close();
  expect(write.mock.calls.map(([line]) => String(line)).toSorted()).toEqual([
    "offering-sandbox: OFFERING_SANDBOX_DB is only for the command line; a sandbox in code ignores it.\n",
    "offering-sandbox: There is no variable OFFERING_SANDBOX_COLOR_OF_MY_CI; it is ignored.\n",
    `offering-sandbox: There is no variable OFFERING_SANDBOX_PROFIL. Did you mean "OFFERING_SANDBOX_PROFILE"?\n`,
    `offering-sandbox: There is no variable offering_sandbox_seed. Did you mean "OFFERING_SANDBOX_SEED"?\n`,
  ]);
});

test("below exec, what is for one process or the terminal was for exec", () => {
  const below = { OFFERING_SANDBOX_BASE_URL: "http://localhost:1/api/v1", OFFERING_SANDBOX_LOG_LEVEL: "debug" };
  expect(unreadVariables(below, {})).toEqual([]);
  expect(unreadVariables({ ...below, OFFERING_SANDBOX_FIXTUR: "x" }, {})).toHaveLength(1);
});

test("a variable reaches the environments of tests", async () => {
  vi.stubEnv("OFFERING_SANDBOX_RATE_LIMIT", "1");
  const { sandbox } = await startRunning();
  onTestFinished(() => sandbox.close());
  const { baseUrl, keys, offering } = await sandbox.openEnvironment();
  const read = () =>
    fetch(`${baseUrl}/offerings/${offering.id}`, { headers: { authorization: `Bearer ${keys.partner}` } });
  expect([(await read()).status, (await read()).status]).toEqual([200, 429]);
});

test("Windows has the names of values in any case", () => {
  const values = { offering_sandbox_Profile: "minimal" };
  const place = "OFFERING_SANDBOX_PROFILE";
  expect(readVariables(values, "win32")).toEqual([{ setting: "profile", text: "minimal", place }]);
  expect(readVariables(values, "linux")).toEqual([]);
});

test("every setting of a sandbox has its row above", () => {
  expect(Object.keys(variables).toSorted()).toEqual(
    [...new Set([...Object.keys(startSettings), ...Object.keys(sandboxSettings)])].toSorted(),
  );
});

test("a variable of exec that exec has not written is refused in one sentence", async () => {
  const formatGiven = (row: object): string => JSON.stringify({ textValues: [row] });
  const texts = [
    "{",
    "[]",
    "null",
    '{"given":{}}',
    '{"given":[null]}',
    '{"given":[1]}',
    '{"given":[],"usesFile":1}',
    formatGiven({ setting: "db", text: "x.json", place: "--db" }),
    formatGiven({ setting: "adminToken", text: "secret-text", place: "--admin-token" }),
    formatGiven({ setting: "profile", text: 1, place: "--profile" }),
    formatGiven({ setting: "profile", text: "minimal" }),
  ];
  for (const text of texts) {
    vi.stubEnv("OFFERING_SANDBOX_EXEC", text);
    await expect(startSandbox({ config: false })).rejects.toThrow(
      /^OFFERING_SANDBOX_EXEC is only for offering-sandbox exec to set; unset it\.$/,
    );
  }
});
