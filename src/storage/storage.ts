import { ControlError } from "../errors/control-error.ts";
import { quoted } from "../text/text.ts";
import type { EnvironmentDocument } from "../environment/document.ts";
import type { Environment } from "../environment/environment.ts";
import type { Dataset } from "../fixture/dataset.ts";

/** The time for which changes made by requests are collected before one write. */
export const writeDelayMs = 50;

/** Stores the environments of a server beyond its process. */
export interface Storage {
  /**
   * Resolves once the changes of an environment so far are saved. Rejects with ControlError `not_saved`; or with
   * `storage_unavailable` if PostgreSQL may or may not have saved them.
   */
  commit(environment?: Environment): Promise<void>;
  /** Omits the environments over these datasets, which the next start could not load. Only files need this. */
  omit?(lostDatasets: ReadonlySet<Dataset>): void;
  /** Saves the last changes, and releases the lock or the leases of this process. */
  close(): Promise<void>;
}

/** A stored environment was made from a fixture that this process does not have. */
export class OtherFixtureError extends ControlError {
  /** A clause whose subject is the database. */
  readonly problem: string;

  constructor({ environment: id, fixture }: EnvironmentDocument, { name }: Dataset) {
    const origin = `The environment was opened over the fixture ${quoted(fixture)}`;
    super("conflict", `${origin}, which this process was not started with.`);
    const detail = fixture === name ? " as it was before an edit, or with another seed" : `, and not from "${name}"`;
    this.problem = `has the environment "${id}" made from the fixture "${fixture}"${detail}`;
  }
}

/** Throws OtherFixtureError if a stored environment was made from another dataset. */
export function expectDataset(snapshot: EnvironmentDocument, dataset: Dataset): void {
  const { fixture_checksum: digest, fixture_document: document } = snapshot;
  if (document === undefined && digest !== dataset.digest) throw new OtherFixtureError(snapshot, dataset);
}

/**
 * Makes one write at a time. All requests during a write share the next write: it begins after the changes of all its
 * requests, and its failure rejects them all.
 */
export class SharedWrite {
  readonly #write: () => Promise<void>;
  #pendingWrite: Promise<void> = Promise.resolve();
  #nextWrite: Promise<void> | undefined;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when a write that began after this call has succeeded. */
  request(): Promise<void> {
    return (this.#nextWrite ??= this.#writeAfter(this.#pendingWrite));
  }

  async #writeAfter(previous: Promise<void>): Promise<void> {
    await previous.catch(() => {});
    this.#pendingWrite = this.#nextWrite ?? previous;
    this.#nextWrite = undefined;
    await this.#write();
  }
}
