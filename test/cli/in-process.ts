import { Console } from "node:console";
import type { EventEmitter } from "node:events";
import { chdir, cwd as workingDirectory } from "node:process";
import { vi } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { CommandResult, ProcessContext } from "./cli.ts";

// Output, folder and variables belong to the whole process, so only one command can run at a time.
let running = "";

/** Runs a command line to its end in this process, then restores the state of the process. */
export async function runInProcess(args: readonly string[], { cwd, env }: ProcessContext): Promise<CommandResult> {
  if (running !== "") throw new Error(`"${running}" has not ended.`);
  running = args.join(" ") || "start";
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const restoreListeners = [process, process.stdout, process.stderr].map(keepListeners);
  const stateBefore = { console, cwd: workingDirectory(), env: { ...process.env }, exitCode: process.exitCode };
  // A started sandbox does not wait for its parent, but this process loads modules through the same channel.
  const unref = process.channel && vi.spyOn(process.channel, "unref").mockReturnValue();
  globalThis.console = new Console(process.stdout, process.stderr);
  try {
    chdir(cwd);
    setVariables(env);
    process.exitCode = undefined;
    await main(args);
    return { code: exitCode(), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = stateBefore.exitCode;
    setVariables(stateBefore.env);
    chdir(stateBefore.cwd);
    globalThis.console = stateBefore.console;
    for (const { restore } of [stdout, stderr]) restore();
    for (const restore of restoreListeners) restore();
    unref?.mockRestore();
    running = "";
  }
}

/** Captures the text written to a stream until `restore` is called. */
function capture(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(stream, "write").mockImplementation((chunk, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    for (const callback of rest) if (typeof callback === "function") process.nextTick(callback);
    return true;
  });
  return { text: () => Buffer.concat(chunks).toString(), restore: () => spy.mockRestore() };
}

/** Returns a function that removes the listeners added since. */
function keepListeners(emitter: EventEmitter): () => void {
  const listListeners = (): [string | symbol, (...args: unknown[]) => void][] =>
    emitter
      .eventNames()
      .flatMap((name) => emitter.rawListeners(name).map((listener) => [name, listener as () => void]));
  const listenersBefore = new Set(listListeners().map(([, listener]) => listener));
  return () => {
    for (const [name, listener] of listListeners()) if (!listenersBefore.has(listener)) emitter.off(name, listener);
  };
}

function exitCode(): number {
  return Number(process.exitCode ?? 0);
}

function setVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  for (const [name, value] of Object.entries(variables)) if (process.env[name] !== value) process.env[name] = value;
}
