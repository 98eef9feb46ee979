import { crc32 } from "node:zlib";
import type { StoredEnvironment } from "./stored-environment.ts";

const format = "offering-sandbox-db";
const version = 1;

/** What a database holds. */
export interface Stored {
  readonly environments: readonly StoredEnvironment[];
}

const texts = new WeakMap<StoredEnvironment, string>();

/** A database as text: JSON, the first line of which says what it is and holds the checksum of the others. */
export function formatDatabase({ environments }: Stored): string {
  const body = `"environments":[\n${environments.map(textOf).join(",\n")}\n]}\n`;
  return `${JSON.stringify({ format, version, checksum: crc32(body) }).slice(0, -1)},\n${body}`;
}

/** What the text of a database says. Throws an Error whose message is a clause that says what is wrong with the file. */
export function parseDatabase(text: string): Stored {
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
