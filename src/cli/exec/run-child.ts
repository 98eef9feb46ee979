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

/** Milliseconds for processes to end after SIGTERM. */
const graceTime = 2000;

/** Milliseconds between two looks at whether they have ended. */
const graceInterval = 25;

/**
 * Runs a command with the standard streams of this process, or without any. Forwards signals to it; a second signal
 * kills it and its descendants. Afterwards ends the rest of its process group. Returns its exit code, or 128 plus the
 * number of the signal that ended it.
 */
export async function runChild(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  isSilent = false,
): Promise<number> {
  const isTTY = process.stdin.isTTY && !isSilent;
  // Only the foreground group of a terminal may read the keyboard: there the command has to stay in our group.
  const leadsGroup = !isTTY && process.platform !== "win32";
  const child = spawn(command, [...args], { stdio: isSilent ? "ignore" : "inherit", env, detached: leadsGroup });
  const { pid } = child;
  const targets = (): readonly number[] => {
    if (pid === undefined) return [];
    return leadsGroup ? [-pid] : [pid, ...descendants(pid)];
  };

  let signalled = false;
  const forward = (signal: NodeJS.Signals): void => {
    if (signalled) signalTargets(targets(), "SIGKILL");
    else if (signal === "SIGTERM") child.kill(signal);
    // Other signals go to the whole group, as from a terminal, which has already sent its own on Ctrl-C.
    else if (!(isTTY && signal === "SIGINT")) signalTargets(targets(), signal);
    signalled = true;
  };
  for (const signal of stopSignals) process.on(signal, forward);
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
    if (leadsGroup) await end(targets());
    for (const signal of stopSignals) process.off(signal, forward);
  }
}

/** Asks processes to end, and kills them if they do not. */
async function end(targets: readonly number[]): Promise<void> {
  signalTargets(targets, "SIGTERM");
  for (let waited = 0; waited < graceTime; waited += graceInterval) {
    if (!signalTargets(targets, 0)) return;
    await wait(graceInterval);
  }
  signalTargets(targets, "SIGKILL");
}

/** Signals processes, or groups by their negated ids. Returns whether any of them exists. */
function signalTargets(targets: readonly number[], signal: NodeJS.Signals | 0): boolean {
  let exists = false;
  for (const target of targets) {
    try {
      process.kill(target, signal);
      exists = true;
    } catch {
      // The process has ended.
    }
  }
  return exists;
}

/** Ids of the processes below this one; empty on systems without `ps`. */
function descendants(root: number): readonly number[] {
  const ids = [root];
  const processes = listProcesses();
  for (const parent of ids) {
    for (const [pid, ofParent] of processes) if (ofParent === parent) ids.push(pid);
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
