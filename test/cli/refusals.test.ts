import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run, runProcess, temporaryFolder } from "./cli.ts";

const onTheCommandLine: [line: string, stderr: string][] = [
  ["--prot 3", `There is no flag --prot. Did you mean "--port"?`],
  ["strat", `There is no command "strat". Did you mean "start"?`],
  ["strat --help", `There is no command "strat". Did you mean "start"?`],
  ["keys lst -h", `There is no command "keys lst". Did you mean "keys list"?`],
  ["start extra", `start does not take "extra".`],
  ["fixture", `fixture needs a subcommand: check, expand, generate or from-answers.`],
  ["fixture chek x.json", `There is no command "fixture chek". Did you mean "fixture check"?`],
  ["fixture check", "fixture check needs a file."],
  ["my.json", `There is no command "my.json". To serve a fixture: --fixture my.json`],
  ["--url http://localhost:1", "--url belongs after the command: offering-sandbox runs list --url …"],
  ["--watch=perhaps", `--watch: expected "true" or "false", not "perhaps".`],
  ["--port", "--port needs a value: a whole number from 0 to 65535."],
  ["--port 65536", `--port: expected a whole number from 0 to 65535, not 65536.`],
  ["--port 1 --port 2", "--port is given more than once, and takes one value."],
  ["--cors --no-cors", "--cors is given more than once, and takes one value."],
  ["--fixture --watch", "--fixture needs a value: a shipped fixture's name or a file."],
  ["--profile minimall", `--profile: expected "conventional" or "minimal", not "minimall". Did you mean "minimal"?`],
  ["--assume list.ordr=unordered", `--assume: There is no assumption "list.ordr". Did you mean "list.order"?`],
  [
    "--assume list.order",
    `--assume: expected an assumption and its value, such as "list.order=unordered", not "list.order".`,
  ],
  [
    "--clock yesterday",
    `--clock: expected an instant such as 2026-01-15T12:00:00Z or 2026-01-15, "now" or "fixture", not "yesterday".`,
  ],
  ["--speed -1", `--speed: expected a number from 0 to 100000000, not -1.`],
  [
    "--delay 200-50",
    `--delay: expected a duration of ten minutes at most such as "100ms" or "2s", or a span such as "50ms..200ms", not "200-50".`,
  ],
  [
    "--cors-origin localhost:3000",
    `--cors-origin: expected "*" or origins such as "http://localhost:3000", not "localhost:3000".`,
  ],
  ["--log-format yaml", `--log-format: expected "pretty" or "json", not "yaml".`],
  ["--scenario closng", `There is no scenario "closng". Did you mean "closing"?`],
  ["--no-scenario --scenario closing", "--scenario and --no-scenario exclude each other."],
  ["--no-scenaro", `There is no flag --no-scenaro. Did you mean "--no-scenario"?`],
  ["--no-fixture", `There is no flag --no-fixture.`],
  ["--no-such", `There is no flag --no-such.`],
  ["keys isue partner", `There is no command "keys isue". Did you mean "keys issue"?`],
  ["keys issue", "keys issue needs a type."],
  ["keys issue parter", `keys issue: expected "marketing" or "partner", not "parter". Did you mean "partner"?`],
  ["keys revoke", "keys revoke needs a key."],
  ["clock", `clock needs a subcommand: show, set or advance.`],
  ["clock advance", "clock advance needs a duration or --to."],
  ["clock advance 2d --to 2026-01-01", "clock advance needs a duration or --to."],
  [
    "clock advance 2x",
    `clock advance: expected a duration such as 90s, 2m, 1h30m, 2d or PT1H30M, of a hundred years at most, not "2x".`,
  ],
  ["clock set", "clock set needs an instant, --speed, or both."],
  [
    "clock set noon",
    `clock set: expected an instant such as 2026-01-15T12:00:00Z or 2026-01-15, "now", "fixture" or "previous", not "noon".`,
  ],
  ["scenario play", "scenario play needs a name or file."],
  ["requests --status ok", `--status: expected a whole number from 0 to 599, or a class such as "4xx", not "ok".`],
  ["requests --folow", `There is no flag --folow. Did you mean "--follow"?`],
  ["reset everything", `reset does not take "everything".`],
  ["reset --url http://sandbox_partner_123@localhost:4120", "--url: expected an address without a user or password."],
  ["reset --url localhost:4120", `--url: expected an address such as "http://localhost:4120", not "localhost:4120".`],
  ["--fixture dem", `There is no fixture "dem". Did you mean "demo"?`],
  ["assumptions --profil minimal", `There is no flag --profil. Did you mean "--profile"?`],
];

test.for(onTheCommandLine)("refuses %s", async ([line, message]) => {
  const { code, stdout, stderr } = await run(line.split(" "));
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toContain("sandbox_partner");
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test("reports every mistake at once", async () => {
  const { stderr } = await runProcess(["--port", "x", "--delay", "y"], { env: { OFFERING_SANDBOX_SPEED: "z" } });
  expect(stderr.trimEnd().split("\n")).toEqual([
    `OFFERING_SANDBOX_SPEED: expected a number from 0 to 100000000, not "z".`,
    `--port: expected a whole number from 0 to 65535, not "x".`,
    `--delay: expected a duration of ten minutes at most such as "100ms" or "2s", or a span such as "50ms..200ms", not "y".`,
  ]);
});

async function refusalLines(name: string, text: string): Promise<string[]> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, name), text);
  const { code, stderr } = await run(["--port", "0"], { cwd });
  expect(code).toBe(2);
  return stderr.trimEnd().split("\n");
}

describe("a config file", () => {
  test("is refused with all its mistakes and their places", async () => {
    const text = [
      "rate-limt: 0",
      "no-cors: true",
      "port: many",
      "profile:",
      "  - minimal",
      "assume:",
      "  list.order: unorderd",
      "  errors.bdy: empty",
    ].join("\n");
    const name = "offering-sandbox.config.yaml";
    expect((await refusalLines(name, text)).toSorted()).toEqual([
      `${name}:1:1: There is no setting "rate-limt". Did you mean "rate-limit"?`,
      `${name}:2:1: There is no setting "no-cors". Write "cors: false".`,
      `${name}:3:7: port: expected a whole number from 0 to 65535, not "many".`,
      `${name}:4:1: profile: expected "conventional" or "minimal", not a list.`,
      `${name}:7:3: assume: list.order cannot be "unorderd": expected "create_date", "-create_date", "modify_date", "-modify_date", "id", or "unordered". Did you mean "unordered"?`,
      `${name}:8:3: assume: There is no assumption "errors.bdy". Did you mean "errors.body"?`,
    ]);
  });

  test("is refused for an empty list of assumptions, and a wrong calibration without its text", async () => {
    const name = "offering-sandbox.config.yaml";
    const [assume, calibrated = ""] = await refusalLines(name, "assume: []\ncalibrated: { confidence: high }");
    expect(assume).toBe(
      `${name}:1:1: assume: expected an assumption and its value, such as "list.order=unordered", not a list.`,
    );
    expect(calibrated).toMatch(
      /^offering-sandbox\.config\.yaml:2:13: calibrated: expected an object such as \{[^\\]*\}\.$/,
    );
  });

  test("may be JSON", async () => {
    const name = "offering-sandbox.config.json";
    expect(await refusalLines(name, `{\n  "prot": 1\n}`)).toEqual([
      `${name}:2:3: There is no setting "prot". Did you mean "port"?`,
    ]);
  });

  test("is refused at the place where its YAML breaks off", async () => {
    const name = "offering-sandbox.config.yaml";
    expect((await refusalLines(name, "port: [1"))[0]).toMatch(/^offering-sandbox\.config\.yaml:1:9: /);
  });

  test("is reported when it cannot be read", async () => {
    const { code, stderr } = await run(["-c", "nowhere.yaml"]);
    expect(stderr).toContain("nowhere.yaml cannot be read");
    expect(code).toBe(1);
  });
});
