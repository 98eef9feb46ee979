import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { EnvironmentDescription, SandboxOptions } from "../../src/public/control.ts";
import { runInProcess } from "./in-process.ts";
import { startForTest } from "../support/sandbox.ts";

const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));

export interface RunOptions {
  /** The working directory. @default a new, empty folder */
  cwd?: string;
  env?: Record<string, string>;
}

/** Makes an empty folder, which is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "offering-sandbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder with a fake browser command: it records its arguments, and exits with `code`. */
export function fakeBrowser(code = 0): { readonly PATH: string; readonly opened: () => string[] } {
  const folder = temporaryFolder();
  const notes = join(folder, "opened");
  const script = `#!/bin/sh\nfor each in "$@"; do echo "$each" >> "${notes}"; done\nexit ${code}\n`;
  for (const name of ["xdg-open", "open"]) writeFileSync(join(folder, name), script, { mode: 0o755 });
  return { PATH: folder, opened: () => (existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n") : []) };
}

/** The working directory and variables of a command line. */
export interface ProcessContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

function contextOf({ cwd = temporaryFolder(), env = {} }: RunOptions): ProcessContext {
  const inheritedVariables = Object.entries(process.env).filter(
    ([name]) => name !== "PORT" && !name.startsWith("OFFERING_SANDBOX_"),
  );
  return { cwd, env: { ...Object.fromEntries(inheritedVariables), ...env } };
}

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command line to its end in this process: one at a time, without servers and child processes. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  return runInProcess(args, contextOf(options));
}

/** Runs the packaged command line to its end in a child process. */
export async function runProcess(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const child = spawn(process.execPath, [bin, ...args], { ...contextOf(options), stdio: ["ignore", "pipe", "pipe"] });
  endWithTest(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** A line of a JSON log. */
export interface LogLine {
  event: string;
  message?: string;
  [member: string]: unknown;
}

export interface Ready extends LogLine {
  version: string;
  url: string;
  base_url: string;
  admin_url: string;
  admin_token: string | null;
  environment: EnvironmentDescription;
}

/** A running command line. */
export class Running {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  stderr = "";
  #hasEnded = false;
  #arrived: () => void = () => {};

  constructor(child: ChildProcess) {
    this.child = child;
    endWithTest(child);
    if (child.stdout) createInterface(child.stdout).on("line", (line) => this.#take(line));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    // "close" comes after all output, "exit" may come before it.
    child.once("close", () => {
      this.#hasEnded = true;
      this.#arrived();
    });
  }

  #take(line: string): void {
    this.lines.push(line);
    this.#arrived();
  }

  /** Returns the lines not returned before, up to the first that matches; waits for it. */
  async linesTo(matches: (line: string) => boolean): Promise<string[]> {
    const index = this.lines.findIndex(matches);
    if (index >= 0) return this.lines.splice(0, index + 1);
    if (this.#hasEnded) throw new Error(`ended without the line: ${this.lines.join("\n")}${this.stderr}`);
    await new Promise<void>((resolve) => (this.#arrived = resolve));
    return this.linesTo(matches);
  }

  async line(matches: (line: string) => boolean): Promise<string> {
    return (await this.linesTo(matches)).at(-1) ?? "";
  }

  async event(name: string): Promise<LogLine> {
    return JSON.parse(await this.line((line) => line.startsWith(`{"event":"${name}"`))) as LogLine;
  }

  /** Sends a signal, and returns the exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const pendingClose = once(this.child, "close");
    this.child.kill(signal);
    const [code] = (await pendingClose) as [number | null];
    return code;
  }
}

/** Starts a command line without waiting for output. */
export function launch(
  args: readonly string[],
  options: RunOptions = {},
  stdin: "ignore" | "pipe" = "ignore",
): Running {
  return new Running(
    spawn(process.execPath, [bin, ...args], { ...contextOf(options), stdio: [stdin, "pipe", "pipe"] }),
  );
}

/** Starts a command line whose files have at most this many blocks of 512 bytes, as on a full disk. Not on Windows. */
export function launchOnFullDisk(blocks: number, args: readonly string[], options: RunOptions = {}): Running {
  const line = [`ulimit -f ${blocks}; exec "$@"`, "sh", process.execPath, bin, ...args];
  return new Running(spawn("sh", ["-c", ...line], { ...contextOf(options), stdio: ["ignore", "pipe", "pipe"] }));
}

/** Forks a command line, as a Node program does. */
export function launchFork(args: readonly string[], where: RunOptions = {}): Running {
  return new Running(fork(bin, [...args], { ...contextOf(where), silent: true }));
}

/** Starts a sandbox and waits until it is ready. The port is free unless `args` name one. */
export async function start(args: readonly string[] = [], where: RunOptions = {}): Promise<Running & { ready: Ready }> {
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const running = launch([...port, "--log-format", "json", ...args], where);
  return Object.assign(running, { ready: (await running.event("ready")) as Ready });
}

/** A sandbox in this process, and commands connected to it. */
export interface ConnectedCommands {
  readonly ready: Pick<Ready, "url" | "base_url" | "admin_url" | "environment">;
  /** Runs a command line, its words separated by spaces. */
  readonly runLine: (line: string, where?: RunOptions) => Promise<CommandResult>;
  /** Runs a command with `--json`, and returns the parsed output. */
  readonly runJson: (line: string) => Promise<unknown>;
}

/**
 * Opens a sandbox in this process, and connects commands to it. Its clock is paused, and by default it plays no
 * scenario.
 */
export async function openCommandLine(options: SandboxOptions = {}): Promise<ConnectedCommands> {
  const sandbox = await startForTest({ scenarios: [], ...options });
  const { url, baseUrl: base_url, adminUrl: admin_url } = sandbox;
  const runLine: ConnectedCommands["runLine"] = (line, { cwd, env } = {}) =>
    run(line.split(" "), { ...(cwd !== undefined && { cwd }), env: { OFFERING_SANDBOX_URL: url, ...env } });
  const runJson: ConnectedCommands["runJson"] = async (line) => {
    const { stdout, stderr } = await runLine(`${line} --json`);
    if (stderr !== "") throw new Error(stderr);
    return JSON.parse(stdout) as unknown;
  };
  return { ready: { url, base_url, admin_url, environment: await sandbox.describe() }, runLine, runJson };
}

/** Runs a command line on a terminal of 80 × 24 without echo; its lines end in carriage returns. Linux only. */
export function launchOnTerminal(args: readonly string[], where: RunOptions = {}): Running {
  const line = `stty cols 80 rows 24; exec ${[process.execPath, bin, ...args].join(" ")}`;
  return new Running(
    spawn("script", ["-qfec", line, "/dev/null"], { ...contextOf(where), stdio: ["pipe", "pipe", "pipe"] }),
  );
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill("SIGKILL"));
}
