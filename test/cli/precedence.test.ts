import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chdir, cwd } from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { loadSettings } from "../../src/cli/settings/load.ts";
import type { StartSettings } from "../../src/settings/start-settings.ts";
import { temporaryFolder } from "./cli.ts";

const config = { "offering-sandbox.config.yaml": "rate-limit: 7\nprofile: minimal" };
const inPackage = { "package.json": "{}", ...config };
const otherFile = { "other.yaml": "rate-limit: 5" };
const configWithoutScenario = { "package.json": "{}", "offering-sandbox.config.yaml": "scenario: []" };
const variable = { OFFERING_SANDBOX_RATE_LIMIT: "8" };

/** Loads the settings of a start in a folder with files. */
async function loadInFolder(
  files: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = {},
  flags: Readonly<Record<string, string>> = {},
) {
  const [cwdBefore, folder] = [cwd(), temporaryFolder()];
  onTestFinished(() => chdir(cwdBefore));
  mkdirSync(join(folder, "below"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chdir(join(folder, "below"));
  return loadSettings(
    Object.entries(flags).map(([setting, text]) => ({ setting, text, place: `--${setting}` })),
    [],
    env,
  );
}

test.for<[what: string, ...from: Parameters<typeof loadInFolder>, expected: Partial<StartSettings>]>([
  ["no source: its default", {}, {}, {}, { rateLimit: 120, speed: 1, profile: "conventional" }],
  ["the config file", inPackage, {}, {}, { rateLimit: 7, profile: "minimal", speed: 1 }],
  ["no file above the package", { "below/package.json": "{}", ...config }, {}, {}, { rateLimit: 120 }],
  ["a variable before the config file", inPackage, variable, {}, { rateLimit: 8, profile: "minimal" }],
  ["a flag before a variable", config, variable, { rateLimit: "9" }, { rateLimit: 9 }],
  ["an empty variable: as if unset", {}, { OFFERING_SANDBOX_RATE_LIMIT: "" }, {}, { rateLimit: 120 }],
  ["the negative variable of a switch", {}, { OFFERING_SANDBOX_NO_ADMIN: "1" }, {}, { admin: false }],
  ["PORT", {}, { PORT: "1" }, {}, { port: 1 }],
  ["a flag before PORT", {}, { PORT: "1" }, { port: "2" }, { port: 2 }],
  ["a file that a variable names", otherFile, { OFFERING_SANDBOX_CONFIG: "../other.yaml" }, {}, { rateLimit: 5 }],
  ["a file that a flag names", otherFile, {}, { config: "../other.yaml" }, { rateLimit: 5 }],
  ["the config file, which plays no scenario", configWithoutScenario, {}, {}, { scenarios: [] }],
  ["a flag before such a config file", configWithoutScenario, {}, { scenarios: "polling" }, { scenarios: ["polling"] }],
])("a setting comes from %s", async ([, files, env, flags, expected]) => {
  expect((await loadInFolder(files, env, flags)).settings).toMatchObject(expected);
});

test("a fixture's path in a config file is relative to that file", async () => {
  const { settings, configFile } = await loadInFolder(
    { "sandbox.yaml": "fixture: mine.json" },
    {},
    { config: "../sandbox.yaml" },
  );
  expect([settings.fixture, configFile]).toEqual([join("..", "mine.json"), "../sandbox.yaml"]);
});

test("an unknown variable gives a warning, one that exec sets does not", async () => {
  const { warnings } = await loadInFolder(
    {},
    { OFFERING_SANDBOX_COLOR_OF_MY_CI: "1", OFFERING_SANDBOX_URL: "http://localhost:1" },
  );
  expect(warnings).toEqual(["There is no variable OFFERING_SANDBOX_COLOR_OF_MY_CI; it is ignored."]);
});
