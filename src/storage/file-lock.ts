import { randomUUID } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { codeOf, FileWriteError } from "../validation/errors.ts";

/** The database of `--db` is damaged, foreign, of another fixture, in use or unreachable. It is not changed. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";

  /** @param problem A clause whose subject is the file. */
  constructor(
    path: string,
    problem: string,
    advice = "The file is unchanged: use another file, or move this file away.",
  ) {
    super(`${path} ${problem}. ${advice}`.trimEnd());
  }
}

/** A lock, by which one process at a time uses a file. A process takes over the lock of an ended process. */
export class FileLock {
  readonly #path: string;
  readonly #text = newLockText();

  /**
   * Takes the lock of a file. Throws DatabaseError if another process holds it or another program wrote it, and
   * FileWriteError if it cannot be written.
   */
  constructor(file: string) {
    this.#path = `${file}.lock`;
    const holder = takeLock(this.#path, this.#text);
    if (holder === undefined) return;
    const advice = "Only one sandbox at a time can use a database file: stop that process, or use another file.";
    throw new DatabaseError(file, `is in use by process ${holder}`, advice);
  }

  /** Throws an Error if another process has taken the lock. Writes a deleted lock again. */
  hold(): void {
    const content = readLock(this.#path);
    const isOurs = content === undefined ? createLock(this.#path, this.#text) : content === this.#text;
    if (!isOurs) throw new Error("another process has taken its lock");
  }

  release(): void {
    if (readLock(this.#path) === this.#text) rmSync(this.#path);
  }
}

/**
 * Returns a new text of a lock. It names the process by pid and start, because pids repeat. A random id distinguishes
 * the locks of one process.
 */
export function newLockText(pid = process.pid, start = processStart(pid)): string {
  return `offering-sandbox ${pid} ${start} ${randomUUID()}\n`;
}

/** Takes the lock. Returns the pid of the process that holds it already; undefined if this call took it. */
function takeLock(lock: string, text: string): number | undefined {
  try {
    while (!createLock(lock, text)) {
      const content = readLock(lock);
      if (content === undefined) continue;
      // Only the holder of an inner lock, that of the lock file, removes a stale lock, after reading it again.
      // Otherwise, if two processes found the same stale lock, the slower one could remove the new lock of the quicker.
      const innerLock = `${lock}.lock`;
      const holder = holderOf(lock, content) ?? takeLock(innerLock, text);
      if (holder !== undefined) return holder;
      if (readLock(lock) === content) rmSync(lock);
      rmSync(innerLock);
    }
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw new FileWriteError(lock, codeOf(error) === "ENOENT" ? "its folder does not exist" : error);
  }
}

/** Creates the lock, and then writes its text: not every file system has links. Returns false if there is a lock. */
function createLock(lock: string, text: string): boolean {
  let file: number;
  try {
    file = openSync(lock, "wx");
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(file, text);
    return true;
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Limits for reading a lock that is still empty: its process may be about to write it. */
const [maxReads, readIntervalMs] = [50, 20];

/** Reads the text of a lock; undefined if there is no lock. */
function readLock(lock: string): string | undefined {
  try {
    for (let readCount = 1; ; readCount++) {
      const text = readFileSync(lock, "utf8");
      if (text.endsWith("\n") || readCount === maxReads) return text;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, readIntervalMs);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the pid in a lock; undefined if its process has ended. */
function holderOf(lock: string, text: string): number | undefined {
  // After a power cut, a new file may have only zeros, or be empty.
  if (text.replaceAll("\0", "") === "") return undefined;
  const [, pid, start] = /^offering-sandbox (\d+) (\w+) /.exec(text) ?? [];
  if (pid === undefined)
    throw new DatabaseError(lock, "is in the place of the lock file, but offering-sandbox did not write it");
  return isRunning(Number(pid), start) ? Number(pid) : undefined;
}

function isRunning(pid: number, start: string | undefined): boolean {
  const actual = processStart(pid);
  if (actual !== "unknown" && start !== "unknown") return actual === start;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process runs, but belongs to another user.
    return codeOf(error) === "EPERM";
  }
}

/**
 * Returns the clock ticks from boot to the start of a process; "ended" if only its parent has not noticed the end yet,
 * "unknown" without /proc.
 */
function processStart(pid: number): string {
  try {
    // The second field, the program's name in brackets, may itself contain spaces and brackets.
    const [state = "", ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return "ZX".includes(state) ? "ended" : (fields[18] ?? "unknown");
  } catch {
    return "unknown";
  }
}
