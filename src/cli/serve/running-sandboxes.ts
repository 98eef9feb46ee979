import { lstatSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isMembers } from "../../model/members.ts";
import { compareText } from "../../model/order.ts";
import { origin } from "../../settings/kinds.ts";

/*
 * The sandboxes that this user has started, each in a small file of a folder that is closed to others, so that commands find
 * them. A file has no token and no key. Who cannot have such a folder is not found, and runs all the same.
 */

/** A sandbox of the command line with an open portal. */
export interface RunningSandbox {
  readonly pid: number;
  readonly url: string;
  /** `start`, or `exec -- vite`: without the arguments, which may be secrets. */
  readonly command: string;
  /** The working directory. */
  readonly directory: string;
  /** In real time, ISO 8601. */
  readonly started_at: string;
}

/** Undefined on Windows, where each user has a folder for temporary files. */
const user = process.getuid?.();

/** Lists this sandbox until the end of the process. */
export function listSandbox(sandbox: Pick<RunningSandbox, "url" | "command">): void {
  try {
    const folder = folderOfUser();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return;
    const { pid } = process;
    const entry: RunningSandbox = {
      pid,
      ...sandbox,
      directory: process.cwd(),
      started_at: new Date().toISOString(),
    };
    const file = join(folder, `${pid}.json`);
    // An ended process had the same id.
    remove(file);
    writeFileSync(file, JSON.stringify(entry), { flag: "wx", mode: 0o600 });
    process.once("exit", () => remove(file));
  } catch {
    // The list is a convenience: a sandbox starts without it.
  }
}

/** The sandboxes of this user that answer, the oldest first. Removes the files of others. */
export async function runningSandboxes(): Promise<readonly RunningSandbox[]> {
  const found = await Promise.all(filesOfUser().map(read));
  return found
    .filter((one) => one !== undefined)
    .toSorted((one, other) => compareText(one.started_at, other.started_at));
}

function folderOfUser(): string {
  const { XDG_RUNTIME_DIR: folder = "" } = process.env;
  if (isAbsolute(folder) && isPrivate(folder)) return join(folder, "offering-sandbox");
  return join(tmpdir(), user === undefined ? "offering-sandbox" : `offering-sandbox-${user}`);
}

/** Whether a path is a folder of this user, closed to others; a link to one is not. */
function isPrivate(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return false;
  return user === undefined || (stats.uid === user && (stats.mode & 0o077) === 0);
}

function filesOfUser(): string[] {
  try {
    const folder = folderOfUser();
    if (!isPrivate(folder)) return [];
    return readdirSync(folder).flatMap((name) => (/^\d+\.json$/.test(name) ? [join(folder, name)] : []));
  } catch {
    return [];
  }
}

async function read(file: string): Promise<RunningSandbox | undefined> {
  const entry = entryIn(file);
  if (entry === undefined) return undefined;
  const state = isAlive(entry.pid) ? await answerOf(entry.url) : "none";
  if (state === "none") remove(file);
  return state === "sandbox" ? entry : undefined;
}

/** Undefined for a file that is not whole yet, or of another form. */
function entryIn(file: string): RunningSandbox | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isMembers(entry)) return undefined;
    const { pid, url, command, directory, started_at } = entry;
    const isWhole =
      typeof pid === "number" &&
      origin.accepts(url) &&
      typeof command === "string" &&
      typeof directory === "string" &&
      typeof started_at === "string";
    return isWhole ? { pid, url, command, directory, started_at } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Milliseconds for an answer: a sandbox at work may be late, and is left in the list. */
const patience = 2000;

async function answerOf(url: string): Promise<"sandbox" | "late" | "none"> {
  try {
    const signal = AbortSignal.timeout(patience);
    const { headers } = await fetch(`${url}/__admin/health`, { redirect: "error", signal });
    return headers.has("sandbox-version") ? "sandbox" : "none";
  } catch (error) {
    return error instanceof DOMException && error.name === "TimeoutError" ? "late" : "none";
  }
}

function remove(file: string): void {
  try {
    // On its first call, `rmSync` would cost a start as much as all else here.
    unlinkSync(file);
  } catch {
    // There is none, or it stays, and is found to be stale the next time.
  }
}
