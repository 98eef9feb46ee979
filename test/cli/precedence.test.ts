import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, start, temporaryFolder } from "./cli.ts";

const config = "offering-sandbox.config.yaml";

function folderWith(name: string, text: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), text);
  return folder;
}

test("a setting that nobody sets has its default", async () => {
  const { ready } = await start();
  expect(ready.environment.rate_limit).toBe(120);
  expect(ready.environment.clock.speed).toBe(1);
  expect(ready.environment.profile).toBe("conventional");
});

test("the config file wins over the default", async () => {
  const { ready } = await start([], { cwd: folderWith(config, "rate-limit: 7\nprofile: minimal") });
  expect(ready.environment.rate_limit).toBe(7);
  expect(ready.environment.profile).toBe("minimal");
});

test("a variable wins over the config file", async () => {
  const cwd = folderWith(config, "rate-limit: 7");
  const { ready } = await start([], { cwd, env: { OFFERING_SANDBOX_RATE_LIMIT: "8" } });
  expect(ready.environment.rate_limit).toBe(8);
});

test("a flag wins over a variable", async () => {
  const { ready } = await start(["--rate-limit", "9"], { env: { OFFERING_SANDBOX_RATE_LIMIT: "8" } });
  expect(ready.environment.rate_limit).toBe(9);
});

test("an empty variable counts as unset", async () => {
  const { ready } = await start([], { env: { OFFERING_SANDBOX_RATE_LIMIT: "" } });
  expect(ready.environment.rate_limit).toBe(120);
});

test("a flag wins over PORT", async () => {
  const { ready } = await start([], { env: { PORT: "1" } });
  expect(new URL(ready.url).port).not.toBe("1");
});

test("a fixture path in a config file is relative to that file", async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, "conf"));
  writeFileSync(join(cwd, "conf/mine.json"), JSON.stringify({ name: "mine", offerings: [{ alias: "one" }] }));
  writeFileSync(join(cwd, "conf/sandbox.yaml"), "fixture: mine.json");
  const { ready } = await start(["-c", "conf/sandbox.yaml"], { cwd });
  expect(ready.environment.offerings.map(({ alias }) => alias)).toEqual(["one"]);
});

test("a config file is found up to the package's root", async () => {
  const cwd = folderWith(config, "rate-limit: 7");
  writeFileSync(join(cwd, "package.json"), "{}");
  mkdirSync(join(cwd, "test"));
  const { ready } = await start([], { cwd: join(cwd, "test") });
  expect(ready.environment.rate_limit).toBe(7);
});

test("a variable may name the config file", async () => {
  const env = { OFFERING_SANDBOX_CONFIG: "other.yaml" };
  const { ready } = await start([], { cwd: folderWith("other.yaml", "rate-limit: 5"), env });
  expect(ready.environment.rate_limit).toBe(5);
});

test("an unknown variable is a warning, except those set by exec", async () => {
  const env = { OFFERING_SANDBOX_COLOUR_OF_MY_CI: "1", OFFERING_SANDBOX_URL: "http://localhost:1" };
  const running = await start([], { env });
  expect((await running.event("warning")).message).toBe(
    `There is no variable OFFERING_SANDBOX_COLOUR_OF_MY_CI; it is ignored.`,
  );
  await running.stop();
  expect(running.lines).toEqual([]);
});

test.each([
  ["OFFERING_SANDBOX_RATE_LMIT", "OFFERING_SANDBOX_RATE_LIMIT", "openapi"],
  ["OFFERING_SANDBOX_NO_ADMN", "OFFERING_SANDBOX_NO_ADMIN", "assumptions"],
  ["OFFERING_SANDBOX_ULR", "OFFERING_SANDBOX_URL", "keys list"],
])("a misspelt variable is refused as a flag is: %s", async (wrong, right, line) => {
  expect(await run(line.split(" "), { env: { [wrong]: "0" } })).toEqual({
    code: 2,
    stdout: "",
    stderr: `There is no variable ${wrong}. Did you mean "${right}"?\n`,
  });
});
