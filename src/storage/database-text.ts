import { crc32 } from "node:zlib";
import type { EnvironmentDocument } from "../environment/environment-content.ts";

/** The stored environments by their ids, in the order in which they were opened. */
export type StoredEnvironments = Map<string, EnvironmentDocument>;

/** An environment that was opened or changed, or the id of a dropped one. */
export type StoredChange = { readonly environment: EnvironmentDocument } | { readonly dropped: string };

/** A text, and the checksum from which the checksum of the next line goes on. */
interface Checked {
  readonly text: string;
  readonly checksum: number;
}

const formatName = "offering-sandbox-db";
const version = 3;
const damaged = "is damaged, or was edited by hand";
const documentEnd = "\n]}\n";
const lineStart = `{"checksum":`;

/** A JSON document, whose first line names the format and holds the checksum of its other lines. */
export function documentText(stored: StoredEnvironments): Checked {
  const lines = Array.from(stored.values(), (environment) => JSON.stringify(environment));
  const body = `"environments":[\n${lines.join(",\n")}${documentEnd}`;
  const checksum = crc32(body);
  return { text: `${JSON.stringify({ format: formatName, version, checksum }).slice(0, -1)},\n${body}`, checksum };
}

/** A line of JSON for each change, to follow a text with this checksum. */
export function changesText(changes: readonly StoredChange[], follows: number): Checked {
  let checksum = follows;
  const lines = changes.map((change) => {
    const rest = JSON.stringify(change).slice(1);
    checksum = crc32(rest, checksum);
    return `${lineStart}${checksum},${rest}\n`;
  });
  return { text: lines.join(""), checksum };
}

/** The text of a database, read. */
interface ReadDatabase {
  readonly stored: StoredEnvironments;
  /** Whether the last line was cut off, and is left out. */
  readonly isCutOff: boolean;
}

/** Reads a document and the changes after it. Returns the reason, as a clause, if the text is no database. */
export function readDatabase(text: string): ReadDatabase | string {
  if (text.trim() === "") return "is empty, and no database of offering-sandbox";
  const start = text.indexOf("\n") + 1;
  const header = parseHeader(text.slice(0, Math.max(start - 1, 0)));
  if (header?.format !== formatName) {
    return text.startsWith(`{"format":"${formatName}"`) ? damaged : "is no database of offering-sandbox";
  }
  if (header.version !== version)
    return "was written by a version of offering-sandbox with another format, which opens it still";
  const last = text.indexOf(documentEnd, start);
  const end = last === -1 ? text.length : last + documentEnd.length;
  const checksum = crc32(text.slice(start, end));
  const read = readChanges(text.slice(end), checksum);
  if (header.checksum !== checksum || read === undefined) return damaged;
  const { environments } = JSON.parse(text.slice(0, end)) as { readonly environments: unknown };
  if (!Array.isArray(environments)) return "keeps no list of environments";
  const stored: StoredEnvironments = new Map();
  for (const one of environments as readonly (EnvironmentDocument | null)[]) {
    if (!one || stored.has(one.id)) return "keeps no environment, or one twice, in its list";
    stored.set(one.id, one);
  }
  for (const change of read.changes) {
    if ("dropped" in change) stored.delete(change.dropped);
    else stored.set(change.environment.id, change.environment);
  }
  return { stored, isCutOff: read.isCutOff };
}

/** The object of the header goes on in the second line. */
function parseHeader(line: string): { format?: unknown; version?: unknown; checksum?: unknown } | undefined {
  try {
    return JSON.parse(`${line.replace(/,\r?$/, "")}}`) as object;
  } catch {
    return undefined;
  }
}

/**
 * Returns undefined if a line is damaged. A last one that was cut off belongs to a write that never succeeded; a power cut
 * may leave zeros in its place.
 */
function readChanges(
  text: string,
  follows: number,
): { readonly changes: readonly StoredChange[]; readonly isCutOff: boolean } | undefined {
  const written = text.replace(/\0+$/, "");
  const lines = written.split("\n");
  let checksum = follows;
  const changes: StoredChange[] = [];
  for (const [nth, line] of lines.entries()) {
    const isLast = nth === lines.length - 1;
    const [, expected, rest = ""] = /^\{"checksum":(\d+),(.*)$/s.exec(line) ?? [];
    checksum = crc32(rest, checksum);
    if (Number(expected) !== checksum) {
      if (!isLast || !lineStart.startsWith(line.slice(0, lineStart.length))) return undefined;
      return { changes, isCutOff: line !== "" || written !== text };
    }
    changes.push(JSON.parse(`{${rest}`) as StoredChange);
  }
  return { changes, isCutOff: false };
}
