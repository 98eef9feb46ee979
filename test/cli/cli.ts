import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { EnvironmentDescription, SandboxOptions } from "../../src/control.ts";
import { startSandbox } from "../../src/index.ts";
import { runInProcess } from "./in-process.ts";

const bin = fileURLToPath(new URL("../../bin/offering-sandbox.js", import.meta.url));

export interface Surroundings {
  /** The working directory: an empty one unless said otherwise. */
  cwd?: string;
  env?: Record<string, string>;
}

/** A folder of its own for a test, empty. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "offering-sandbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with a command in the place of the machine's browser: it notes its arguments, and ends with a code. */
export function fakeBrowser(code = 0): { readonly PATH: string; readonly opened: () => string[] } {
  const folder = temporaryFolder();
  const notes = join(folder, "opened");
  const script = `#!/bin/sh\nfor each in "$@"; do echo "$each" >> "${notes}"; done\nexit ${code}\n`;
  for (const name of ["xdg-open", "open"]) writeFileSync(join(folder, name), script, { mode: 0o755 });
  return { PATH: folder, opened: () => (existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n") : []) };
}

/** Where a command line runs. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

function surroundings({ cwd = temporaryFolder(), env = {} }: Surroundings): Place {
  const ours = Object.entries(process.env).filter(([name]) => name !== "PORT" && !name.startsWith("OFFERING_SANDBOX_"));
  return { cwd, env: { ...Object.fromEntries(ours), ...env } };
}

/** The exit code and the output of a command line. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command line to its end, in this process: one at a time, none that serves or starts a process. */
export async function run(args: readonly string[], where: Surroundings = {}): Promise<Ended> {
  return runInProcess(args, surroundings(where));
}

/** Runs a command line to its end in a process of its own, as it ships. */
export async function runProcess(args: readonly string[], where: Surroundings = {}): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], { ...surroundings(where), stdio: ["ignore", "pipe", "pipe"] });
  endWithTest(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** One line of a log in JSON. */
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

/** A command line that runs on. */
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
    // Closed, not exited: what it wrote has arrived by then.
    child.once("close", () => {
      this.#hasEnded = true;
      this.#arrived();
    });
  }

  #take(line: string): void {
    this.lines.push(line);
    this.#arrived();
  }

  /** The lines not yet asked for, up to the first that is as wanted. */
  async linesTo(wanted: (line: string) => boolean): Promise<string[]> {
    const index = this.lines.findIndex(wanted);
    if (index >= 0) return this.lines.splice(0, index + 1);
    if (this.#hasEnded) throw new Error(`ended without the line: ${this.lines.join("\n")}${this.stderr}`);
    await new Promise<void>((resolve) => (this.#arrived = resolve));
    return this.linesTo(wanted);
  }

  async line(wanted: (line: string) => boolean): Promise<string> {
    return (await this.linesTo(wanted)).at(-1) ?? "";
  }

  async event(name: string): Promise<LogLine> {
    return JSON.parse(await this.line((line) => line.startsWith(`{"event":"${name}"`))) as LogLine;
  }

  /** Signals, and answers the exit code. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const closed = once(this.child, "close");
    this.child.kill(signal);
    const [code] = (await closed) as [number | null];
    return code;
  }
}

/** Starts a command line and waits for nothing. */
export function launch(args: readonly string[], where: Surroundings = {}): Running {
  return new Running(
    spawn(process.execPath, [bin, ...args], { ...surroundings(where), stdio: ["ignore", "pipe", "pipe"] }),
  );
}

/** Forks a command line, as a Node program would. */
export function launchFork(args: readonly string[], where: Surroundings = {}): Running {
  return new Running(fork(bin, [...args], { ...surroundings(where), silent: true }));
}

/** Starts a sandbox, on a free port unless said otherwise, and waits until it is ready. */
export async function start(
  args: readonly string[] = [],
  where: Surroundings = {},
): Promise<Running & { ready: Ready }> {
  const port = args.includes("--port") ? [] : ["--port", "0"];
  const running = launch([...port, "--log-format", "json", ...args], where);
  return Object.assign(running, { ready: (await running.event("ready")) as Ready });
}

/** A sandbox, and commands that speak to it. */
export interface Asked {
  readonly ready: Pick<Ready, "url" | "base_url" | "admin_url" | "environment">;
  readonly ask: (line: string, where?: Surroundings) => Promise<Ended>;
  /** The answer to `--json`. */
  readonly json: (line: string) => Promise<unknown>;
}

/** Opens a sandbox in this process for commands to speak to: frozen, and playing nothing unless told otherwise. */
export async function openToAsk(options: SandboxOptions = {}): Promise<Asked> {
  const sandbox = await startSandbox({ scenarios: [], ...options });
  onTestFinished(() => sandbox.close());
  const { url, baseUrl: base_url, adminUrl: admin_url } = sandbox;
  const ask: Asked["ask"] = (line, { cwd, env } = {}) =>
    run(line.split(" "), { ...(cwd !== undefined && { cwd }), env: { OFFERING_SANDBOX_URL: url, ...env } });
  const json: Asked["json"] = async (line) => {
    const { stdout, stderr } = await ask(`${line} --json`);
    if (stderr !== "") throw new Error(stderr);
    return JSON.parse(stdout) as unknown;
  };
  return { ready: { url, base_url, admin_url, environment: await sandbox.describe() }, ask, json };
}

/** Runs a command line on a terminal of 80 × 24, which echoes nothing; its lines end in carriage returns. Linux only. */
export function launchOnTerminal(args: readonly string[], where: Surroundings = {}): Running {
  const line = `stty cols 80 rows 24; exec ${[process.execPath, bin, ...args].join(" ")}`;
  return new Running(
    spawn("script", ["-qfec", line, "/dev/null"], { ...surroundings(where), stdio: ["pipe", "pipe", "pipe"] }),
  );
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill("SIGKILL"));
}
