import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { connectSandbox } from "../../../src/client/connect.ts";
import type { Environment, Sandbox, SandboxOptions } from "../../../src/index.ts";
import type { Timings } from "../../../src/storage/postgres/session.ts";
import { type TestResponse, type RequestOptions, known, knownFixture, send } from "../../support/sandbox.ts";

const script = fileURLToPath(new URL("process.js", import.meta.url));

/** A sandbox in its own process, which ends with the test. */
export interface SandboxProcess {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly child: ChildProcess;
  /** The failures that were reported to its `onFailure`. */
  readonly failures: string[];
  /** Sends a signal, and waits for the end of the process. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<unknown>;
}

interface Message {
  readonly url?: string;
  readonly failure?: string;
}

/** Starts a sandbox over a database, with the known fixture and its clock stopped. */
export async function startProcess(
  db: string,
  options: SandboxOptions = {},
  timings: Partial<Timings> = {},
): Promise<SandboxProcess> {
  const settings = { db, fixture: knownFixture, rateLimit: 0, clock: "fixture", ...options };
  const child = fork(script, [JSON.stringify({ options: settings, timings })], { silent: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  const failures: string[] = [];
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  const url = await new Promise<string>((resolve, reject) => {
    child.on("message", ({ url: ready, failure }: Message) => {
      if (ready !== undefined) resolve(ready);
      if (failure !== undefined) failures.push(failure);
    });
    child.once("close", () => reject(new Error(said)));
  });
  const end = (signal: "SIGTERM" | "SIGKILL"): Promise<unknown> => {
    const exited = once(child, "exit");
    child.kill(signal);
    return exited;
  };
  return { url, sandbox: await connectSandbox(url, { token: options.adminToken }), child, failures, end };
}

export async function startProcesses(count: number, ...[db, options, timings]: Parameters<typeof startProcess>) {
  return Promise.all(Array.from({ length: count }, () => startProcess(db, options, timings)));
}

/** Returns the environment of an id in each process. */
export function on(processes: readonly SandboxProcess[], id: string): Promise<Environment[]> {
  return Promise.all(processes.map(({ sandbox }) => sandbox.environment(id)));
}

/** Calls the service of a process with a key. */
export function call({ url }: SandboxProcess, key: string, path = `/offerings/${known.aurora}`): Promise<TestResponse> {
  return send(url, `/api/v1${path}`, { key });
}

/** Calls the admin API of a process for an environment. */
export function admin(
  { url }: SandboxProcess,
  id: string,
  path: string,
  body?: object,
  ask: RequestOptions = {},
): Promise<TestResponse> {
  const headers = { "content-type": "application/json" };
  const sent = body && { method: "POST", body: JSON.stringify(body), headers };
  return send(url, `/__admin/environments/${id}${path}`, { key: null, ...sent, ...ask });
}

/** Counts how often each value occurs. */
export function counts(values: readonly (number | string)[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const value of values) found[value] = (found[value] ?? 0) + 1;
  return found;
}

/** Expects that no process reported a failure. */
export function expectNoFailures(processes: readonly SandboxProcess[]): void {
  expect(processes.flatMap(({ failures }) => failures)).toEqual([]);
}
