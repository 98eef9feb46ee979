import { describe, expect, onTestFinished, test } from "vitest";
import { openLog, warnOfStoppedRuns } from "../../src/cli/output/log.ts";
import { openForTest } from "../../src/testing/test-sandbox.ts";
import { startRunning } from "../../src/sandbox/start-running.ts";
import { openCommandLine } from "../cli/cli.ts";
import { openSandbox } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";
import { PassThrough } from "node:stream";

/** A scenario whose second repetition continues beyond the last instant if the clock begins at `lateDate`. */
const endless = {
  name: "endless",
  repeat: { count: 2, every: "3000d" },
  steps: [{ event: "PROFILE SUBMITTED" }, { after: "3000d", event: "ADDRESS SUBMITTED" }],
};
const lateDate = "9984-01-01";

/** A scenario with a step that waits for a read, and then signs for a party that does not exist. */
const unsigned = {
  name: "unsigned",
  investment: "whole",
  steps: [{ after_reads: 1, sign: "unknown@elsewhere.test" }],
};
const reason = "Scenario unsigned, step 1: no signing party has the email unknown@elsewhere.test.";

describe("stopped runs", () => {
  test("an advance reports each run that stopped during it, once", async () => {
    const sandbox = await openControl();
    const environment = await sandbox.openEnvironment({ clock: lateDate });
    await environment.play(endless);
    const problem = expect.stringMatching(/^Scenario endless, .*is after the year 9999/) as string;
    expect(await environment.clock.advance("3000d")).toMatchObject({
      stopped: [{ id: "run-1", scenario: "endless", problem }],
    });
    expect(await environment.clock.advance("1d")).toMatchObject({ stopped: [] });
    expect(await environment.runs.get("run-1")).toMatchObject({ status: "stopped", problem });
  });
});

test("the command clock advance prints the runs that stopped", async () => {
  const { runLine } = await openCommandLine({ clock: lateDate, scenarios: [endless] });
  expect((await runLine("clock advance 3000d")).stdout).toMatch(
    /\n {2}endless \(run-1\) stopped: Scenario endless, .*is after the year 9999.*\n$/,
  );
});

test("the log has a warning for each run that stops, with its environment unless it is the default", async () => {
  const { sandbox, environments } = await startRunning({ fixture: "minimal", rateLimit: 0 });
  onTestFinished(() => sandbox.close());
  const stream = new PassThrough({ encoding: "utf8" });
  warnOfStoppedRuns(environments, openLog({ logFormat: "json", logLevel: "warn", quiet: false }, stream));
  const { investments } = sandbox;
  const { id } = await investments.create({ amount: 5 });
  const environment = await sandbox.openEnvironment({ id: "other", fixture: "minimal", clock: lateDate });
  await environment.play(endless);
  await environment.clock.advance("3000d");
  const { id: run } = await sandbox.play({ ...unsigned, investment: id });
  await read(sandbox, `/investments/${id}`, sandbox.keys.partner);
  await read(sandbox, `/investments/${id}`, sandbox.keys.partner);
  await sandbox.clock.advance("1d");
  const lines = String(stream.read()).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: "warning", message: expect.stringMatching(/^environment other: endless \(run-1\) stopped: Scenario /) },
    { event: "warning", message: `unsigned (${run}) stopped: ${reason}` },
  ]);
});

test("the output of a failed test has the runs that stopped", async () => {
  const { sandbox } = await openSandbox();
  const testSandboxes = await openForTest(["signs"], sandbox, {});
  const { environment } = testSandboxes;
  await environment.play(unsigned);
  const { id } = await environment.investments.get("whole");
  await read(environment, `/investments/${id}`, environment.keys.partner);
  await environment.clock.get();
  let output = "";
  await testSandboxes.close(true, (text) => (output += text));
  expect(output.split("\n").at(-1)).toBe(`unsigned (run-1) stopped: ${reason}`);
});
