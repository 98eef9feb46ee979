import type { Environment } from "../../environment/environment.ts";
import { SharedWrite } from "../storage.ts";
import type { Texts } from "./rows.ts";
import { notKnown, type Session } from "./session.ts";
import type { SharedTenure } from "./shared-tenure.ts";
import * as statements from "./statements.ts";

/** Milliseconds for which changes made by requests gather before they are written. */
const writeDelay = 50;

interface WriterOptions {
  readonly session: Session;
  readonly textsOf: (environment: Environment) => Texts;
  /** Called if changes made by requests cannot be written. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes the environments that have changed, all in one statement, and deletes those that were dropped. */
export class ChangeWriter {
  readonly #options: WriterOptions;
  readonly #changed = new Set<SharedTenure>();
  /** The uid of environments that were dropped here, by id. */
  readonly #dropped = new Map<string, string>();
  readonly #write = new SharedWrite(() => this.#writeAll());
  #gathering: NodeJS.Timeout | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Writes the environment of a tenure with the next command, or soon. */
  noteChange(tenure: SharedTenure): void {
    this.#changed.add(tenure);
    this.#gather();
  }

  /** Deletes an environment with the next command, or soon. */
  noteDrop({ id, uid }: Environment): void {
    this.#dropped.set(id, uid);
    this.#gather();
  }

  /** Resolves once all changes so far are written. Rejects with ControlError `storage_unavailable`. */
  commit(): Promise<void> {
    return this.#write.request();
  }

  /** Resolves when the write under way has ended, however it ended. */
  ended(): Promise<void> {
    return this.#write.ended();
  }

  close(): void {
    clearTimeout(this.#gathering);
  }

  #gather(): void {
    const { session, onFailure } = this.#options;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.commit().catch((error: unknown) => {
        onFailure(error);
        if (!session.isClosed) this.#gather();
      });
    }, writeDelay).unref();
  }

  async #writeAll(): Promise<void> {
    const { session, textsOf } = this.#options;
    for (const [id, uid] of this.#dropped) {
      await session.query(statements.remove, () => [id, uid], notKnown);
      if (this.#dropped.get(id) === uid) this.#dropped.delete(id);
    }
    const ends = new Map<SharedTenure, number>();
    for (const tenure of this.#changed) if (tenure.isHeld) ends.set(tenure, tenure.ends);
    this.#changed.clear();
    if (ends.size === 0) return;
    const isSame = (tenure: SharedTenure): boolean => tenure.isHeld && tenure.ends === ends.get(tenure);
    let asked: readonly SharedTenure[] = [];
    try {
      // Another try writes what is held then, as it is then.
      const values = (number: string) => {
        asked = Array.from(ends.keys()).filter(isSame);
        const texts = asked.map(({ environment }) => textsOf(environment));
        return [
          number,
          asked.map(({ environment }) => environment.id),
          texts.map(({ document }) => document),
          texts.map(({ head }) => head),
          texts.map(({ keys }) => `{${keys.join()}}`),
          texts.map(({ lifetime }) => lifetime),
        ];
      };
      const { rows } = await session.query<{ id: string }>(statements.write, values, notKnown);
      const written = new Set(rows.map(({ id }) => id));
      for (const tenure of asked) if (!written.has(tenure.environment.id) && isSame(tenure)) tenure.giveUp();
    } catch (error) {
      for (const tenure of Array.from(ends.keys()).filter(isSame)) this.#changed.add(tenure);
      throw error;
    }
  }
}
