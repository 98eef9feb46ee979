import { randomUUID } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { codeOf, FileWriteError } from "../validation/errors.ts";

/** The database of `--db` is damaged, foreign, of another fixture, in use or away. It is left unchanged. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";

  /** @param problem A clause whose subject is the file. */
  constructor(
    path: string,
    problem: string,
    advice = "It is left as it is: keep environments in another file, or move this one away.",
  ) {
    super(`${path} ${problem}. ${advice}`.trimEnd());
  }
}

/** Gives one process at a time the use of a file. The lock of an ended process is taken over. */
export class FileLock {
  readonly #lock: string;
  readonly #text = newLockText();

  /** Throws DatabaseError if the lock is another's or foreign, and FileWriteError if it cannot be written. */
  constructor(file: string) {
    this.#lock = `${file}.lock`;
    const holder = takeLock(this.#lock, this.#text);
    if (holder === undefined) return;
    const advice = "One sandbox at a time keeps environments in a file: stop that one, or name another file.";
    throw new DatabaseError(file, `is in use by process ${holder}`, advice);
  }

  /** Throws an Error if another process has taken the lock. Writes a deleted lock again. */
  hold(): void {
    const content = readLock(this.#lock);
    const isOurs = content === undefined ? createLock(this.#lock, this.#text) : content === this.#text;
    if (!isOurs) throw new Error("another process has taken its lock");
  }

  release(): void {
    if (readLock(this.#lock) === this.#text) rmSync(this.#lock);
  }
}

/** A lock names its process by pid and start, since pids repeat. A random id distinguishes the locks of one process. */
export function newLockText(pid = process.pid, start = processStart(pid)): string {
  return `offering-sandbox ${pid} ${start} ${randomUUID()}\n`;
}

/** Takes the lock. Returns the pid of another process with the lock; undefined if it is taken now. */
function takeLock(lock: string, text: string): number | undefined {
  try {
    while (!createLock(lock, text)) {
      const content = readLock(lock);
      if (content === undefined) continue;
      // Only the holder of the lock's own lock removes a stale lock, after it has read it again. Otherwise, if two
      // processes had found the same stale lock, the slower one could remove the new lock of the quicker one.
      const inner = `${lock}.lock`;
      const holder = holderOf(lock, content) ?? takeLock(inner, text);
      if (holder !== undefined) return holder;
      if (readLock(lock) === content) rmSync(lock);
      rmSync(inner);
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

/** How often to read a lock that is still empty, and the milliseconds between: its process may be about to write it. */
const [looks, pause] = [50, 20];

/** The text of a lock; undefined if there is no lock. */
function readLock(lock: string): string | undefined {
  try {
    for (let look = 1; ; look++) {
      const text = readFileSync(lock, "utf8");
      if (text.endsWith("\n") || look === looks) return text;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
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
    // A process of another user is there, but may not be signalled.
    return codeOf(error) === "EPERM";
  }
}

/** Clock ticks from boot to a process's start: "ended" if only its parent has not noticed, "unknown" without /proc. */
function processStart(pid: number): string {
  try {
    // The second field, the program's name in brackets, may itself hold blanks and brackets.
    const [state = "", ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return "ZX".includes(state) ? "ended" : (fields[18] ?? "unknown");
  } catch {
    return "unknown";
  }
}
