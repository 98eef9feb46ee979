import { once } from "node:events";
import { createConnection } from "node:net";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { version } from "../../src/package.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";
import { launch, launchFork, run, runProcess, start, temporaryFolder, type LogLine } from "./cli.ts";

test.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s stops a sandbox with open connections", async (signal) => {
  const running = await start();
  const { port } = new URL(running.ready.url);
  const socket = createConnection({ host: "127.0.0.1", port: Number(port) }).on("error", () => {});
  await once(socket, "connect");
  expect(await running.stop(signal)).toBe(0);
  socket.destroy();
});

test.for([
  ["--delay", ["--delay", "600000"], []],
  ["a fault", [], [{ delay: "10m" }]],
] as const)("a sandbox stops while a response waits: %s", async ([, flags, faults]) => {
  const running = await start(flags);
  const sandbox = await connectSandbox(running.ready.url);
  for (const fault of faults) await sandbox.faults.add(fault);
  const path = `/offerings/${sandbox.offerings[0]?.id}`;
  const headers = { authorization: `Bearer ${sandbox.keys.partner}` };
  const pendingFailure = expect(fetch(sandbox.baseUrl + path, { headers })).rejects.toThrow("fetch failed");
  await until(async () => {
    const partner = (await sandbox.keys.list()).find(({ key }) => key === sandbox.keys.partner);
    const limits = (await sandbox.limits.list()).filter(({ key_id }) => key_id === partner?.id);
    expect([...limits, ...(await sandbox.faults.list())].some(({ used }) => used === 1)).toBe(true);
  });
  expect(await running.stop()).toBe(0);
  await pendingFailure;
  const requestLines = running.lines.filter((line) => line.includes(path));
  expect(requestLines.map((line) => JSON.parse(line) as LogLine)).toMatchObject([{ event: "request", status: null }]);
});

test("a forked sandbox tells its parent that it is ready, and stops when its parent is gone", async () => {
  const { child } = launchFork(["--port", "0"]);
  expect(await once(child, "message")).toEqual(["ready", undefined]);
  const exit = once(child, "exit");
  child.disconnect();
  expect(await exit).toEqual([0, null]);
});

test("a sandbox outlives the reader of its output", async () => {
  const running = await start();
  running.child.stdout?.destroy();
  const statuses = [1, 2, 3].map(async (id) => (await fetch(`${running.ready.base_url}/investments/${id}`)).status);
  expect(await Promise.all(statuses)).toEqual([401, 401, 401]);
  expect(await running.stop()).toBe(0);
});

test("a port in use is refused with the sandbox that uses it and the command that stops that sandbox", async () => {
  const file = join(temporaryFolder(), "snapshot.json");
  const port = String(await freePort());
  const cwd = temporaryFolder();
  const { ready } = await start(["--db", file, "--port", port], { cwd });
  const refusal = await runProcess(["--port", port]);
  const sandboxInfo = /\(in .*, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/.exec(refusal.stderr)?.[0] ?? "";
  expect(sandboxInfo).toContain(`(in ${realpathSync(cwd)}, since `);
  const message = `Port ${port} is in use by an offering-sandbox ${version} ${sandboxInfo}. Stop that sandbox: offering-sandbox stop --url ${ready.url}.`;
  expect(refusal.stderr).toBe(`${message} Or choose another with --port, or any free one with --port 0.\n`);
  expect(refusal).toMatchObject({ code: 1, stdout: "" });
  expect(await run(["stop", "--url", ready.url])).toEqual({
    code: 0,
    stdout: `Stopped the sandbox at ${ready.url} ${sandboxInfo}.\n`,
    stderr: "",
  });
  // The port and its file are free right after stop.
  const secondRun = launch(["--db", file, "--port", port]);
  expect(await secondRun.line(() => true)).toContain("ready");
});
