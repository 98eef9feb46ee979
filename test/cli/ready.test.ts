import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { version } from "../../src/package.ts";
import { hasIpv6 } from "../support/ipv6.ts";
import { launch, run, runProcess, start, temporaryFolder } from "./cli.ts";

test("the first line of a JSON log is the ready record", async () => {
  const running = await start(["--scenario", "closing"], { env: { OFFERING_SANDBOX_COLOR_OF_MY_CI: "1" } });
  const { ready } = running;
  const { url } = ready;
  expect(url).toMatch(/^http:\/\/localhost:\d+$/);
  expect(ready).toEqual({
    event: "ready",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    level: "info",
    pid: running.child.pid,
    version,
    url,
    base_url: `${url}/api/v1`,
    admin_url: `${url}/__admin`,
    admin_token: null,
    environment: expect.objectContaining({
      id: "default",
      fixture: "demo",
      runs: [expect.objectContaining({ scenario: "closing", status: "running" })],
    }) as object,
  });
  expect(Object.keys(ready)).toEqual([
    "event",
    "time",
    "level",
    "pid",
    "version",
    "url",
    "base_url",
    "admin_url",
    "admin_token",
    "environment",
  ]);
  expect((await running.event("warning")).message).toContain("no variable OFFERING_SANDBOX_COLOR_OF_MY_CI");
});

test("a start plays the fixture's own scenarios, or those of its flags", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "mine.yaml"), "steps: [{ event: REGISTRATION COMPLETED }]");
  const fixture = { name: "mine", offerings: [{ alias: "one" }], scenarios: ["closing"] };
  writeFileSync(join(cwd, "mine.json"), JSON.stringify(fixture));
  const playedScenarios = async (...args: string[]): Promise<string[]> =>
    (await start(["-f", "mine.json", ...args], { cwd })).ready.environment.runs.map(({ scenario }) => scenario);
  expect(await playedScenarios()).toEqual(["closing"]);
  expect(await playedScenarios("--no-scenario")).toEqual([]);
  expect(await playedScenarios("-s", "polling", "--scenario", "mine.yaml")).toEqual(["polling", "mine"]);
});

test("in a pipe, the ready line and the request lines are readable text", async () => {
  const running = launch(["--port", "0"]);
  const line = await running.line(() => true);
  const readyPattern = /^offering-sandbox ready on (\S+) \(portal: \/, keys: offering-sandbox (keys list --url \1)\)$/;
  const [, url, command = ""] = readyPattern.exec(line) ?? [];
  expect((await run(command.split(" "))).code).toBe(0);
  await fetch(`${url}/api/v1/investments/1`);
  expect(await running.line(() => true)).toMatch(/^GET {3}401 .* \/api\/v1\/investments\/1/);
});

test("by default a sandbox responds at both loopback addresses, and at no other", async () => {
  const { ready } = await start();
  const { port } = new URL(ready.url);
  for (const host of hasIpv6 ? ["127.0.0.1", "[::1]"] : ["127.0.0.1"]) {
    expect((await fetch(`http://${host}:${port}/__admin/health`)).status).toBe(200);
  }
  const externalAddress = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  if (!externalAddress) return;
  const socket = createConnection({ host: externalAddress.address, port: Number(port) });
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ECONNREFUSED");
});

test("a JSON log prints an admin token that the sandbox generated, and none that was configured", async () => {
  const [generated, configured] = [
    await start(["--host", "0.0.0.0"]),
    await start(["--admin-token", "open-sesame-please"]),
  ];
  // The token is not read as a flag, whatever command it is pasted into.
  expect(generated.ready.admin_token).toMatch(/^sandbox_admin_[\w-]{20}$/);
  expect(configured.ready.admin_token).toBeNull();
  expect(JSON.stringify(configured.ready)).not.toContain("open-sesame");
});

test("a JSON log does not print keys whose text was chosen, and prints the others", async () => {
  const cwd = temporaryFolder();
  const key = "AppKeyAlpha-0001~own";
  const keys = [
    { type: "partner", offering: "one", key, label: `for ${key}` },
    { type: "marketing", offering: "one" },
  ];
  writeFileSync(join(cwd, "own.json"), JSON.stringify({ offerings: [{ alias: "one" }], keys }));
  const { ready } = await start(["--fixture", "own.json"], { cwd });
  expect(JSON.stringify(ready)).not.toContain(key);
  const { environment } = ready;
  expect(environment.partner_key).toBe("…");
  expect(environment.marketing_key).toMatch(/^sandbox_marketing_/);
  expect(environment.keys.map(({ key: secret }) => secret)).toEqual(["…", environment.marketing_key]);
  expect(environment.keys[0]?.label).toBe("for …");
});

test("a quiet sandbox prints the ready line and a generated token, and no request or configured token", async () => {
  const args = ["--port", "0", "--host", "0.0.0.0", "--quiet"];
  const running = launch(args);
  const readyLine = await running.line((line) => line.startsWith("offering-sandbox ready on "));
  const token = (await running.line(() => true)).replace("admin token  ", "");
  const command = /keys: offering-sandbox (.*)\)$/.exec(readyLine)?.[1] ?? "";
  expect(command).toContain(` --token ${token}`);
  expect((await run(command.split(" "))).code).toBe(0);
  const configured = launch([...args, "--admin-token", "open-sesame-please"]);
  const [, , , url] = (await configured.line((line) => line.startsWith("offering-sandbox ready on "))).split(" ");
  await fetch(`${url}/api/v1/investments/1`);
  expect(await configured.stop()).toBe(0);
  expect([configured.lines, configured.stderr]).toEqual([[], ""]);
});

test("the port file holds the port once it exists", async () => {
  const cwd = temporaryFolder();
  const { ready } = await start(["--port-file", "port.txt"], { cwd });
  expect(readFileSync(join(cwd, "port.txt"), "utf8").trim()).toBe(new URL(ready.url).port);
  expect(readdirSync(cwd)).toEqual(["port.txt"]);
});

test("an unwritable port file ends the start", async () => {
  const { code, stderr } = await runProcess(["--port", "0", "--port-file", "/dev/null/port"]);
  expect(stderr).toContain("/dev/null/port cannot be written");
  expect(code).toBe(1);
});
