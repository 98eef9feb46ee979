import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Adapter } from "lowdb";
import { TextFile } from "lowdb/node";
import { UnreadableFile } from "../model/unreadable-file.ts";
import { UnwritableFile } from "../model/unwritable-file.ts";
import { formatDatabase, parseDatabase, type Stored } from "./database-text.ts";
import type { FileLock } from "./file-lock.ts";
import { UnusableDatabase } from "./unusable-database.ts";

/**
 * Holds a database for lowdb. Reading refuses what is no whole database of ours: lowdb would take an empty one, or one
 * that says `null`, for a missing one, and write over it.
 */
export class DatabaseFile implements Adapter<Stored> {
  readonly #path: string;
  readonly #lock: FileLock;
  readonly #file: TextFile;

  constructor(path: string, lock: FileLock) {
    this.#path = path;
    this.#lock = lock;
    this.#file = new TextFile(path);
  }

  /** Answers null where there is no file. Throws UnusableDatabase, UnreadableFile, and UnwritableFile. */
  async read(): Promise<Stored | null> {
    const text = await this.#text();
    if (text === null) return null;
    try {
      // A rename over the file would not mind that it is protected.
      await access(this.#path, constants.W_OK);
    } catch (error) {
      throw new UnwritableFile(this.#path, error);
    }
    try {
      return parseDatabase(text);
    } catch (error) {
      throw new UnusableDatabase(this.#path, error instanceof Error ? error.message : String(error));
    }
  }

  /** Replaces the file as a whole, by renaming another one, which may be there already from a process that was killed. */
  async write(stored: Stored): Promise<void> {
    this.#lock.hold();
    await this.#file.write(formatDatabase(stored));
  }

  async #text(): Promise<string | null> {
    try {
      return await this.#file.read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnreadableFile(`${this.#path} cannot be read: ${reason}.`, { cause: error });
    }
  }
}
