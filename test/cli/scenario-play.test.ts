import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EnvironmentDescription } from "../../src/control.ts";
import { run, runProcess, start, openToAsk, temporaryFolder } from "./cli.ts";

const twoWaits = `
steps:
  - event: REGISTRATION COMPLETED
  - { next: true, event: PROFILE SUBMITTED }
  - { next: true, event: ADDRESS SUBMITTED }
`;

function folderWith(text: string): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "mine.yaml"), text);
  return cwd;
}

function scenariosOf({ runs }: EnvironmentDescription): string[] {
  return runs.map(({ scenario }) => scenario);
}

test("--scenario plays shipped scenarios and files at the start", async () => {
  const cwd = folderWith(twoWaits);
  const { ready } = await start(["-s", "closing", "--scenario", "mine.yaml"], { cwd });
  expect(scenariosOf(ready.environment)).toEqual(["closing", "mine"]);
});

test("--no-scenario plays none; the fixture's own scenarios play by default", async () => {
  const cwd = temporaryFolder();
  const fixture = { name: "mine", offerings: [{ alias: "one" }], scenarios: ["closing"] };
  writeFileSync(join(cwd, "mine.json"), JSON.stringify(fixture));
  const played = async (...args: string[]): Promise<string[]> =>
    scenariosOf((await start(["-f", "mine.json", ...args], { cwd })).ready.environment);
  expect(await played()).toEqual(["closing"]);
  expect(await played("--no-scenario")).toEqual([]);
  writeFileSync(join(cwd, "offering-sandbox.config.yaml"), "scenario: []");
  expect(await played()).toEqual([]);
  expect(await played("-s", "polling")).toEqual(["polling"]);
});

test("a scenario with a mistake ends the start with its place", async () => {
  const cwd = folderWith("steps:\n  - { aftr: 2m, event: PROFILE SUBMITTED }\n");
  const { code, stdout, stderr } = await runProcess(["--port", "0", "-s", "mine.yaml"], { cwd });
  expect(stderr).toMatch(/^mine\.yaml:2:7: .*Did you mean "after"\?/);
  expect([code, stdout]).toEqual([2, ""]);
});

test("scenario list prints the shipped scenarios with their descriptions", async () => {
  expect((await run(["scenario", "list"])).stdout).toMatch(
    /^closing\n {2}The happy path: [^]*^live-demo\n {2}A fundraising/m,
  );
});

test("scenario play shows the progress of each of many investments", async () => {
  const { ask } = await openToAsk();
  await ask("scenario play busy-day");
  const { stdout } = await ask("clock advance 12h");
  expect(stdout.split("\n").length).toBeLessThan(60);
  expect(stdout).toMatch(/\n {2}… and \d+ more\n$/);
});
