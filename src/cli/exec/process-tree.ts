import { execFileSync } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";

/** A process and those that it started. */
export interface ProcessTree {
  readonly pid: number;
  /** Whether it leads a group of its own, in which all that it started are found, also when it is gone itself. */
  readonly leadsGroup: boolean;
}

/** How long a process may take to end when it is asked to, in milliseconds. */
const grace = 2000;

/** How often to look whether it has, in milliseconds. */
const interval = 25;

/** Asks every process of the tree to end, and ends those that do not. */
export async function endTree(tree: ProcessTree): Promise<void> {
  const targets = targetsOf(tree);
  send(targets, "SIGTERM");
  for (let waited = 0; waited < grace; waited += interval) {
    if (!send(targets, 0)) return;
    await wait(interval);
  }
  send(targets, "SIGKILL");
}

/** Signals every process of the tree. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): void {
  send(targetsOf(tree), signal);
}

/** A negative number stands for a group. */
function targetsOf({ pid, leadsGroup }: ProcessTree): readonly number[] {
  return leadsGroup ? [-pid] : [pid, ...descendants(pid)];
}

/** Signals; answers whether anybody was there. */
function send(targets: readonly number[], signal: NodeJS.Signals | 0): boolean {
  let there = false;
  for (const target of targets) {
    try {
      process.kill(target, signal);
      there = true;
    } catch {
      // It is gone.
    }
  }
  return there;
}

/** The processes below this one, as `ps` knows them; none where there is no `ps`. */
function descendants(root: number): number[] {
  const found = [root];
  const processes = listProcesses();
  for (const parent of found) {
    for (const [pid, ofParent] of processes) if (ofParent === parent) found.push(pid);
  }
  return found.slice(1);
}

function listProcesses(): (readonly [pid: number, parent: number])[] {
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
