import type { Adapter } from "lowdb";
import { DataFile } from "lowdb/node";
import { constants as bufferConstants } from "node:buffer";
import { constants, statSync } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { messageOf, UnreadableFile, UnwritableFile } from "../model/mistakes.ts";
import {
  changesText,
  documentText,
  readDatabase,
  type StoredChange,
  type StoredEnvironments,
} from "./database-text.ts";
import { FileLock, UnusableDatabase } from "./file-lock.ts";

/** The file as the last successful write left it. */
interface WrittenFile {
  readonly ino: number;
  /** In bytes. */
  readonly size: number;
  /** Of the document alone, without the changes after it. */
  readonly documentSize: number;
  readonly checksum: number;
}

/** The file of a database, as an adapter for lowdb: locked from the beginning, and checked when it is read. */
export class DatabaseFile implements Adapter<StoredEnvironments> {
  readonly path: string;
  /** Whether the last line was cut off when the file was read. */
  isCutOff = false;
  readonly #lock: FileLock;
  readonly #file: DataFile<StoredEnvironments>;
  #checksum = 0;
  #written: WrittenFile | undefined;

  /** Throws UnusableDatabase if the file is in use, and UnwritableFile. */
  constructor(path: string) {
    this.path = path;
    this.#lock = new FileLock(path);
    const stringify = (stored: StoredEnvironments): string => {
      const { text, checksum } = documentText(stored);
      this.#checksum = checksum;
      return text;
    };
    this.#file = new DataFile(path, { parse: (text) => this.#parse(text), stringify });
  }

  /** Returns null if there is no file. Throws UnusableDatabase, UnreadableFile and UnwritableFile. */
  async read(): Promise<StoredEnvironments | null> {
    const stored = await this.#read();
    if (stored === null) return null;
    try {
      // The rename of a write would replace a protected file.
      await access(this.path, constants.W_OK);
    } catch (error) {
      throw new UnwritableFile(this.path, error);
    }
    return stored;
  }

  /** Whether the last write succeeded. */
  get isWritten(): boolean {
    return this.#written !== undefined;
  }

  /** Whether changes follow the document. */
  get hasChanges(): boolean {
    return this.#written !== undefined && this.#written.size > this.#written.documentSize;
  }

  /** Replaces the file by renaming another one, which a killed process may have left there. */
  async write(stored: StoredEnvironments): Promise<void> {
    this.#lock.hold();
    this.#written = undefined;
    await this.#file.write(stored);
    const { ino, size } = await stat(this.path);
    this.#written = { ino, size, documentSize: size, checksum: this.#checksum };
  }

  /**
   * Appends changes in one piece. Returns false if all has to be written instead: after a failure, after somebody else
   * touched the file, and when the changes would take more bytes than the document.
   */
  async append(changes: readonly StoredChange[]): Promise<boolean> {
    const written = this.#written;
    if (!written) return false;
    this.#written = undefined;
    this.#lock.hold();
    const { text, checksum } = changesText(changes, written.checksum);
    const bytes = Buffer.from(text);
    const size = written.size + bytes.length;
    if (size > Math.min(2 * written.documentSize, bufferConstants.MAX_STRING_LENGTH)) return false;
    // Without O_CREAT: changes alone are no database.
    const file = await open(this.path, constants.O_WRONLY | constants.O_APPEND).catch(() => undefined);
    if (!file) return false;
    try {
      const found = await file.stat();
      if (found.ino !== written.ino || found.size !== written.size) return false;
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    this.#written = { ...written, size, checksum };
    return true;
  }

  release(): void {
    this.#lock.release();
  }

  async #read(): Promise<StoredEnvironments | null> {
    try {
      // Reading a device or a pipe might never end.
      if (statSync(this.path, { throwIfNoEntry: false })?.isFile() === false) throw new Error("it is no regular file");
      return await this.#file.read();
    } catch (error) {
      if (error instanceof UnusableDatabase) throw error;
      throw new UnreadableFile(`${this.path} cannot be read: ${messageOf(error)}.`, { cause: error });
    }
  }

  /** Refuses even `null`: lowdb would take it for a missing file, and write over it. */
  #parse(text: string): StoredEnvironments {
    const read = readDatabase(text);
    if (typeof read === "string") throw new UnusableDatabase(this.path, read);
    this.isCutOff = read.isCutOff;
    return read.stored;
  }
}
