import { ControlError } from "../errors/control-error.ts";
import { quoted } from "../text/text.ts";
import type { EnvironmentDocument } from "../environment/document.ts";
import type { Environment } from "../environment/environment.ts";
import type { Dataset } from "../fixture/dataset.ts";

/** Milliseconds for which changes made by requests gather before they are written. */
export const writeDelay = 50;

/** Stores the environments of a server beyond its process. */
export interface Storage {
  /**
   * Resolves once the changes of an environment so far are stored. Rejects with ControlError `not_saved`, or
   * `storage_unavailable` from a database that may have them all the same.
   */
  commit(environment?: Environment): Promise<void>;
  /** Stores no environment over one of these datasets, which the next start could not load. Only files need this. */
  omit?(lost: ReadonlySet<Dataset>): void;
  /** Stores the last changes, and releases what other processes wait for. */
  close(): Promise<void>;
}

/** The environment was made from a fixture that this process does not have. */
export class OtherFixtureError extends ControlError {
  /** A clause whose subject is the database. */
  readonly problem: string;

  constructor({ environment: id, fixture }: EnvironmentDocument, { name }: Dataset) {
    const origin = `The environment was opened over the fixture ${quoted(fixture)}`;
    super("conflict", `${origin}, which this process was not started with.`);
    const difference =
      fixture === name ? " as it was before an edit, or with another seed" : `, and not from "${name}"`;
    this.problem = `keeps the environment "${id}" made from the fixture "${fixture}"${difference}`;
  }
}

/** Throws OtherFixtureError if a stored environment was made from another dataset. */
export function expectDataset(snapshot: EnvironmentDocument, dataset: Dataset): void {
  const { fixture_checksum: digest, fixture_document: document } = snapshot;
  if (document === undefined && digest !== dataset.digest) throw new OtherFixtureError(snapshot, dataset);
}

/**
 * Makes one write at a time. All requests during a write share the next one: a write begins after the changes of all
 * its requests, and its failure rejects them all.
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
