import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "./cli.ts";

function folderWith(fixture: object): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "mine.json"), JSON.stringify(fixture));
  return cwd;
}

const valid = { name: "mine", offerings: [{ alias: "one", investments: [{}, {}] }] };

test("fixture check prints the contents of a valid fixture", async () => {
  const { code, stdout, stderr } = await run(["fixture", "check", "mine.json"], { cwd: folderWith(valid) });
  expect(stdout).toContain("2 investments");
  expect([code, stderr]).toEqual([0, ""]);
});

test("fixture check prints every mistake with its place", async () => {
  const cwd = folderWith({ offerings: [{ alis: "one" }], sed: 7 });
  const { code, stdout, stderr } = await run(["fixture", "check", "mine.json"], { cwd });
  expect(stderr).toMatch(/^mine\.json:1:\d+: .*"alis".* Did you mean "alias"\?$/m);
  expect(stderr).toMatch(/^mine\.json:1:\d+: .*"sed".* Did you mean "seed"\?$/m);
  expect([code, stdout]).toEqual([2, ""]);
});

test("fixture check checks the scenarios as a start does", async () => {
  const scenarios = ["closing", "closng", "./nowhere.yaml", "./broken.yaml"];
  const cwd = folderWith({ offerings: [{ alias: "one", nmae: "One" }], scenarios });
  writeFileSync(join(cwd, "broken.yaml"), "steps:\n  - { after: 1x, sign: all }\n");
  const { code, stderr } = await run(["fixture", "check", "mine.json"], { cwd });
  expect(stderr).toMatch(/^mine\.json:1:\d+: offerings\[0\] has no member "nmae"/m);
  expect(stderr).toMatch(
    /^mine\.json:1:\d+: scenarios\[1\]: There is no scenario "closng"\. Did you mean "closing"\?/m,
  );
  expect(stderr).toMatch(/^mine\.json:1:\d+: scenarios\[2\]: \.\/nowhere\.yaml cannot be read: there is no such file/m);
  expect(stderr).toMatch(
    /^mine\.json:1:\d+: scenarios\[3\] has mistakes:\n\.\/broken\.yaml:2:14: steps\[0\]\.after is /m,
  );
  expect([code, stderr.match(/^mine\.json/gm)?.length]).toEqual([2, 4]);
  const alone = folderWith({ ...valid, scenarios: ["closng"] });
  expect((await run(["fixture", "check", "mine.json"], { cwd: alone })).code).toBe(2);
  const right = folderWith({ ...valid, scenarios: ["closing"] });
  expect((await run(["fixture", "check", "mine.json"], { cwd: right })).code).toBe(0);
});

test("fixture check follows the assumptions", async () => {
  const cwd = folderWith({ offerings: [{ alias: "one", investments: [{ status: "PAUSED" }] }] });
  expect((await run(["fixture", "check", "mine.json"], { cwd })).code).toBe(2);
  const assume = ["--assume", "investment.statuses=any"];
  expect((await run(["fixture", "check", "mine.json", ...assume], { cwd })).code).toBe(0);
});

test("fixture check reports an unreadable file", async () => {
  const { code, stderr } = await run(["fixture", "check", "nowhere.json"]);
  expect(stderr).toContain("nowhere.json cannot be read");
  expect(code).toBe(1);
});

test("fixture expand prints a fixture that expands to itself", async () => {
  const cwd = folderWith(valid);
  const { stdout: once } = await run(["fixture", "expand", "mine.json"], { cwd });
  writeFileSync(join(cwd, "completed.json"), once);
  const { stdout: twice } = await run(["fixture", "expand", "completed.json"], { cwd });
  expect(twice).toBe(once);
  const { stdout: otherwise } = await run(["fixture", "expand", "mine.json", "--seed", "7"], { cwd });
  expect(otherwise).not.toBe(once);
});

test("fixture generate writes a fixture, shows its progress, and overwrites a file only with a flag", async () => {
  const cwd = temporaryFolder();
  const args = ["fixture", "generate", "--offerings", "3", "--investments", "50", "--seed", "42", "--out", "big.json"];
  const first = await run(args, { cwd });
  expect(first.stderr.trim().split("\n").at(-1)).toBe("Writing big.json 100 %");
  expect([first.code, first.stdout]).toEqual([0, ""]);
  const fileText = readFileSync(join(cwd, "big.json"), "utf8");
  expect(JSON.parse(fileText)).toMatchObject({ offerings: [{}, {}, {}], seed: 42 });

  const second = await run(args, { cwd });
  expect(second.stderr).toContain("--force");
  expect(second.code).toBe(2);

  expect((await run([...args, "--force"], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "big.json"), "utf8")).toBe(fileText);
});

test("fixture generate without a file is refused", async () => {
  const cwd = temporaryFolder();
  const { code, stderr } = await run(["fixture", "generate"], { cwd });
  expect(stderr).toContain("--out");
  expect(code).toBe(2);
  expect(existsSync(join(cwd, "undefined"))).toBe(false);
});
