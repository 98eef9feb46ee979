import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSettings } from "../../src/cli/settings/load.ts";
import { configure } from "../../src/sandbox/configuration.ts";
import type { Sandbox } from "../../src/public/control.ts";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { commands } from "../../src/cli/commands.ts";
import { configSchema } from "../../src/settings/config-file.ts";
import { environmentSettings } from "../../src/settings/environment-settings.ts";
import { flagOf, sandboxSettings, type Setting } from "../../src/settings/settings.ts";

type Name = keyof typeof sandboxSettings;
type Case = [name: Name, value: unknown, accepted: boolean];

/** Values of settings, and whether every surface accepts them. */
const cases: Case[] = [
  ["fixture", "demo", true],
  ["fixture", " ", false],
  ["scenarios", ["closing"], true],
  ["scenarios", [" "], false],
  ["clock", "now", true],
  ["clock", "fixture", true],
  ["clock", "2026-02-01", true],
  ["clock", "2026-02-30", false],
  ["clock", "0000-01-01T00:00:00+01:00", false],
  ["clock", "yesterday", false],
  ["speed", 0, true],
  ["speed", 0.5, true],
  ["speed", 100_000_000, true],
  ["speed", 100_000_001, false],
  ["speed", -1, false],
  ["seed", -7, true],
  ["seed", 0, true],
  ["seed", Number.MAX_SAFE_INTEGER, true],
  ["seed", Number.MAX_SAFE_INTEGER + 1, false],
  ["seed", 1.5, false],
  ["snapshotDir", "cases", true],
  ["snapshotDir", " ", false],
  ["maxEnvironments", 20_000, true],
  ["maxEnvironments", 20_001, false],
  ["maxEnvironments", 0, false],
  ["port", 65_535, true],
  ["port", 65_536, false],
  ["port", -1, false],
  ["host", "127.0.0.1", true],
  ["host", "local host", false],
  ["allowedHosts", ["sandbox.test", "[::1]"], true],
  ["allowedHosts", ["http://sandbox.test"], false],
  ["allowedHosts", ["sandbox.test:80"], false],
  ["adminToken", "00!~", true],
  ["adminToken", "a b", false],
  ["adminToken", "sésame", false],
  ["openToken", "00!~", true],
  ["openToken", "a b", false],
  ["admin", false, true],
  ["profile", "minimal", true],
  ["profile", "minimum", false],
  ["assumptions", { "list.order": "unordered", "list.max_size": 50 }, true],
  ["assumptions", { "list.order": "random" }, false],
  ["assumptions", { "list.ordr": "unordered" }, false],
  ["rateLimit", 0, true],
  ["rateLimit", 1_000_000, true],
  ["rateLimit", 1_000_001, false],
  ["rateLimit", 1.5, false],
  ["rateLimit", -1, false],
  ["delay", 600_000, true],
  ["delay", 600_001, false],
  ["delay", [50, 200], true],
  ["delay", [200, 50], false],
  ["delay", "100ms", true],
  ["delay", "1s..3s", true],
  ["delay", "50-200", true],
  ["delay", "3s..1s", false],
  ["delay", "11m", false],
  ["delay", -1, false],
  ["corsOrigins", ["*"], true],
  ["corsOrigins", ["http://localhost:3000", "https://app.test"], true],
  ["corsOrigins", ["localhost:3000"], false],
  ["assumptionHeader", false, true],
];

/** The value in the form of a flag or a variable. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.join(typeof value[0] === "number" ? "-" : ",");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([id, item]) => `${id}=${item}`)
    .join(",");
}

const flagNamed = (name: Name): string => flagOf(name, sandboxSettings[name] satisfies Setting);

const ofEnvironments: ReadonlySet<string> = new Set(Object.keys(environmentSettings));

let folder = "";
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let remote: Sandbox;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "offering-sandbox-"));
  sandbox = await startSandbox();
  remote = await connectSandbox(sandbox.url);
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sandbox.close();
});

/** Functions that set a value on each surface, and throw if it is refused. */
const surfaces: Record<string, (name: Name, value: unknown) => unknown> = {
  "an option": (name, value) => configure({ [name]: value }),
  "a flag": (name, value) => {
    const text = asText(value);
    return loadSettings([{ setting: name, text, place: `--${flagNamed(name)}` }], [], {});
  },
  "a variable": (name, value) => {
    const variable = `OFFERING_SANDBOX_${flagNamed(name).toUpperCase().replaceAll("-", "_")}`;
    return loadSettings([], [], { [variable]: asText(value) });
  },
  "a key of the config file": (name, value) => {
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify({ [flagNamed(name)]: value }));
    return loadSettings([{ setting: "config", text: file, place: "-c" }], [], {});
  },
  "the name of the option in the config file": (name, value) => {
    const file = join(folder, "named.yaml");
    writeFileSync(file, JSON.stringify({ [name]: value }));
    return loadSettings([{ setting: "config", text: file, place: "-c" }], [], {});
  },
};

describe.each(Object.entries(surfaces))("%s", (_, give) => {
  test.each(cases)("%s = %j is accepted: %j", async (name, value, accepted) => {
    const outcome = await (async () => give(name, value))().then(
      () => "accepted",
      (error: Error) => error.name,
    );
    expect(outcome).toBe(accepted ? "accepted" : "ValidationError");
  });
});

test("the schema of the config file accepts these values too, and no other members", () => {
  const valid = addFormats.default(new Ajv2020({ strict: false })).compile(configSchema());
  for (const [name, value] of cases.filter(([, , accepted]) => accepted))
    expect([name, value, valid({ [flagNamed(name)]: value })]).toEqual([name, value, true]);
  for (const wrong of [{ prot: 0 }, { port: -1 }, { config: "x" }, { assume: { "list.order": "random" } }])
    expect([wrong, valid(wrong)]).toEqual([wrong, false]);
});

describe.each(["in process", "over HTTP"])("an option of openEnvironment %s", (where) => {
  test.each(cases.filter(([name]) => ofEnvironments.has(name) && name !== "fixture"))(
    "%s = %j is accepted: %j",
    async (name, value, accepted) => {
      const opened = (where === "in process" ? sandbox : remote).openEnvironment({ [name]: value });
      if (accepted) await (await opened).close();
      else await expect(opened).rejects.toMatchObject({ name: "ControlError", code: "invalid" });
    },
  );

  test("is in camelCase", async () => {
    const control = where === "in process" ? sandbox : remote;
    const opened = await control.openEnvironment({ rateLimit: 7, ttlSeconds: 60 });
    expect((await opened.describe()).rate_limit).toBe(7);
    await opened.close();
    await expect(control.openEnvironment({ rate_limit: 7 } as object)).rejects.toThrow('Did you mean "rateLimit"?');
  });
});

describe("a number in a string is refused unless it is written in digits", () => {
  const tables = [environmentSettings, ...commands.map(({ flags }) => flags)];
  const kinds = new Set(tables.flatMap((table) => Object.values(table)).map(({ kind }) => kind));
  const numbers = [...kinds].filter((kind) => kind.read("5") === 5);

  test.each(["0x10", "1e3", " 5", "5 ", "+5", "\u{ff15}", "5_0", "0b1", "Infinity", "NaN", "5n", " "])(
    "%j is none",
    (text) => {
      expect(numbers.length).toBeGreaterThan(8);
      for (const kind of numbers) expect([kind.expected, kind.read(text)]).toEqual([kind.expected, undefined]);
    },
  );
});
