import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { runCovered } from "../../src/cli/exec/covered.ts";
import { runChild } from "../../src/cli/exec/run-child.ts";
import { replaceFile } from "../../src/cli/output/files.ts";
import { FileWriteError } from "../../src/validation/errors.ts";
import { until } from "../support/until.ts";
import { temporaryFolder } from "./cli.ts";

test("the counts of sandboxes are deleted when a command has ended, even if it failed", async () => {
  const flags = { require: [], coverageDir: temporaryFolder() };
  const run = vi.fn(async (countsFolder: string) => Promise.reject(new Error(String(existsSync(countsFolder)))));
  await expect(runCovered(flags, run)).rejects.toThrow("true");
  expect(run.mock.calls.map(([countsFolder]) => existsSync(countsFolder))).toEqual([false]);
});

test("a file that cannot be replaced leaves no draft behind", async () => {
  const folder = temporaryFolder();
  const existingFolder = join(folder, "taken");
  mkdirSync(existingFolder);
  writeFileSync(join(existingFolder, "inside"), "");
  await expect(replaceFile(existingFolder, "text")).rejects.toThrow(
    new FileWriteError(existingFolder, new Error("it is a folder")),
  );
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test("a file that can be written only in part leaves no draft behind, and stays as it was", async () => {
  const file = join(temporaryFolder(), "target");
  writeFileSync(file, "as it was");
  const failingPieces = (function* () {
    yield "half of the content";
    throw new Error("the disk is full");
  })();
  await expect(replaceFile(file, failingPieces as never)).rejects.toThrow("the disk is full");
  expect(readdirSync(join(file, ".."))).toEqual(["target"]);
  expect(readFileSync(file, "utf8")).toBe("as it was");
});

test.skipIf(process.platform === "win32")("a pipe gets the text, and stays a pipe", async () => {
  const pipe = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const [read] = await Promise.all([promisify(execFile)("cat", [pipe]), replaceFile(pipe, "text")]);
  expect(read.stdout).toBe("text");
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test.skipIf(process.platform === "win32")(
  "on a terminal, a second signal kills a command and its child process",
  async () => {
    Object.defineProperty(process.stdin, "isTTY", { value: true, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(process.stdin, "isTTY"));
    const file = join(temporaryFolder(), "pid");
    const ignoreSignals = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`;
    const grandchildScript = `${ignoreSignals} require("node:fs").writeFileSync(${JSON.stringify(file)}, process.pid + ".");`;
    const script = `${ignoreSignals} require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchildScript)}]);`;
    const otherListeners = process.listeners("SIGTERM");
    const pendingCode = runChild(process.execPath, ["-e", script], process.env);
    const forward = process.listeners("SIGTERM").find((listener) => !otherListeners.includes(listener));
    await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("."));
    const kill = vi.spyOn(process, "kill");
    for (const _ of [1, 2]) forward?.("SIGTERM");
    expect(await pendingCode).toBe(137);
    expect(kill).toHaveBeenCalledWith(Number.parseInt(readFileSync(file, "utf8"), 10), "SIGKILL");
  },
);
