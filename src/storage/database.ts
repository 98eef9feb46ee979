import { Low } from "lowdb";
import { readlink, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { EnvironmentDocument } from "../environment/environment-content.ts";
import type { Environment } from "../environment/environment.ts";
import type { Environments } from "../environment/environments.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { codeOf, messageOf, UnwritableFile } from "../model/mistakes.ts";
import { DatabaseFile } from "./database-file.ts";
import type { StoredChange, StoredEnvironments } from "./database-text.ts";
import { UnusableDatabase } from "./file-lock.ts";

/** Milliseconds for which changes made by requests gather before they are written. */
const writeDelay = 50;

/** Keeps environments in one small file, which no other process uses meanwhile. */
export class Database {
  readonly #file: DatabaseFile;
  readonly #low: Low<StoredEnvironments>;
  readonly #write = new SharedWrite(async () => this.#environments && this.#writeChanges(this.#environments));
  /** The environments that were opened, changed or dropped since the last write. */
  readonly #changed = new Set<Environment>();
  readonly #cached = new WeakMap<Environment, { readonly revision: string; readonly stored: EnvironmentDocument }>();
  #environments: Environments | undefined;
  #lost: ReadonlySet<Dataset> = new Set();
  #gathering: NodeJS.Timeout | undefined;
  #isLastWrite = false;

  private constructor(file: DatabaseFile) {
    this.#file = file;
    this.#low = new Low<StoredEnvironments>(file, new Map());
  }

  /**
   * Opens the database of a file, which need not exist. Throws UnusableDatabase if the file is in use or no database,
   * UnreadableFile and UnwritableFile, and then leaves the file as it was.
   */
  static async open(path: string): Promise<Database> {
    // A write would replace a link, and the lock must stand beside the file itself.
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

  /** The environments in the file, none if it is new; those of `keep` from then on. */
  get stored(): readonly EnvironmentDocument[] {
    return [...this.#low.data.values()];
  }

  /** News of the file for its user. */
  get warnings(): readonly string[] {
    if (!this.#file.isCutOff) return [];
    return [`The last line of ${this.#file.path} was cut off, and is left out: its command may be lost.`];
  }

  /** Throws UnusableDatabase if the file has more environments than a server may open. */
  expectAtMost(capacity: number): void {
    const { size } = this.#low.data;
    if (size <= capacity) return;
    const advice = `It is left as it is: start with --max-environments ${size} or more, or name another file.`;
    throw new UnusableDatabase(
      this.#file.path,
      `keeps ${size} environments, where --max-environments is ${capacity}`,
      advice,
    );
  }

  /** Throws UnusableDatabase if a stored environment was made from another dataset. */
  expectDataset({ id, fixture }: EnvironmentDocument, { name, digest }: Dataset): void {
    if (fixture.document !== undefined || fixture.digest === digest) return;
    const difference =
      fixture.name === name
        ? `"${fixture.name}" as it was before an edit, or with another seed`
        : `"${fixture.name}", and not from "${name}"`;
    throw new UnusableDatabase(this.#file.path, `keeps the environment "${id}" made from the fixture ${difference}`);
  }

  /** Opens what the file keeps. Any error is one of its content: throws UnusableDatabase. */
  async opening<Opened>(open: () => Opened): Promise<Awaited<Opened>> {
    try {
      return await open();
    } catch (error) {
      if (error instanceof UnusableDatabase) throw error;
      throw new UnusableDatabase(
        this.#file.path,
        `keeps what cannot be opened: ${messageOf(error).replace(/\.$/, "")}`,
      );
    }
  }

  /**
   * Keeps environments from now on: changes by commands when `commit` is called, changes by requests soon after. Calls
   * `onFailure` if the latter cannot be written. Rejects with UnwritableFile if the environments cannot be written now.
   */
  async keep(environments: Environments, onFailure: (error: unknown) => void): Promise<void> {
    this.#low.data = new Map();
    for (const environment of environments.all) this.#changed.add(environment);
    try {
      await this.#writeChanges(environments);
    } catch (error) {
      throw new UnwritableFile(this.#file.path, error);
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

  /** Stores no environment over one of these datasets, which the next start could not load. */
  leaveOut(lost: ReadonlySet<Dataset>): void {
    this.#lost = lost;
    for (const environment of this.#environments?.all ?? []) this.#changed.add(environment);
  }

  /** Resolves once all changes so far are in the file. Rejects with ControlError `not_kept`. */
  async commit(): Promise<void> {
    try {
      await this.#write.request();
    } catch (error) {
      const { message } = new UnwritableFile(this.#file.path, error);
      const advice = "The command is in force, and is kept with the next that can be written.";
      throw new ControlError("not_kept", `${message} ${advice}`, { cause: error });
    }
  }

  /** Writes the last changes, and releases the file in any case. Rejects as `commit` does. */
  async close(): Promise<void> {
    try {
      for (const { stores } of this.#environments?.all ?? []) {
        // The next start goes on from what its clients saw last, wherever the machine's clock is then.
        if (stores.clock.speed > 0) stores.clock.set({});
      }
      await this.commit();
      this.#isLastWrite = true;
      // The file keeps all changes already, even if there is no room to write the document anew.
      await this.#write.request().catch(() => {});
    } finally {
      clearTimeout(this.#gathering);
      this.#environments = undefined;
      this.#file.release();
    }
  }

  /** Appends the changes to the file, or writes all environments if there is no other way. */
  async #writeChanges(environments: Environments): Promise<void> {
    const changes = this.#takeChanges(environments);
    if (changes.length > 0 || !this.#file.isWritten) {
      if (!(await this.#file.append(changes))) await this.#low.write();
    }
    if (this.#isLastWrite && this.#file.hasChanges) await this.#low.write();
  }

  /** Brings the data up to date. Returns the differences. */
  #takeChanges(environments: Environments): StoredChange[] {
    const { data } = this.#low;
    const changes: StoredChange[] = [];
    environments.dropExpired();
    for (const environment of this.#changed) {
      const { id } = environment;
      if (!environments.has(environment) || this.#lost.has(environment.setup.dataset)) {
        if (data.delete(id)) changes.push({ dropped: id });
        continue;
      }
      const stored = this.#store(environment);
      if (data.get(id) === stored) continue;
      data.set(id, stored);
      changes.push({ environment: stored });
    }
    this.#changed.clear();
    return changes;
  }

  #store(environment: Environment): EnvironmentDocument {
    const { revision } = environment;
    const cached = this.#cached.get(environment);
    if (cached?.revision === revision) return cached.stored;
    const stored = documentOf(environment);
    this.#cached.set(environment, { revision, stored });
    return stored;
  }
}

function documentOf(environment: Environment): EnvironmentDocument {
  const { id, dataset, keys, delay: _, known: __, journalCapacity: ___, ...beginning } = environment.setup;
  const { name, digest, seed, document } = dataset;
  const own = beginning.ownFixture === true && { seed, ...(document && { document: document() }) };
  return {
    id,
    fixture: { name, digest, ...own },
    beginning: { ...beginning, ...(beginning.begins && { keys }) },
    content: environment.content(),
  };
}

/**
 * Makes one write at a time. All requests during a write share the next one: a write begins after the changes of all its
 * requests, and its failure rejects them all.
 */
export class SharedWrite {
  readonly #write: () => Promise<void>;
  #underWay: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when a write begun after this call has succeeded. */
  request(): Promise<void> {
    return (this.#next ??= this.#after(this.#underWay));
  }

  async #after(previous: Promise<void>): Promise<void> {
    await previous.catch(() => {});
    this.#underWay = this.#next ?? previous;
    this.#next = undefined;
    await this.#write();
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
