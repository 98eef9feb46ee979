import type { Adapter } from "lowdb";
import { DataFile } from "lowdb/node";
import { constants, statSync } from "node:fs";
import { access } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Assumptions } from "../assumptions/catalogue.ts";
import type { EnvironmentContent, EnvironmentSetup } from "../environment/environment-content.ts";
import type { FixtureDocument } from "../fixture/dataset.ts";
import { messageOf, UnreadableFile, UnwritableFile } from "../model/mistakes.ts";
import { FileLock, UnusableDatabase } from "./file-lock.ts";

/** The document of a database. */
export interface StoredEnvironments {
  readonly environments: readonly StoredEnvironment[];
}

/** An environment as plain data. */
export interface StoredEnvironment {
  readonly id: string;
  /** The source of its dataset. */
  readonly fixture: {
    readonly name: string;
    readonly digest: string;
    /** Of a fixture brought along by a command: it is found by its name and seed, or here. */
    readonly seed?: number;
    readonly document?: FixtureDocument;
  };
  /** Its beginning, with whole scenarios: their names may mean nothing, or something else, to the next server. */
  readonly opened: Pick<EnvironmentSetup, "shard" | "clock" | "scenarios" | "begins"> &
    Partial<Pick<EnvironmentSetup, "keys" | "tokens">>;
  /** Null for the default environment, which takes the server's. */
  readonly options: StoredOptions | null;
  /** Its assumptions, without those of the options. */
  readonly kept: Omit<EnvironmentContent, "assumptions"> & { readonly assumptions: Partial<Assumptions> };
}

/** Checked options in their final form: they are not checked a second time. */
interface StoredOptions extends Pick<EnvironmentSetup, "label" | "profile" | "rateLimit" | "lifetime" | "varied"> {
  /** Differences from the profile. */
  readonly assumptions: Partial<Assumptions>;
}

/** The file of a database, as an adapter for lowdb: locked from the beginning, and checked when it is read. */
export class DatabaseFile implements Adapter<StoredEnvironments> {
  readonly path: string;
  readonly #lock: FileLock;
  readonly #file: DataFile<StoredEnvironments>;

  /** Throws UnusableDatabase if the file is in use, and UnwritableFile. */
  constructor(path: string) {
    this.path = path;
    this.#lock = new FileLock(path);
    this.#file = new DataFile(path, { parse: (text) => this.#parse(text), stringify: format });
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

  /** Replaces the file by renaming another one, which a killed process may have left there. */
  async write(stored: StoredEnvironments): Promise<void> {
    this.#lock.hold();
    await this.#file.write(stored);
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
    const problem = problemIn(text);
    if (problem !== undefined) throw new UnusableDatabase(this.path, problem);
    const stored = JSON.parse(text) as StoredEnvironments;
    if (Array.isArray(stored.environments)) return stored;
    throw new UnusableDatabase(this.path, "keeps no list of environments");
  }
}

const formatName = "offering-sandbox-db";
const version = 2;
const damaged = "is damaged, or was edited by hand";

/** JSON, whose first line names the format and holds the checksum of the other lines. */
function format({ environments }: StoredEnvironments): string {
  const body = `"environments":[\n${environments.map(environmentJson).join(",\n")}\n]}\n`;
  return `${JSON.stringify({ format: formatName, version, checksum: crc32(body) }).slice(0, -1)},\n${body}`;
}

const jsonCache = new WeakMap<StoredEnvironment, string>();

/** Most environments stay the same object from one write to the next. */
function environmentJson(environment: StoredEnvironment): string {
  const text = jsonCache.get(environment) ?? JSON.stringify(environment);
  jsonCache.set(environment, text);
  return text;
}

/** Returns the reason why a text is no database, as a clause; undefined if it is one. */
function problemIn(text: string): string | undefined {
  if (text.trim() === "") return "is empty, and no database of offering-sandbox";
  const end = text.indexOf("\n");
  const header = parseHeader(text.slice(0, Math.max(end, 0)));
  if (header?.format !== formatName) {
    return text.startsWith(`{"format":"${formatName}"`) ? damaged : "is no database of offering-sandbox";
  }
  if (header.version !== version) return "is a database of another version of offering-sandbox";
  return header.checksum === crc32(text.slice(end + 1)) ? undefined : damaged;
}

/** The object of the header goes on in the second line. */
function parseHeader(line: string): { format?: unknown; version?: unknown; checksum?: unknown } | undefined {
  try {
    return JSON.parse(`${line.replace(/,\r?$/, "")}}`) as object;
  } catch {
    return undefined;
  }
}
