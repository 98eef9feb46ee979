import { Low } from "lowdb";
import { readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Environment } from "../environment/environment.ts";
import type { Environments } from "../environment/environments.ts";
import { storedText } from "../environment/snapshot.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { codeOf, messageOf, FileWriteError } from "../validation/errors.ts";
import { DatabaseFile, type StoredDocuments } from "./database-file.ts";
import { DatabaseError } from "./file-lock.ts";
import { OtherFixtureError, SharedWrite, type Storage, writeDelayMs } from "./storage.ts";

/** Stores environments in one file, which no other process uses meanwhile. */
export class Database implements Storage {
  readonly #file: DatabaseFile;
  readonly #low: Low<StoredDocuments>;
  readonly #write = new SharedWrite(async () => this.#environments && this.#writeChanges(this.#environments));
  /** The environments that were opened, changed or deleted since the last write. */
  readonly #changedEnvironments = new Set<Environment>();
  /** Whether the file has the documents of `#low`. */
  #isWritten = false;
  #environments: Environments | undefined;
  #lostDatasets: ReadonlySet<Dataset> = new Set();
  #writeTimer: NodeJS.Timeout | undefined;

  private constructor(file: DatabaseFile) {
    this.#file = file;
    this.#low = new Low<StoredDocuments>(file, new Map());
  }

  /**
   * Opens an existing file or a new one, and does not change it. Rejects with DatabaseError, FileReadError and
   * FileWriteError.
   */
  static async open(path: string): Promise<Database> {
    // A write would replace a link, and the lock must be next to the file that the link leads to.
    const file = new DatabaseFile(await resolveLink(path));
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
    return Array.from(this.#low.data.values(), (document) => JSON.parse(document.toString()));
  }

  /** Throws DatabaseError if the file has more environments than a server may open. */
  expectAtMost(capacity: number): void {
    const { size } = this.#low.data;
    if (size <= capacity) return;
    const problem = `has ${size} environments, and --max-environments is ${capacity}`;
    const advice = `The file is unchanged: start with --max-environments ${size} or more, or use another file.`;
    throw new DatabaseError(this.#file.path, problem, advice);
  }

  /** Opens the environments of the file. Turns any error into DatabaseError, because the file caused it. */
  async openAll(open: () => Promise<unknown>): Promise<void> {
    try {
      await open();
    } catch (error) {
      const clause = `has an environment that cannot be opened: ${messageOf(error).replace(/\.$/, "")}`;
      throw new DatabaseError(this.#file.path, error instanceof OtherFixtureError ? error.problem : clause);
    }
  }

  /**
   * Saves environments from now on: the changes of commands when `commit` is called, the changes of requests soon after
   * them. Calls `onFailure` if the changes of requests cannot be written. Rejects with FileWriteError if the
   * environments cannot be written now.
   */
  async startSaving(environments: Environments, onFailure: (error: unknown) => void): Promise<void> {
    this.#low.data = new Map();
    for (const environment of environments.all) this.#changedEnvironments.add(environment);
    try {
      await this.#writeChanges(environments);
    } catch (error) {
      throw new FileWriteError(this.#file.path, error);
    }
    this.#environments = environments;
    environments.onChange((environment) => {
      this.#changedEnvironments.add(environment);
      this.#writeTimer ??= setTimeout(() => {
        this.#writeTimer = undefined;
        this.commit().catch(onFailure);
      }, writeDelayMs).unref();
    });
  }

  omit(lostDatasets: ReadonlySet<Dataset>): void {
    this.#lostDatasets = lostDatasets;
    for (const environment of this.#environments?.all ?? []) this.#changedEnvironments.add(environment);
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

  /** Writes the last changes, and releases the file in any case. Rejects like `commit`. */
  async close(): Promise<void> {
    try {
      for (const { internals } of this.#environments?.all ?? []) {
        // The next start continues at this instant, whatever the machine's clock shows then.
        if (internals.clock.speed > 0) internals.clock.set({});
      }
      await this.commit();
    } finally {
      clearTimeout(this.#writeTimer);
      this.#environments = undefined;
      this.#file.release();
    }
  }

  /** Brings the documents up to date, and writes them all if one of them has changed. */
  async #writeChanges(environments: Environments): Promise<void> {
    const { data } = this.#low;
    environments.deleteExpired();
    // The loop runs over a copy: a change during this write adds its environment again, for the next write.
    for (const environment of Array.from(this.#changedEnvironments)) {
      this.#changedEnvironments.delete(environment);
      const { id } = environment;
      const isStored = environments.has(environment) && !this.#lostDatasets.has(environment.config.dataset);
      const document = isStored ? Buffer.from(await storedText(environment)) : undefined;
      const writtenDocument = data.get(id);
      if (document ? writtenDocument?.equals(document) : !writtenDocument) continue;
      this.#isWritten = false;
      if (document) data.set(id, document);
      else data.delete(id);
    }
    if (this.#isWritten) return;
    await this.#low.write();
    this.#isWritten = true;
  }
}

/** Returns the path of the file that a link leads to, which need not exist. */
async function resolveLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const target = codeOf(error) === "ENOENT" ? await readlink(path).catch(() => undefined) : undefined;
    return target === undefined ? resolve(path) : resolveLink(resolve(dirname(path), target));
  }
}
