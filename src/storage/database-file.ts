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
export type StoredTexts = Map<string, Buffer>;

const formatName = "offering-sandbox-db";
const version = 4;

/** The file of a database, as an adapter for lowdb: locked on construction, and checked on each read. */
export class DatabaseFile implements Adapter<StoredTexts> {
  readonly path: string;
  readonly #lock: FileLock;
  readonly #file: DataFile<StoredTexts>;

  /** Throws DatabaseError if the file is in use, or FileWriteError if it cannot be locked. */
  constructor(path: string) {
    this.path = path;
    this.#lock = new FileLock(path);
    // lowdb passes the result to `writeFile` of Node, which accepts bytes too. Bytes are twice as fast as one text.
    this.#file = new DataFile(path, { parse: (text) => this.#parse(text), stringify: bytesOf as never });
  }

  /** Returns null if there is no file. Throws DatabaseError, FileReadError and FileWriteError. */
  async read(): Promise<StoredTexts | null> {
    const stored = await this.#read();
    // A write renames another file over this one, which would replace even a read-only file.
    if (stored)
      await access(this.path, constants.W_OK).catch((error: unknown) => {
        throw new FileWriteError(this.path, error);
      });
    return stored;
  }

  /** Replaces the file: writes a draft next to it, and renames the draft. */
  async write(stored: StoredTexts): Promise<void> {
    this.#lock.hold();
    // lowdb keeps the mode of an existing draft. It is created here, so that other users cannot read the keys.
    const draft = join(dirname(this.path), `.${basename(this.path)}.tmp`);
    // A killed process may have left a draft, or somebody a link to another file.
    await unlink(draft).catch(ignoreMissing);
    await writeFile(draft, "", { mode: ownerOnly, flag: "wx" });
    await this.#file.write(stored);
  }

  release(): void {
    this.#lock.release();
  }

  async #read(): Promise<StoredTexts | null> {
    try {
      // Reading a device or a pipe might never end.
      if (statSync(this.path, { throwIfNoEntry: false })?.isFile() === false)
        throw new Error("it is not a regular file");
      return await this.#file.read();
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      throw new FileReadError(`${this.path} cannot be read: ${messageOf(error)}.`, { cause: error });
    }
  }

  /** Parses the text of the file. Refuses even `null`, which lowdb would take for a missing file and write over. */
  #parse(text: string): StoredTexts {
    const read = textsIn(text);
    if (typeof read === "string") throw new DatabaseError(this.path, read);
    return read;
  }
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}

const head = Buffer.from(`{"format":"${formatName}","version":${version},"environments":[\n`);
const [separator, end] = [Buffer.from(",\n"), Buffer.from("\n]}\n")];

/** Writes one JSON document, with a line for each environment. */
function bytesOf(stored: StoredTexts): Buffer {
  const lines = [...stored.values()].flatMap((text) => [separator, text]);
  return Buffer.concat([head, ...lines.slice(1), end]);
}

/** Returns the environments in a text; a clause that says why if the text is not a database of this version. */
function textsIn(text: string): StoredTexts | string {
  if (text.trim() === "") return "is empty, and not a database of offering-sandbox";
  // Version 1.x wrote more lines after its document, so the whole file is not JSON.
  if (/^\{"format":"offering-sandbox-db","version":[23],/.test(text)) {
    return "was written by offering-sandbox 1.x: version 1.1.0 opens it";
  }
  const content = parsedJson(text);
  if (content === undefined && text.slice(0, 100).includes(formatName)) return "is damaged, or was edited by hand";
  if (!isMembers(content) || content["format"] !== formatName) return "is not a database of offering-sandbox";
  if (content["version"] !== version) return "was written by a later version of offering-sandbox, which opens it";
  const { environments } = content;
  if (!Array.isArray(environments)) return "keeps no list of environments";
  const stored: StoredTexts = new Map();
  for (const environment of environments as unknown[]) {
    const id = isMembers(environment) ? environment["environment"] : undefined;
    if (typeof id !== "string" || stored.has(id))
      return "keeps something that is not an environment, or keeps one twice";
    stored.set(id, Buffer.from(JSON.stringify(environment)));
  }
  return stored;
}
