import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Who holds a lock. */
export interface LockHolder {
  readonly program: "offering-sandbox";
  /** Of this holding alone. */
  readonly id: string;
  readonly pid: number;
  /** Within it, the pid names one process at a time. */
  readonly machine: string;
  /** When the process began, in the machine's own terms, which tells it from a later one of the same pid; null where that cannot be known. */
  readonly began: string | null;
}

/** This process, about to hold a lock. */
export function newHolder(): LockHolder {
  const { pid } = process;
  return { program: "offering-sandbox", id: randomUUID(), pid, machine, began: processOf(pid)?.began ?? null };
}

/** Whether a holder is there still; undefined where that cannot be told from here. */
export function isThere({ pid, machine: itsMachine, began }: LockHolder): boolean | undefined {
  if (itsMachine !== machine) return undefined;
  if (!answers(pid)) return false;
  const found = processOf(pid);
  if (!found || began === null) return undefined;
  return !found.ended && found.began === began;
}

/** What the text of a lock says; undefined for one that is not ours. */
export function readHolder(text: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(text) as LockHolder | null;
    return holder?.program === "offering-sandbox" && Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** Containers count their processes each for themselves: on Linux a machine is a boot and a space of pids. */
const machine =
  attempt(
    () => `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`,
  ) ?? hostname();

/** A process as Linux tells of it; undefined elsewhere. A killed one is there until its parent has asked after it. */
function processOf(pid: number): { began: string; ended: boolean } | undefined {
  return attempt(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, which may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    return { began: fields[19] ?? "", ended: "ZX".includes(state) };
  });
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
