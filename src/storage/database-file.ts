import type { Adapter } from "lowdb";
import { DataFile } from "lowdb/node";
import { constants, statSync } from "node:fs";
import { access, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ownerOnly } from "../files/file.ts";
import { parsedJson } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";
import { codeOf, messageOf, FileReadError, FileWriteError } from "../validation/errors.ts";
import { FileLock, DatabaseError } from "./file-lock.ts";

/** The JSON of each stored environment by its id, in the order in which they were opened. */
export type StoredDocuments = Map<string, Buffer>;

const formatName = "offering-sandbox-db";
const version = 4;

/** The file of a database, as an adapter for lowdb. It is locked on construction, and checked on each read. */
export class DatabaseFile implements Adapter<StoredDocuments> {
  readonly path: string;
  readonly #lock: FileLock;
  readonly #file: DataFile<StoredDocuments>;

  /** Throws DatabaseError if the file is in use, or FileWriteError if it cannot be locked. */
  constructor(path: string) {
    this.path = path;
    this.#lock = new FileLock(path);
    // lowdb passes the result to `writeFile` of Node, which accepts bytes too. Bytes are twice as fast as one string.
    this.#file = new DataFile(path, { parse: (text) => this.#parse(text), stringify: bytesOf as never });
  }

  /** Returns null if there is no file. Throws DatabaseError, FileReadError and FileWriteError. */
  async read(): Promise<StoredDocuments | null> {
    const documents = await this.#read();
    // A write renames its draft over this file, which would replace even a read-only file.
    if (documents)
      await access(this.path, constants.W_OK).catch((error: unknown) => {
        throw new FileWriteError(this.path, error);
      });
    return documents;
  }

  /** Replaces the file: writes a draft next to it, and renames the draft. */
  async write(documents: StoredDocuments): Promise<void> {
    this.#lock.hold();
    // lowdb does not change the mode of an existing draft. A draft with this mode hides the keys from other users.
    const draft = join(dirname(this.path), `.${basename(this.path)}.tmp`);
    // A killed process may have left a draft, and a user a link to another file.
    await unlink(draft).catch(ignoreMissing);
    await writeFile(draft, "", { mode: ownerOnly, flag: "wx" });
    await this.#file.write(documents);
  }

  release(): void {
    this.#lock.release();
  }

  async #read(): Promise<StoredDocuments | null> {
    try {
      // A read of a device or a pipe might never end.
      if (statSync(this.path, { throwIfNoEntry: false })?.isFile() === false)
        throw new Error("it is not a regular file");
      return await this.#file.read();
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      throw new FileReadError(`${this.path} cannot be read: ${messageOf(error)}.`, { cause: error });
    }
  }

  /** Parses the text of the file. Refuses even `null`, which lowdb would treat as a missing file and overwrite. */
  #parse(text: string): StoredDocuments {
    const documents = parseDocuments(text);
    if (typeof documents === "string") throw new DatabaseError(this.path, documents);
    return documents;
  }
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}

const header = Buffer.from(`{"format":"${formatName}","version":${version},"environments":[\n`);
const [separator, end] = [Buffer.from(",\n"), Buffer.from("\n]}\n")];

/** Formats one JSON document, with a line for each environment. */
function bytesOf(documents: StoredDocuments): Buffer {
  const lines = [...documents.values()].flatMap((document) => [separator, document]);
  return Buffer.concat([header, ...lines.slice(1), end]);
}

/** Parses the environments of a database. Returns a clause with the reason if it is not a database of this version. */
function parseDocuments(text: string): StoredDocuments | string {
  if (text.trim() === "") return "is empty, and not a database of offering-sandbox";
  // Version 1.x wrote more lines after its document, so the whole file is not JSON.
  if (/^\{"format":"offering-sandbox-db","version":[23],/.test(text)) {
    return "was written by offering-sandbox 1.x: version 1.1.0 opens it";
  }
  const content = parsedJson(text);
  if (content === undefined && text.slice(0, 100).includes(formatName)) return "is damaged, or was edited";
  if (!isMembers(content) || content["format"] !== formatName) return "is not a database of offering-sandbox";
  if (content["version"] !== version) return "was written by a later version of offering-sandbox, which opens it";
  const { environments } = content;
  if (!Array.isArray(environments)) return "has no list of environments";
  const documents: StoredDocuments = new Map();
  for (const environment of environments as unknown[]) {
    const id = isMembers(environment) ? environment["environment"] : undefined;
    if (typeof id !== "string" || documents.has(id))
      return "has an item that is not an environment, or the same environment twice";
    documents.set(id, Buffer.from(JSON.stringify(environment)));
  }
  return documents;
}
