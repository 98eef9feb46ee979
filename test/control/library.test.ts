import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { writeFile, writeFixture } from "../support/write-fixture.ts";
import { startForTest } from "../support/sandbox.ts";

const execute = promisify(execFile);

test("a sandbox without options is the same in every run", async () => {
  const sandbox = await startForTest();
  const { clock, fixture } = await sandbox.describe();
  expect({ clock, fixture }).toEqual({ clock: { now: "2026-01-15T12:00:00.000Z", speed: 0 }, fixture: "demo" });
  expect(new URL(sandbox.url).port).not.toBe("4120");
});

test("a fixture is an object, a file or its URL", async () => {
  const fixture = { name: "mine", offerings: [{ alias: "aurora", investments: [{ alias: "first", amount: 5000 }] }] };
  const file = await writeFixture(fixture);
  for (const source of [fixture, file, pathToFileURL(file)]) {
    const { data } = await (await startForTest({ fixture: source })).investments.list();
    expect(data).toMatchObject([{ alias: "first", amount: 5000, number: 1 }]);
  }
  await expect(startSandbox({ fixture: [] as never })).rejects.toThrow(
    "fixture: expected a shipped fixture's name, a file or its URL, or",
  );
});

test("a scenario file from the start options is known by name everywhere", async () => {
  const file = await writeFile("my-story.yaml", "steps:\n  - after: 1d\n    investment: { status: CLOSED }\n");
  const sandbox = await startForTest({ scenarios: [file] });
  const playingEnvironment = await sandbox.openEnvironment({ scenarios: ["my-story"] });
  // An environment also knows the scenarios with which it was opened, in addition to the server's.
  const environmentWithScenario = await sandbox.openEnvironment({
    scenarios: [{ name: "own", steps: [{ event: "A B" }] }],
  });
  expect(await environmentWithScenario.play("own")).toMatchObject({ scenario: "own" });
  const environment = await sandbox.openEnvironment();
  const run = await environment.play("my-story");
  expect([run.scenario, (await playingEnvironment.runs.list())[0]?.scenario]).toEqual(["my-story", "my-story"]);
  expect((await environment.scenarios.list()).map(({ name }) => name)).toContain("my-story");
});

test("a sandbox can be closed twice, and by await using", async () => {
  const sandbox = await startSandbox();
  const environment = await sandbox.openEnvironment();
  await Promise.all([sandbox.close(), sandbox.close()]);
  await sandbox[Symbol.asyncDispose]();
  await expect(fetch(sandbox.baseUrl)).rejects.toThrow("fetch failed");
  for (const command of [
    sandbox.clock.get(),
    sandbox.openEnvironment(),
    sandbox.play("closing"),
    environment.reset(),
  ]) {
    await expect(command).rejects.toThrow("The sandbox is closed.");
  }
});

test("a connection refuses an unknown option by name", async () => {
  await expect(connectSandbox("http://localhost:1", { tokn: "x" } as never)).rejects.toThrow(
    'There is no option "tokn". Did you mean "token"?',
  );
});

test("in a program, a sandbox prints nothing, handles no signal, ignores PORT and lets the process end", async () => {
  const library = fileURLToPath(new URL("../../dist/index.js", import.meta.url));
  const script = `
    import { startSandbox } from ${JSON.stringify(library)};
    const sandbox = await startSandbox();
    const { baseUrl, keys, offerings } = sandbox;
    await sandbox.play("closing");
    await sandbox.clock.advance("2d");
    await (await fetch(baseUrl + "/offerings/" + offerings[0].id, { headers: { authorization: "Bearer " + keys.partner } })).text();
    const listening = ["SIGINT", "SIGTERM", "SIGHUP", "uncaughtException", "unhandledRejection"].filter((name) => process.listenerCount(name) > 0);
    if (listening.length > 0 || process.exitCode !== undefined) throw new Error(listening.join());
    await sandbox.close();`;
  const variables = { PORT: "x", NODE_ENV: "test" };
  const env = { ...process.env, ...variables };
  const { stdout, stderr } = await execute(process.execPath, ["--input-type=module", "-e", script], { env });
  expect([stdout, stderr]).toEqual(["", ""]);
});
