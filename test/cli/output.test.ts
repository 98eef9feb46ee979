import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { openCommandLine, Running, runProcess, temporaryFolder } from "./cli.ts";

const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));

/** Runs a command line with its output on a full disk. */
async function runOnFullDisk(args: readonly string[], stderr: "pipe" | number = "pipe"): Promise<[unknown, string]> {
  const stdio = ["ignore", openSync("/dev/full", "w"), stderr] as const;
  const running = new Running(spawn(process.execPath, [bin, ...args], { cwd: temporaryFolder(), stdio: [...stdio] }));
  const code = await new Promise((resolve) => running.child.once("close", resolve));
  return [code, running.stderr];
}

test("a command that cannot print fails with one line", async () => {
  const { ready } = await openCommandLine();
  const lines = [
    ["fixture", "expand", "demo"],
    ["keys", "list", "--url", ready.url],
    ["keys", "list", "--json", "--url", ready.url],
    ["requests", "--url", ready.url],
    ["openapi"],
    ["scenario", "list"],
    ["--help"],
  ];
  for (const line of lines) {
    expect([line, ...(await runOnFullDisk(line))]).toEqual([
      line,
      1,
      expect.stringMatching(/^The output cannot be written: ENOSPC\b.*\n$/),
    ]);
  }
  expect(await runOnFullDisk(["openapi"], openSync("/dev/full", "w"))).toEqual([1, ""]);
});

test("a command fails if only a part of its output can be written", async () => {
  // The file is limited to 64 kB, so the first write is cut short.
  const script = 'trap "" XFSZ; ulimit -f 64; exec "$0" "$@" > output.txt';
  // Bash warns about locales that are not installed.
  const env = { ...process.env, LC_ALL: "C" };
  const child = spawn("bash", ["-c", script, process.execPath, bin, "openapi"], { cwd: temporaryFolder(), env });
  const running = new Running(child);
  expect(await new Promise((resolve) => running.child.once("close", resolve))).toBe(1);
  expect(running.stderr).toMatch(/^The output cannot be written: EFBIG\b.*\n$/);
});

test("exec returns its command's exit code even if the log cannot be written", async () => {
  const command = ["--", process.execPath, "-e", "process.exit(3)"];
  const flags = ["exec", "--log-level", "debug"];
  expect(await runOnFullDisk([...flags, ...command], openSync("/dev/full", "w"))).toEqual([3, ""]);
});

test.for(["json", "pretty"])("a sandbox keeps serving when its log cannot be written: %s", async (format) => {
  const port = await freePort();
  const args = [bin, "--port", String(port), "--log-format", format];
  const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
  const running = new Running(spawn(process.execPath, args, { cwd: temporaryFolder(), stdio: [...stdio] }));
  await new Promise((resolve) => running.child.stderr?.once("data", resolve));
  for (const id of [1, 2, 3]) {
    expect((await fetch(`http://localhost:${port}/api/v1/investments/${id}`)).status).toBe(401);
  }
  expect(await running.stop()).toBe(0);
  expect(running.stderr).toMatch(/^The output cannot be written: ENOSPC\b.*\n$/);
});

test("a large fixture is generated without holding its investments in memory", async () => {
  const generate = ["fixture", "generate", "--investments", "40000", "--out", "large.json"];
  const { code } = await runProcess(generate, { env: { NODE_OPTIONS: "--max-old-space-size=28" } });
  expect(code).toBe(0);
});
