import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { openLog } from "../../src/cli/output/log.ts";
import { startSandbox } from "../../src/index.ts";
import { Secrets } from "../../src/secrets/secrets.ts";
import type { StartSettings } from "../../src/settings/start-settings.ts";
import { type CommandResult, openCommandLine, run, temporaryFolder } from "./cli.ts";

/** Escape sequences, line breaks, C1 controls, and characters that change the direction of text. */
const hostile = "\u001b[31mx\u0007\r\nFORGED\u007f\u009b2J\u202e\u2066\u200f\u061c\u2028y";
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const description = hostile;
const scenario = {
  description,
  investment: { status: hostile, step: hostile, investors: [{ first_name: hostile }] },
  steps: [
    { event: { event: "SHOUT", action: "LOUD", description } },
    { investment: { status: hostile } },
    { offering: { name: hostile, status: hostile } },
    { payment: { amount: 5, category: hostile } },
    { fault: { respond: { status: 500, body: hostile } } },
    { next: true, investor: { first_name: hostile } },
  ],
};
const fixture = {
  name: hostile,
  offerings: [
    {
      alias: "mine",
      name: hostile,
      status: hostile,
      investments: [{ investors: [{ first_name: hostile }], step: hostile }],
    },
  ],
};

function expectQuiet({ stdout, stderr }: Pick<CommandResult, "stdout" | "stderr">): void {
  expect(stdout + stderr).not.toMatch(controlCharacters);
  expect(stdout + stderr).not.toMatch(/^FORGED/m);
}

test("no command prints a control character of foreign text to the terminal", async () => {
  const { runLine, ready } = await openCommandLine({ fixture });
  const cwd = temporaryFolder();
  const file = (name: string, content: unknown): string => {
    writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
    return name;
  };
  const hostileName = "\u001b[31m\u202e\nFORGED";
  const [scenarioFile, fixtureFile] = [
    file(`${hostileName}.json`, scenario),
    file(`${hostileName}-fixture.json`, fixture),
  ];
  const invalidFile = file(`${hostileName}-wrong.json`, {
    [hostile]: 1,
    steps: [{ [hostile]: hostile, after: hostile, next: hostile }],
  });
  const malformedYaml = file(`${hostileName}.yaml`, `${hostile}: [\n\u001b"${hostile}`);
  const config = file(`${hostileName}-config.yaml`, `"\\e[31m\\u202e": 1\nfixture: "\\e\\u202e"\nport: "\\e\\u202e"`);
  const scenarioPlay = await run(["scenario", "play", scenarioFile, "--url", ready.url], { cwd });
  expect(scenarioPlay.code, scenarioPlay.stderr).toBe(0);
  expectQuiet(scenarioPlay);
  const commands = [
    "keys list",
    "keys issue partner",
    "clock advance 1d",
    "clock show",
    "requests",
    "scenario next",
    "scenario list",
    "reset",
  ];
  expect((await runLine("keys list")).stdout).toContain(String.raw`\u001b[31mx\u0007\u000d\u000aFORGED`);
  for (const line of commands) {
    expectQuiet(await runLine(line));
    const { stdout } = await runLine(`${line} --json`);
    expectQuiet({ stdout, stderr: "" });
  }
  for (const args of [
    ["scenario", "show", scenarioFile],
    ["scenario", "check", scenarioFile],
    ["scenario", "check", invalidFile],
    ["scenario", "check", malformedYaml],
    ["fixture", "check", fixtureFile, "--assume", "investment.statuses=any"],
    ["fixture", "check", invalidFile],
    ["fixture", "expand", fixtureFile],
    ["fixture", "expand", `${hostileName}-missing.json`],
    ["assumptions", "--config", config],
    ["assumptions", "--assume", `list.order=${hostile}`],
    ["assumptions", "--assume", `${hostile}=1`],
    ["start", "--port", hostile, "--clock", hostile],
    [hostile],
    ["keys", hostile],
    ["keys", "revoke", hostile, hostile],
    ["keys", "issue", "partner", "--label", hostile],
  ]) {
    const result = await run(args, { cwd });
    expect(result.stdout + result.stderr).not.toBe("");
    expectQuiet(result);
  }
});

test.each(["pretty", "json"] as const)(
  "a start with the log format %s prints no control character of foreign text",
  async (logFormat) => {
    let text = "";
    const stream = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
    Object.assign(stream, { isTTY: true });
    await using sandbox = await startSandbox({ fixture, scenarios: [] });
    await sandbox.play(scenario);
    const settings = { admin: true, quiet: false } as StartSettings;
    const log = openLog({ ...settings, logFormat, logLevel: "debug" }, stream);
    const environment = await sandbox.describe();
    const examples = await sandbox.examples();
    log.ready({ sandbox, environment, examples, settings, terminalKeys: [["q", "quit"]] }, new Secrets());
    log.done("reload", `Reloaded ${hostile.replace("\n", "")}.`);
    log.debug(hostile.replace("\n", ""));
    await new Promise((resolve) => setImmediate(resolve));
    expect(text).toContain("ready");
    expectQuiet({ stdout: text, stderr: "" });
  },
);

test("every command prints through one file", () => {
  const folder = new URL("../../src/cli/", import.meta.url).pathname;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const printingFiles = files.filter((file) =>
    /console\.|process\.std(out|err)\.write/.test(readFileSync(join(folder, file), "utf8")),
  );
  expect(printingFiles).toEqual([join("output", "terminal.ts")]);
});

test("escaped JSON output parses to the same value", async () => {
  const { runJson, ready } = await openCommandLine({ fixture });
  expect(await runJson("keys list")).toEqual(ready.environment.keys);
  const { stdout } = await run(["fixture", "expand", "mine.json"], { cwd: folderWith("mine.json", fixture) });
  expect((JSON.parse(stdout) as typeof fixture).offerings[0]?.name).toBe(hostile);
});

function folderWith(name: string, content: unknown): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, name), JSON.stringify(content));
  return cwd;
}
