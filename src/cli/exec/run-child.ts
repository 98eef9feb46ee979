import { spawn } from "cross-spawn";
import { execFileSync } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { escaped } from "../../text/text.ts";
import { printError } from "../output/terminal.ts";
import { stopSignals } from "../serve/process.ts";

/** The exit codes of a POSIX shell for a command that cannot be run, and the reasons. */
const startErrors: Readonly<Record<string, readonly [exitCode: number, reason: string]>> = {
  ENOENT: [127, "there is no such command"],
  EACCES: [126, "it may not be executed"],
};

/** The time for processes to end after SIGTERM. */
const graceMs = 2000;

/** The interval between two checks whether the processes have ended. */
const pollIntervalMs = 25;

/**
 * Runs a command with the standard streams of this process, or without any. Forwards signals to it; a second signal
 * kills it and its descendants. Afterwards ends the remaining processes of its group. Returns its exit code, or 128
 * plus the number of the signal that ended it.
 */
export async function runChild(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  isSilent = false,
): Promise<number> {
  const isTTY = process.stdin.isTTY && !isSilent;
  // Only the foreground group of a terminal may read the keyboard: there the command must stay in the group of this
  // process.
  const isGroupLeader = !isTTY && process.platform !== "win32";
  const child = spawn(command, [...args], { stdio: isSilent ? "ignore" : "inherit", env, detached: isGroupLeader });
  const { pid } = child;
  const targets = (): readonly number[] => {
    if (pid === undefined) return [];
    return isGroupLeader ? [-pid] : [pid, ...descendants(pid)];
  };

  let isSignaled = false;
  const forwardSignal = (signal: NodeJS.Signals): void => {
    if (isSignaled) signalTargets(targets(), "SIGKILL");
    else if (signal === "SIGTERM") child.kill(signal);
    // Other signals go to the whole group. On Ctrl-C, the terminal has already sent SIGINT to the whole group.
    else if (!(isTTY && signal === "SIGINT")) signalTargets(targets(), signal);
    isSignaled = true;
  };
  for (const signal of stopSignals) process.on(signal, forwardSignal);
  try {
    return await new Promise<number>((resolve) => {
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
      child.once("error", (error: NodeJS.ErrnoException) => {
        const [exitCode, reason] = startErrors[error.code ?? ""] ?? [126, error.message];
        printError(`"${escaped(command)}" cannot be run: ${reason}.`);
        resolve(exitCode);
      });
    });
  } finally {
    if (isGroupLeader) await endProcesses(targets());
    for (const signal of stopSignals) process.off(signal, forwardSignal);
  }
}

/** Sends SIGTERM to processes, and kills those that do not end in time. */
async function endProcesses(targets: readonly number[]): Promise<void> {
  signalTargets(targets, "SIGTERM");
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += pollIntervalMs) {
    if (!signalTargets(targets, 0)) return;
    await wait(pollIntervalMs);
  }
  signalTargets(targets, "SIGKILL");
}

/** Signals processes, or groups by their negated ids. Returns true if at least one of them exists. */
function signalTargets(targets: readonly number[], signal: NodeJS.Signals | 0): boolean {
  let hasTarget = false;
  for (const target of targets) {
    try {
      process.kill(target, signal);
      hasTarget = true;
    } catch {
      // The process has ended.
    }
  }
  return hasTarget;
}

/** Returns the ids of all descendants; empty on systems without `ps`. */
function descendants(root: number): readonly number[] {
  const ids = [root];
  const processes = listProcesses();
  for (const parent of ids) {
    for (const [pid, parentId] of processes) if (parentId === parent) ids.push(pid);
  }
  return ids.slice(1);
}

function listProcesses(): readonly (readonly [pid: number, parent: number])[] {
  try {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Array.from(lines.matchAll(/(\d+)\s+(\d+)/g), ([, pid, parent]) => [Number(pid), Number(parent)] as const);
  } catch {
    return [];
  }
}
