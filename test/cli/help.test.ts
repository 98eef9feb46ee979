import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { flagOf } from "../../src/settings/settings.ts";
import { startSettings } from "../../src/settings/start-settings.ts";
import { run, runProcess } from "./cli.ts";

const commandNames = (group = ""): string[] =>
  commands.map(({ name }) => name).filter((name) => name.startsWith(group === "" ? "" : `${group} `));

test("help shows every flag, every command and examples", async () => {
  const { code, stdout, stderr } = await runProcess(["--help"]);
  const { snapshotDir: _ofTests, ...settingsOfStart } = startSettings;
  for (const [name, setting] of Object.entries(settingsOfStart))
    expect(stdout).toMatch(new RegExp(`--(no-)?${flagOf(name, setting)}\\b`));
  for (const command of commandNames()) expect(stdout).toContain(`\n  ${command} `);
  expect(stdout).toContain("Examples:");
  expect(stdout).not.toContain("undefined");
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stdout).toContain("https://");
  expect([code, stderr]).toEqual([0, ""]);
});

test.for(commandNames())("%s has its own help, with examples", async (command) => {
  const { code, stdout } = await run([...command.split(" "), "-h"]);
  expect(stdout).toMatch(new RegExp(`^offering-sandbox (\\[start\\]|${command}) .*\\[flags\\]( -- <command>)?\n`));
  expect(stdout).toContain("Examples:");
  expect(code).toBe(0);
});

test.for(["fixture", "keys", "clock", "scenario"])("%s lists its commands, with examples", async (group) => {
  const { code, stdout } = await run([group, "--help"]);
  const [, commandList = "", , examples = ""] = stdout.split(/^(?:Commands|Flags|Examples):$/m);
  for (const command of commandNames(group)) {
    expect(commandList).toContain(`  ${command} `);
    expect(examples).toContain(`  offering-sandbox ${command} `);
  }
  expect(code).toBe(0);
});

test("help works as a command, for the program and for each command", async () => {
  expect(await run(["help"])).toEqual(await run(["--help"]));
  expect(await run(["help", "keys", "issue"])).toEqual(await run(["keys", "issue", "--help"]));
  expect(await run(["help", "clock"])).toEqual(await run(["clock", "--help"]));
});
