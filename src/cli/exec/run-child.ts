import { spawn } from "cross-spawn";
import { spawn as spawnProcess } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "../../control.ts";
import { firstSecret } from "../../control/describe.ts";
import { endTree, type ProcessTree, signalTree } from "./process-tree.ts";

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What shells answer for a command that is not there, and for one that may not be run. */
const exitCodes: Readonly<Record<string, number>> = { ENOENT: 127, EACCES: 126 };

/**
 * Runs a command with the streams of this process until it ends, passes on to it what this process is signalled, and
 * leaves none of the processes that it started, but for those that went into a session of their own. Answers its exit code; 128 and the number of the signal that ended it.
 *
 * A signal that comes a second time ends it at once.
 */
export async function runChild(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { isTTY } = process.stdin;
  // On a terminal it has to stay in our group, or it could not read the keyboard.
  const leadsGroup = !isTTY && process.platform !== "win32";
  const watchdog = startWatchdog();
  const child = spawn(command, [...args], { stdio: "inherit", env, detached: leadsGroup });
  const tree: ProcessTree | undefined = child.pid === undefined ? undefined : { pid: child.pid, leadsGroup };
  if (tree) watchdog.guard(tree);

  let ended = false;
  let killed = false;
  const forward = (signal: NodeJS.Signals): void => {
    if (!tree) return;
    if (ended) {
      killed = true;
      return signalTree(tree, "SIGKILL");
    }
    ended = true;
    // A terminal signals a whole group, and has signalled ours already.
    if (signal === "SIGTERM") child.kill(signal);
    else if (!(isTTY && signal === "SIGINT")) signalTree(tree, signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  try {
    return await new Promise<number>((resolve) => {
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
      child.once("error", (error: NodeJS.ErrnoException) => {
        console.error(`"${command}" cannot be run: ${reason(error)}.`);
        resolve(exitCodes[error.code ?? ""] ?? 126);
      });
    });
  } finally {
    if (tree?.leadsGroup && !killed) await endTree(tree);
    for (const signal of forwarded) process.off(signal, forward);
    watchdog.dismiss();
  }
}

function reason({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such command";
  return code === "EACCES" ? "it may not be executed" : message;
}

/** Starts the process that ends a tree when this one is gone. */
function startWatchdog(): { guard: (tree: ProcessTree) => void; dismiss: () => void } {
  const script = fileURLToPath(new URL("./watchdog.js", import.meta.url));
  const dog = spawnProcess(process.execPath, [script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without it, all works as long as nobody kills this process.
  dog.on("error", () => {});
  dog.stdin.on("error", () => {});
  return {
    guard: ({ pid, leadsGroup }) => void dog.stdin.write(`${pid} ${Number(leadsGroup)}`),
    dismiss: () => void dog.kill("SIGKILL"),
  };
}

/** The variables that tell the command that `exec` runs where the sandbox is and what to ask with. */
export const toldVariables = [
  "OFFERING_SANDBOX_URL",
  "OFFERING_SANDBOX_BASE_URL",
  "OFFERING_SANDBOX_ADMIN_URL",
  "OFFERING_SANDBOX_MARKETING_KEY",
  "OFFERING_SANDBOX_PARTNER_KEY",
  "OFFERING_SANDBOX_OFFERING_ID",
] as const;

/** Their values for the first offering of a sandbox; undefined where its fixture has none. */
export async function toldBy(
  sandbox: Sandbox,
): Promise<Readonly<Record<(typeof toldVariables)[number], string | undefined>>> {
  const description = await sandbox.describe();
  return {
    OFFERING_SANDBOX_URL: sandbox.url,
    OFFERING_SANDBOX_BASE_URL: sandbox.baseUrl,
    OFFERING_SANDBOX_ADMIN_URL: sandbox.adminUrl,
    OFFERING_SANDBOX_MARKETING_KEY: firstSecret(description, "marketing"),
    OFFERING_SANDBOX_PARTNER_KEY: firstSecret(description, "partner"),
    OFFERING_SANDBOX_OFFERING_ID: description.offerings[0]?.id,
  };
}
