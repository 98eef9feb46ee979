import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, readlinkSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { UnwritableFile } from "../model/mistakes.ts";

/** Who holds a lock. */
interface LockHolder {
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
function isThere({ pid, machine: itsMachine, began }: LockHolder): boolean | undefined {
  if (itsMachine !== machine) return undefined;
  if (!answers(pid)) return false;
  const found = processOf(pid);
  if (!found || began === null) return undefined;
  return !found.ended && found.began === began;
}

/** What the text of a lock says; undefined for one that is not ours. */
function readHolder(text: string): LockHolder | undefined {
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

/** A database that no environments can be kept in: damaged, foreign, of another fixture, in use. It is left as it is. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";

  /** `problem` is a clause about the file. */
  constructor(
    path: string,
    problem: string,
    advice = "It is left as it is: keep environments in another file, or move this one away.",
  ) {
    super(`${path} ${problem}. ${advice}`);
  }
}

/** How often a holder touches its lock, in milliseconds. */
const beat = 500;

/** How long a lock whose holder is out of sight is watched before it is taken for stale. */
const patience = 4 * beat;

/** Another process holds the lock. */
class Held extends Error {}

/** The lock of one file: as long as it is held, no other process takes it. It does not outlive its process. */
export class FileLock {
  readonly #file: string;
  readonly #holder: LockHolder;
  readonly #beating: NodeJS.Timeout;

  private constructor(file: string, holder: LockHolder) {
    this.#file = file;
    this.#holder = holder;
    const touch = (): void => {
      const now = new Date();
      // A lock that cannot be touched is looked after by the next write.
      utimes(lockOf(file), now, now).catch(() => {});
    };
    this.#beating = setInterval(touch, beat).unref();
  }

  /**
   * Takes the lock of a file. Throws UnusableDatabase when it is held, or a file of somebody else is in its place, and
   * UnwritableFile when there can be no lock.
   */
  static async take(file: string): Promise<FileLock> {
    const holder = newHolder();
    try {
      await take(file, holder);
    } catch (error) {
      if (error instanceof UnusableDatabase) throw error;
      throw error instanceof Held ? inUse(file) : new UnwritableFile(lockOf(file), error);
    }
    return new FileLock(file, holder);
  }

  /** Makes sure that it is held still. Throws an Error when it is not. */
  hold(): void {
    const lock = lockOf(this.#file);
    const found = read(lock);
    // It may have been cleared away together with its folder.
    const held = found === undefined ? create(lock, this.#holder) : found === textOf(this.#holder);
    if (!held) throw new Error("another process has taken its lock");
  }

  release(): void {
    const lock = lockOf(this.#file);
    clearInterval(this.#beating);
    if (read(lock) === textOf(this.#holder)) unlinkSync(lock);
  }
}

function lockOf(file: string): string {
  return `${file}.lock`;
}

function inUse(file: string): UnusableDatabase {
  const holder = readHolder(read(lockOf(file)) ?? "");
  const who = holder ? ` by process ${holder.pid}` : "";
  return new UnusableDatabase(
    file,
    `is in use${who}`,
    "One sandbox at a time keeps environments in a file: stop that one, or name another file.",
  );
}

/** Takes the lock of a file. Throws Held. */
async function take(file: string, holder: LockHolder): Promise<void> {
  const lock = lockOf(file);
  while (!create(lock, holder)) {
    const found = read(lock);
    if (found === undefined) continue;
    if (await isHeld(lock, found)) throw new Held();
    await removeStale(lock, found, holder);
  }
}

/**
 * Removes a lock that nobody holds. Of several processes at once, one does, the holder of the lock's own lock, once it
 * has seen that the lock is still the one that was found stale: only stale locks are ever removed by others.
 */
async function removeStale(lock: string, found: string, holder: LockHolder): Promise<void> {
  try {
    await take(lock, holder);
  } catch (error) {
    if (!(error instanceof Held)) throw error;
    await wait(10);
    return;
  }
  if (read(lock) === found) unlinkSync(lock);
  unlinkSync(lockOf(lock));
}

/** Makes the lock, whole from its first moment on; false when there is one. */
function create(lock: string, holder: LockHolder): boolean {
  const draft = `${lock}-${holder.id}`;
  try {
    writeFileSync(draft, textOf(holder));
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function textOf(holder: LockHolder): string {
  return JSON.stringify(holder);
}

function read(lock: string): string | undefined {
  try {
    return readFileSync(lock, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function isHeld(lock: string, text: string): Promise<boolean> {
  // What the machine itself was about to write when it went down.
  if (text.replaceAll("\0", "") === "") return false;
  const holder = readHolder(text);
  if (!holder) throw new UnusableDatabase(lock, "is where a lock has to be, and is none of offering-sandbox");
  return isThere(holder) ?? (await beats(lock));
}

/** Whether somebody touches a lock. */
async function beats(lock: string): Promise<boolean> {
  const touched = (): number | undefined => statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  const before = touched();
  for (let waited = 0; waited < patience; waited += beat / 2) {
    await wait(beat / 2);
    if (touched() !== before) return true;
  }
  return false;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
