import { Low } from "lowdb";
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { EnvironmentContent, EnvironmentSetup } from "../environment/environment-content.ts";
import type { Environment } from "../environment/environment.ts";
import type { Environments } from "../environment/environments.ts";
import { ControlError } from "../errors/control-error.ts";
import { UnwritableFile } from "../model/mistakes.ts";
import { DatabaseFile, reopened, type Stored, storedEnvironment, type StoredEnvironment } from "./database-file.ts";
import { FileLock, UnusableDatabase } from "./file-lock.ts";

/**
 * Writes on demand, one write at a time. Whoever asks while a write is under way shares the next one, however many they
 * are: a write begins after everything that it is asked for, and a failure is told to all who asked for it.
 */
export class SharedWrite {
  readonly #write: () => Promise<void>;
  #underWay: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Fulfilled when a write that began after this call has succeeded. */
  ask(): Promise<void> {
    this.#next ??= this.#after(this.#underWay);
    return this.#next;
  }

  async #after(previous: Promise<void>): Promise<void> {
    await previous.catch(() => {});
    this.#underWay = this.#next ?? previous;
    this.#next = undefined;
    await this.#write();
  }
}

/** How long changes that nobody waits for may gather before they are written, in milliseconds. */
const gathering = 50;

/** Where environments are kept: one small file, of which this process alone has the use. */
export class Database {
  readonly #path: string;
  readonly #lock: FileLock;
  readonly #low: Low<Stored>;
  readonly #write = new SharedWrite(async () => this.#environments && this.#writeChanges(this.#environments));
  readonly #seen = new WeakMap<Environment, { readonly revision: string; readonly stored: StoredEnvironment }>();
  #environments: Environments | undefined;
  #written: readonly StoredEnvironment[] = [];
  #gathering: NodeJS.Timeout | undefined;

  private constructor(path: string, lock: FileLock) {
    this.#path = path;
    this.#lock = lock;
    this.#low = new Low<Stored>(new DatabaseFile(path, lock), { environments: [] });
  }

  /**
   * Opens a database, or one that is to be. Throws UnusableDatabase when the file is none or is in use, UnreadableFile
   * and UnwritableFile; then the file is as it was.
   */
  static async open(file: string): Promise<Database> {
    const path = await realPath(file);
    const lock = new FileLock(path);
    const database = new Database(path, lock);
    try {
      await database.#low.read();
    } catch (error) {
      lock.release();
      throw error;
    }
    return database;
  }

  /** The environments as they were kept when the database was opened; none where it is new. */
  get stored(): readonly StoredEnvironment[] {
    return this.#low.data.environments;
  }

  /**
   * What a stored environment is opened with again, from the opening that its options make. Throws UnusableDatabase when
   * that has other data than the environment was made from.
   */
  reopen(
    stored: StoredEnvironment,
    opening: EnvironmentSetup,
  ): { readonly opening: EnvironmentSetup; readonly kept: EnvironmentContent } {
    const { id, fixture } = stored;
    const { dataset } = opening;
    if (fixture.digest === dataset.digest) return reopened(stored, opening);
    const how =
      fixture.name === dataset.name
        ? `"${fixture.name}" as it was before an edit, or with another seed`
        : `"${fixture.name}", and not from "${dataset.name}"`;
    throw new UnusableDatabase(this.#path, `keeps the environment "${id}" made from the fixture ${how}`);
  }

  /**
   * Keeps environments from now on: what commands change when `commit` asks for it, and what requests change soon after.
   * `onFailure` is told of what could not be kept while nobody waited for it. Rejects with UnwritableFile when they cannot
   * be kept as they are now.
   */
  async keep(environments: Environments, onFailure: (error: unknown) => void): Promise<void> {
    try {
      await this.#writeChanges(environments);
    } catch (error) {
      throw new UnwritableFile(this.#path, error);
    }
    this.#environments = environments;
    environments.tellChanges(() => {
      this.#gathering ??= setTimeout(() => {
        this.#gathering = undefined;
        this.commit().catch(onFailure);
      }, gathering).unref();
    });
  }

  /** Fulfilled when everything that has changed by now is in the file. Rejects with ControlError. */
  async commit(): Promise<void> {
    try {
      await this.#write.ask();
    } catch (error) {
      const { message } = new UnwritableFile(this.#path, error);
      const rest = "What was commanded is in force, and will be kept with whatever can be written next.";
      throw new ControlError("not_kept", `${message} ${rest}`, { cause: error });
    }
  }

  /** Writes what is still to be written, and lets go of the file in any case. Rejects as `commit` does. */
  async close(): Promise<void> {
    try {
      await this.commit();
    } finally {
      clearTimeout(this.#gathering);
      this.#environments = undefined;
      this.#lock.release();
    }
  }

  async #writeChanges(environments: Environments): Promise<void> {
    const stored = this.#collect(environments);
    const written = this.#written;
    if (stored.length === written.length && stored.every((one, at) => one === written[at])) return;
    this.#low.data = { environments: stored };
    await this.#low.write();
    this.#written = stored;
  }

  /** The environments as they are now. One whose fixture was edited since could not be opened again: it is left out. */
  #collect(environments: Environments): StoredEnvironment[] {
    const { dataset: current } = environments.default.opening;
    return environments.all
      .filter(({ opening: { dataset } }) => dataset.name !== current.name || dataset.digest === current.digest)
      .map((environment) => this.#store(environment));
  }

  #store(environment: Environment): StoredEnvironment {
    const { revision } = environment;
    const seen = this.#seen.get(environment);
    if (seen?.revision === revision) return seen.stored;
    const stored = storedEnvironment(environment);
    this.#seen.set(environment, { revision, stored });
    return stored;
  }
}

/** Where a file really is: a link to it must neither be replaced by a write nor lead around the lock. */
async function realPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return resolve(file);
  }
}
