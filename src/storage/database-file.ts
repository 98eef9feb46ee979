import type { Adapter } from "lowdb";
import { TextFile } from "lowdb/node";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { assume } from "../assumptions/assume.ts";
import type { Assumptions } from "../assumptions/catalogue.ts";
import type { EnvironmentOptions } from "../control.ts";
import type { EnvironmentContent, EnvironmentSetup } from "../environment/environment-content.ts";
import type { Environment } from "../environment/environment.ts";
import { defaultId } from "../environment/environments.ts";
import { formatInstant } from "../model/instant.ts";
import { UnreadableFile, UnwritableFile } from "../model/mistakes.ts";
import { type FileLock, UnusableDatabase } from "./file-lock.ts";

const format = "offering-sandbox-db";
const version = 1;

/** What a database holds. */
export interface Stored {
  readonly environments: readonly StoredEnvironment[];
}

const texts = new WeakMap<StoredEnvironment, string>();

/** A database as text: JSON, the first line of which says what it is and holds the checksum of the others. */
function formatDatabase({ environments }: Stored): string {
  const body = `"environments":[\n${environments.map(textOf).join(",\n")}\n]}\n`;
  return `${JSON.stringify({ format, version, checksum: crc32(body) }).slice(0, -1)},\n${body}`;
}

/** What the text of a database says. Throws an Error whose message is a clause that says what is wrong with the file. */
function parseDatabase(text: string): Stored {
  if (text.trim() === "") throw new Error("is empty, and no database of offering-sandbox");
  const end = text.indexOf("\n");
  const head = headOf(text.slice(0, Math.max(end, 0)));
  if (head?.format !== format) {
    const ours = text.startsWith(`{"format":"${format}"`);
    throw new Error(ours ? damaged : "is no database of offering-sandbox");
  }
  if (head.version !== version) throw new Error(`is a database of another version of offering-sandbox`);
  if (head.checksum !== crc32(text.slice(end + 1))) throw new Error(damaged);
  return JSON.parse(text) as Stored;
}

const damaged = "is damaged, or was edited by hand";

/** Environments that have not changed are the same objects, and most have not from one write to the next. */
function textOf(environment: StoredEnvironment): string {
  const known = texts.get(environment);
  const text = known ?? JSON.stringify(environment);
  if (known === undefined) texts.set(environment, text);
  return text;
}

/** What the first line says, which goes on into the second. */
function headOf(line: string): { format?: unknown; version?: unknown; checksum?: unknown } | undefined {
  try {
    return JSON.parse(`${line.replace(/,\r?$/, "")}}`) as object;
  } catch {
    return undefined;
  }
}

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

/** An environment as a database holds it. Plain data. */
export interface StoredEnvironment {
  readonly id: string;
  /** What it is opened with again. Of the default one only the clock is: the rest is what the server is started with. */
  readonly options: EnvironmentOptions;
  /** What its dataset was made from. */
  readonly fixture: { readonly name: string; readonly digest: string };
  readonly kept: Omit<EnvironmentContent, "assumptions"> & { readonly assumptions: Partial<Assumptions> };
}

/** An environment as it is to be stored. */
export function storedEnvironment(environment: Environment): StoredEnvironment {
  const { id, opening } = environment;
  const { name, digest } = opening.dataset;
  const kept = environment.keep();
  return {
    id,
    options: optionsOf(opening),
    fixture: { name, digest },
    kept: { ...kept, assumptions: differences(opening.assumptions, kept.assumptions) },
  };
}

/** The opening and what is kept of a stored environment, from the opening that its options make. */
export function reopened(
  stored: StoredEnvironment,
  opening: EnvironmentSetup,
): { opening: EnvironmentSetup; kept: EnvironmentContent } {
  const { clock = "", speed = 0 } = stored.options;
  return {
    opening: { ...opening, clock: { now: Date.parse(clock), speed } },
    kept: { ...stored.kept, assumptions: { ...opening.assumptions, ...stored.kept.assumptions } },
  };
}

function optionsOf(opening: EnvironmentSetup): EnvironmentOptions {
  const { id, dataset, clock, scenarios, profile, assumptions, rateLimit, lifetime } = opening;
  const start = { clock: formatInstant(clock.now), speed: clock.speed };
  if (id === defaultId) return start;
  return {
    ...start,
    fixture: dataset.name,
    scenarios: scenarios.map(({ name }) => name),
    profile,
    assumptions: differences(assume(profile), assumptions),
    rate_limit: rateLimit,
    ttl_seconds: lifetime / 1000,
  };
}

/** Those of the second that are otherwise in the first. */
function differences(from: Assumptions, to: Assumptions): Partial<Assumptions> {
  const entries = Object.entries(to) as [keyof Assumptions, unknown][];
  return Object.fromEntries(entries.filter(([id, value]) => from[id] !== value));
}
