import { Low } from "lowdb";
import { readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Environment } from "../environment/environment.ts";
import type { Environments } from "../environment/environments.ts";
import { storedText } from "../environment/snapshot.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { codeOf, messageOf, FileWriteError } from "../validation/errors.ts";
import { DatabaseFile, type StoredTexts } from "./database-file.ts";
import { DatabaseError } from "./file-lock.ts";
import { OtherFixtureError, SharedWrite, type Storage, writeDelay } from "./storage.ts";

/** Stores environments in one file, which no other process uses meanwhile. */
export class Database implements Storage {
  readonly #file: DatabaseFile;
  readonly #low: Low<StoredTexts>;
  readonly #write = new SharedWrite(async () => this.#environments && this.#writeChanges(this.#environments));
  /** The environments that were opened, changed or dropped since the last write. */
  readonly #changed = new Set<Environment>();
  /** Whether the file has the texts of `#low`. */
  #isWritten = false;
  #environments: Environments | undefined;
  #lost: ReadonlySet<Dataset> = new Set();
  #gathering: NodeJS.Timeout | undefined;

  private constructor(file: DatabaseFile) {
    this.#file = file;
    this.#low = new Low<StoredTexts>(file, new Map());
  }

  /** Opens a file, or a new one. Throws DatabaseError, FileReadError and FileWriteError, and changes nothing. */
  static async open(path: string): Promise<Database> {
    // A write would replace a link, and the lock must be next to the file itself.
    const file = new DatabaseFile(await linkedFile(path));
    const database = new Database(file);
    try {
      await database.#low.read();
    } catch (error) {
      file.release();
      throw error;
    }
    return database;
  }

  /** The environments in the file; none for a new file. */
  get stored(): readonly unknown[] {
    return Array.from(this.#low.data.values(), (text) => JSON.parse(text.toString()));
  }

  /** Throws DatabaseError if the file has more environments than a server may open. */
  expectAtMost(capacity: number): void {
    const { size } = this.#low.data;
    if (size <= capacity) return;
    const problem = `keeps ${size} environments, where --max-environments is ${capacity}`;
    const advice = `It is left as it is: start with --max-environments ${size} or more, or name another file.`;
    throw new DatabaseError(this.#file.path, problem, advice);
  }

  /** Opens the environments of the file. Throws DatabaseError for any error: the cause is then their content. */
  async opening(open: () => Promise<unknown>): Promise<void> {
    try {
      await open();
    } catch (error) {
      const clause = `keeps what cannot be opened: ${messageOf(error).replace(/\.$/, "")}`;
      throw new DatabaseError(this.#file.path, error instanceof OtherFixtureError ? error.problem : clause);
    }
  }

  /**
   * Keeps environments from now on: changes by commands when `commit` is called, changes by requests soon after. Calls
   * `onFailure` if the latter cannot be written. Rejects with FileWriteError if the environments cannot be written now.
   */
  async keep(environments: Environments, onFailure: (error: unknown) => void): Promise<void> {
    this.#low.data = new Map();
    for (const environment of environments.all) this.#changed.add(environment);
    try {
      await this.#writeChanges(environments);
    } catch (error) {
      throw new FileWriteError(this.#file.path, error);
    }
    this.#environments = environments;
    environments.onChange((environment) => {
      this.#changed.add(environment);
      this.#gathering ??= setTimeout(() => {
        this.#gathering = undefined;
        this.commit().catch(onFailure);
      }, writeDelay).unref();
    });
  }

  omit(lost: ReadonlySet<Dataset>): void {
    this.#lost = lost;
    for (const environment of this.#environments?.all ?? []) this.#changed.add(environment);
  }

  async commit(): Promise<void> {
    try {
      await this.#write.request();
    } catch (error) {
      const { message } = new FileWriteError(this.#file.path, error);
      const advice = "The command was applied, and is saved with the next successful write.";
      throw new ControlError("not_saved", `${message} ${advice}`, { cause: error });
    }
  }

  /** Writes the last changes, and releases the file in any case. Rejects as `commit` does. */
  async close(): Promise<void> {
    try {
      for (const { parts } of this.#environments?.all ?? []) {
        // The next start continues from the last state that clients saw, whatever the machine's clock shows then.
        if (parts.clock.speed > 0) parts.clock.set({});
      }
      await this.commit();
    } finally {
      clearTimeout(this.#gathering);
      this.#environments = undefined;
      this.#file.release();
    }
  }

  /** Brings the texts up to date, and writes them all if one has changed. */
  async #writeChanges(environments: Environments): Promise<void> {
    const { data } = this.#low;
    environments.dropExpired();
    // A change meanwhile adds its environment again, for the next write.
    const changed = [...this.#changed];
    for (const environment of changed) {
      this.#changed.delete(environment);
      const { id } = environment;
      const isStored = environments.has(environment) && !this.#lost.has(environment.setup.dataset);
      const text = isStored ? Buffer.from(await storedText(environment)) : undefined;
      const before = data.get(id);
      if (text ? before?.equals(text) : !before) continue;
      this.#isWritten = false;
      if (text) data.set(id, text);
      else data.delete(id);
    }
    if (this.#isWritten) return;
    await this.#low.write();
    this.#isWritten = true;
  }
}

/** The path of the file itself, which need not exist. */
async function linkedFile(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const target = codeOf(error) === "ENOENT" ? await readlink(path).catch(() => undefined) : undefined;
    return target === undefined ? resolve(path) : linkedFile(resolve(dirname(path), target));
  }
}
