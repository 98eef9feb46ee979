import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EnvironmentDescription, RunDescription } from "../../src/control.ts";
import { runProcess, start, openToAsk, temporaryFolder } from "./cli.ts";

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

test("scenario play plays a scenario of the sandbox, and scenario next its waiting steps", async () => {
  const { ask, json } = await openToAsk();
  expect((await ask("scenario next")).stderr).toBe("No run has a waiting step.\n");
  const output = (await ask("scenario play polling --offering harbor")).stdout.trimEnd().split("\n");
  expect(output).toEqual([
    "run-1  polling, waiting",
    expect.stringMatching(/^ {2}investment [\da-f-]{36}$/),
    "  step 1  done     2026-01-15T12:00:00.000Z",
    "  step 2  waiting",
    "  step 3  pending",
  ]);
  expect((await ask("scenario next")).stdout).toContain("\n  step 3  waiting\n");
  expect(await json("scenario next run-1")).toMatchObject({ id: "run-1", scenario: "polling", status: "finished" });
  const { code, stderr } = await ask("scenario next run-1");
  expect(stderr).toBe("Run run-1 (polling) has no step that waits: it is finished.\n");
  expect(code).not.toBe(0);
});

test("scenario play plays a file, and reports its mistakes without a connection", async () => {
  const { ask } = await openToAsk();
  const { code, stdout } = await ask("scenario play mine.yaml", { cwd: folderWith(twoWaits) });
  expect(stdout).toContain("step 2  waiting");
  expect(code).toBe(0);
  const nobody = { OFFERING_SANDBOX_URL: "http://localhost:1" };
  const wrong = await ask("scenario play mine.yaml", { cwd: folderWith("steps: []"), env: nobody });
  expect(wrong.stderr).toMatch(/^mine\.yaml:1:\d+: /);
  expect(wrong.code).toBe(2);
});

test("scenario play --investment plays on that investment", async () => {
  const { json } = await openToAsk();
  const first = (await json("scenario play closing")) as RunDescription;
  const [investment] = first.investment_ids;
  expect(await json(`scenario play closing --investment ${investment}`)).toMatchObject({
    investment_ids: [investment],
  });
});

test("scenario next asks for the run when several wait", async () => {
  const { ask } = await openToAsk({ scenarios: ["polling", "polling"] });
  const { code, stderr } = await ask("scenario next");
  expect(stderr).toBe("Several runs wait: run-1 (polling), run-2 (polling). Name one: scenario next run-1.\n");
  expect(code).toBe(2);
});

test("an unknown scenario is refused with the nearest name", async () => {
  const { ask } = await openToAsk();
  const { code, stderr } = await ask("scenario play closng");
  expect(stderr).toContain(`There is no scenario "closng". Did you mean "closing"?`);
  expect(code).toBe(2);
});

test("scenario play shows the progress of each of many investments", async () => {
  const { ask } = await openToAsk();
  await ask("scenario play busy-day");
  const { stdout } = await ask("clock advance 12h");
  expect(stdout.split("\n").length).toBeLessThan(60);
  expect(stdout).toMatch(/\n {2}… and \d+ more\n$/);
});

test("scenario record writes what was done by hand to a new file, which check accepts and play plays", async () => {
  const { ask, json } = await openToAsk({ fixture: "minimal" });
  const cwd = temporaryFolder();
  expect(await ask("scenario record", { cwd })).toMatchObject({ code: 1, stderr: "Nothing was done by hand.\n" });
  await ask("investments change first --set status=CLOSED --set investment_number=7");
  await ask("clock advance 90m");
  await ask("faults add --status 503 --times 1");
  const warning = "The number 7 is left out: another investment has another.";
  const written = await ask("scenario record mine.yaml", { cwd });
  expect(written).toEqual({
    code: 0,
    stdout: "The scenario was written to mine.yaml.\n",
    stderr: `warning  ${warning}\n`,
  });
  const text = readFileSync(join(cwd, "mine.yaml"), "utf8");
  expect((await ask("scenario record --investment first", { cwd })).stdout).toBe(text);
  expect(await json("scenario record")).toEqual({ text, warnings: [warning] });
  expect((await ask("scenario check mine.yaml", { cwd })).stdout).toBe("mine.yaml: 2 steps\n");
  expect((await ask("scenario play mine.yaml", { cwd })).stdout).toContain(
    "step 2  scheduled  2026-01-15T15:00:00.000Z",
  );

  const again = await ask("scenario record mine.yaml", { cwd });
  expect(again).toMatchObject({ code: 2, stderr: "mine.yaml exists already; use --force to overwrite it.\n" });
  expect((await ask("scenario record mine.yaml --from 2026-01-15T13:00:00Z --force", { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, "mine.yaml"), "utf8")).not.toContain("CLOSED");
});
