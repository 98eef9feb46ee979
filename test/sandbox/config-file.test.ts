import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { parseConfig } from "../../src/settings/config-file.ts";
import { runInProcess } from "../cli/in-process.ts";
import { startForTest } from "../support/sandbox.ts";

test.each([
  ["digits as written", "admin-token: 0012", [["adminToken", "0012", "c.yaml:1:14: admin-token"]]],
  [
    "an alias as the value of its anchor",
    "rate-limit: &limit 7\nport: *limit",
    [
      ["rateLimit", "7", "c.yaml:1:20: rate-limit"],
      ["port", "7", "c.yaml:2:7: port"],
    ],
  ],
  ["a span from its list", "delay: [50ms, 200ms]", [["delay", "50ms..200ms", "c.yaml:1:8: delay"]]],
  [
    "each item with its position, even an empty item",
    "scenarios:\n  - closing\n  -\n",
    [
      ["scenarios", "closing", "c.yaml:2:5: scenarios"],
      ["scenarios", "", "c.yaml:3:4: scenarios"],
    ],
  ],
])("a config file gives %s", (_, text, expected) => {
  const errors: string[] = [];
  const settings = parseConfig("c.yaml", text, errors);
  expect(errors).toEqual([]);
  expect(settings.map((setting) => [setting.setting, setting.text, setting.place])).toEqual(expected);
});

test("errors of YAML in a config file have a position, and do not quote the line, which may contain a token", () => {
  const errors: string[] = [];
  parseConfig("c.yaml", "port: 1\nadmin-token: secret: x\nport: 2", errors);
  expect(errors.join("\n")).toMatch(/^c\.yaml:2:14: Expected one "name: value" on a line;/);
  expect(errors.join("\n")).not.toContain("secret");
});

const name = "offering-sandbox.config.yaml";

/** Changes to a folder of a new tree with these files until the test ends. Returns the top of the tree. */
function workIn(folder: string, files: Readonly<Record<string, string>>): string {
  const top = mkdtempSync(join(tmpdir(), "offering-sandbox-config-"));
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
    rmSync(top, { recursive: true });
  });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(top, dirname(file)), { recursive: true });
    writeFileSync(join(top, file), text);
  }
  mkdirSync(join(top, folder), { recursive: true });
  process.chdir(join(top, folder));
  return top;
}

describe("startSandbox reads", () => {
  test.each([
    ["the file of the working directory", "app", { [`app/${name}`]: "rate-limit: 7" }, name],
    [
      "the nearest file up to the package's root",
      "app/test/unit",
      { "app/package.json": "{}", [`app/${name}`]: "rate-limit: 7", [name]: "rate-limit: 8" },
      join("..", "..", name),
    ],
    [
      "a nearer file, as JSON",
      "app/test",
      { "app/package.json": "{}", [`app/${name}`]: "{}", "app/test/offering-sandbox.config.json": '{"rate-limit": 7}' },
      "offering-sandbox.config.json",
    ],
  ])("%s", async (_, folder, files, configFile) => {
    workIn(folder, files);
    const sandbox = await startForTest();
    expect(sandbox.configFile).toBe(configFile);
    expect((await sandbox.describe()).rate_limit).toBe(7);
  });

  test.each([
    ["none above the package's root", "app/test", { "app/package.json": "{}", [name]: "rate-limit: 8" }],
    ["none above the working directory, outside of a package", "app", { [name]: "rate-limit: 8" }],
  ])("%s", async (_, folder, files) => {
    workIn(folder, files);
    expect((await startForTest()).configFile).toBe(null);
  });

  test("the file of the option, by its path or its URL, or none", async () => {
    const top = workIn("test", { [name]: "rate-limit: 7", "test/strict.yaml": "rate-limit: 8" });
    for (const config of ["strict.yaml", join(top, "test/strict.yaml"), pathToFileURL(join(top, "test/strict.yaml"))]) {
      expect((await (await startForTest({ config })).describe()).rate_limit).toBe(8);
    }
    expect(await startForTest({ config: false })).toMatchObject({ configFile: null });
    await expect(startSandbox({ config: "nowhere.yaml" })).rejects.toThrow("nowhere.yaml cannot be read");
    await expect(startSandbox({ config: "file" })).rejects.toThrow(
      `"file" cannot be read: there is no such file. Looked for ${join(top, "test/file")}.`,
    );
    await expect(startSandbox({ config: "file:///a.yaml" })).rejects.toThrow("The URL of a file is not a path;");
    // @ts-expect-error
    await expect(startSandbox({ config: true })).rejects.toThrow("config: expected a config file, its URL, or false");
  });
});

test("options override the settings of the config file, in the sandbox and in its environments", async () => {
  workIn("app/test", {
    "app/package.json": "{}",
    "app/own/fixture.json": JSON.stringify({ name: "own", offerings: [{ alias: "one" }] }),
    [`app/${name}`]: [
      "fixture: own/fixture.json",
      "port: 1",
      "db: own/missing-folder/state.json",
      "quiet: true",
      "cors: false",
      "profile: minimal",
      "rate-limit: 7",
      "assume: { list.order: -create_date, list.max_size: 50 }",
      'calibrated: { date: "2026-01-01", host: demo.example.com, confidence: { list.order: high, list.max_size: low } }',
    ].join("\n"),
  });
  const sandbox = await startForTest({ rateLimit: 9, assumptions: { "list.max_size": 60 } });
  const openedEnvironment = await sandbox.openEnvironment();
  for (const environment of [sandbox, openedEnvironment]) {
    const { fixture, profile, rate_limit } = await environment.describe();
    expect({ fixture, profile, rate_limit }).toEqual({ fixture: "own", profile: "minimal", rate_limit: 9 });
    const rows = Object.fromEntries((await environment.assumptions.list()).map((row) => [row.id, row]));
    expect(rows["list.order"]).toMatchObject({ value: "-create_date", source: "calibrated" });
    expect(rows["list.max_size"]).toMatchObject({ value: 60, source: "set" });
    expect(rows["cors"]).toMatchObject({ value: "no" });
  }
  const configured = await startForTest({ fixture: "minimal", profile: "conventional", config: undefined });
  expect(await configured.describe()).toMatchObject({ fixture: "minimal", profile: "conventional", rate_limit: 7 });
});

test("the option snapshot overrides the fixture of the config file, and the option fixture overrides its snapshot", async () => {
  workIn(".", { [name]: "fixture: minimal" });
  const snapshot = await (await startForTest()).snapshot();
  expect(await (await startForTest({ snapshot })).describe()).toMatchObject({ fixture: "minimal" });
  writeFileSync("state.json", JSON.stringify(snapshot));
  writeFileSync(name, "snapshot: state.json");
  expect(await (await startForTest()).describe()).toMatchObject({ fixture: "minimal" });
  expect(await (await startForTest({ fixture: "demo" })).describe()).toMatchObject({ fixture: "demo" });
});

test.each([
  ["wrong values", { [name]: "rate-limt: 0\nassume:\n  list.order: unorderd" }],
  ["broken YAML", { [name]: "port: [1" }],
  ["two files", { [name]: "{}", "offering-sandbox.config.json": "{}" }],
  ["an error in a parent folder", { "package.json": "{}", [name]: "rate-limit: many" }],
])("%s: the same errors in code as on the command line", async (kind, files) => {
  workIn(kind === "an error in a parent folder" ? "test" : ".", files);
  const { code, stderr } = await runInProcess(["--port", "0"], { cwd: process.cwd(), env: {} });
  expect(code).toBe(2);
  await expect(startSandbox()).rejects.toMatchObject({ name: "ValidationError", message: stderr.trimEnd() });
});
