import { hash } from "node:crypto";
import { TimeSlice } from "../bounds/time-slice.ts";

/**
 * Returns headers that stop a browser from running a body as a script on the portal's origin, because any client may
 * have written it. JSON needs no such headers, because browsers never run it.
 */
export function inertHeaders(mediaType: string): Readonly<Record<string, string>> {
  // Browsers read a type only up to a space or bracket, and the last of several after commas.
  return /^[^;,\s()]*[/+]json *(?:;[^,]*)?$/i.test(mediaType) ? {} : inertHeaderValues;
}

const inertHeaderValues = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'",
};

/** Returns the digest of a body, as the journal stores it: the first 16 hexadecimal digits of its SHA-256. */
export function digestOf(body: string | Uint8Array): string {
  return hash("sha256", body).slice(0, 16);
}

const [blank, quote, backslash, comma, colon] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Measures a JSON text without parsing it, up to the first excess over a bound: the nesting of lists and objects; items
 * and members, and one more for every list and object; and with a bound, different names of members, for each of which
 * a parser takes long. For malformed JSON, the size is an estimate.
 */
export function measureJson(text: string, maxValues = Infinity, maxDepth = Infinity, maxNames = Infinity) {
  let [depth, deepest, values] = [0, 0, 1];
  const names = new Set<string>();
  for (let at = 0; at < text.length && values <= maxValues && deepest <= maxDepth && names.size <= maxNames; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const start = at + 1;
        at = endOfString(text, at);
        if (maxNames < Infinity && isName(text, at)) names.add(text.slice(start, at));
        break;
      }
      case comma:
        values++;
        break;
      case openList:
      case openObject:
        values++;
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case closeList:
      case closeObject:
        depth--;
        break;
      default:
    }
  }
  return { depth: deepest, values, ...(maxNames < Infinity && { names: names.size }) };
}

/** Returns true if a string that ends here is the name of a member. */
function isName(text: string, end: number): boolean {
  let after = end + 1;
  while (text.charCodeAt(after) <= blank) after++;
  return text.charCodeAt(after) === colon;
}

/** Parses JSON. Returns undefined for invalid JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number that changes when it is parsed: 1e400 becomes Infinity, 12345678901234567890 another number. */
export class NumberPrecisionError extends SyntaxError {}

export const inexactNumberMessage =
  'JavaScript cannot hold this number; expected one of up to 15 digits, or text in "quotation marks"';

/** Parses JSON. Throws SyntaxError, and NumberPrecisionError. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (findInexactNumber(text) !== -1) throw new NumberPrecisionError(inexactNumberMessage);
  return value;
}

/** Returns the position of the first number in a JSON text that changes when it is parsed; -1 without one. */
export function findInexactNumber(text: string): number {
  const number = /[\d.]+(?:e[+-]?\d+)?/iy;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    if (code < 0x30 || code > 0x39) continue;
    number.lastIndex = at;
    const [literal = ""] = number.exec(text) ?? [];
    if (!isExactNumber(literal)) return at;
    at += literal.length - 1;
  }
  return -1;
}

/** Returns true for a decimal number that loses no digit when it is parsed. */
export function isExactNumber(literal: string): boolean {
  if (literal.length <= 15 && !/e/i.test(literal)) return true;
  const value = Number(literal);
  return Number.isFinite(value) && significant(literal) === significant(String(value));
}

function significant(literal: string): string {
  return literal.replace(/e.*|[-+.]/gis, "").replaceAll(/^0+|0+$/g, "");
}

/** Returns the position of the closing quotation mark; without one, the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (index - before) % 2 === 0;
}

/**
 * Yields the JSON of plain data in pieces, so that other work may run between them: a list or an object that contains
 * lists or objects, or very many items, is formatted item by item. Members stay in order, or are sorted by name.
 */
export function* jsonPieces(value: unknown, isSorted = false): Generator<string> {
  if (!isLarge(value)) return yield JSON.stringify(value, isSorted ? sortMembers : undefined);
  const isList = Array.isArray(value);
  const names = Object.keys(value);
  let before = isList ? "[" : "{";
  for (const name of isSorted && !isList ? names.toSorted() : names) {
    const item = (value as Readonly<Record<string, unknown>>)[name];
    if (item === undefined && !isList) continue;
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* jsonPieces(item ?? null, isSorted);
    before = ",";
  }
  yield (before === "," ? "" : before) + (isList ? "]" : "}");
}

/** Formats plain data as JSON in pieces, and yields to other work between them. */
export async function jsonInSlices(value: unknown, timeSlice = new TimeSlice()): Promise<string> {
  let text = "";
  for (const piece of jsonPieces(value)) {
    text += piece;
    await timeSlice.yieldIfDue();
  }
  return text;
}

/** Puts the members of each object in the order of their names, for `JSON.stringify`. */
function sortMembers(_name: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function isLarge(value: unknown): value is object {
  if (!isObject(value)) return false;
  const items: readonly unknown[] = Object.values(value);
  return items.length > 1000 || items.some(isObject);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Moves the default of a JSON Schema from `x-default`, its words as data, to the description, for readers that show or
 * accept only standard members. Generators of clients require a member with the standard `default`.
 */
export function describeDefault(schema: { description?: string | undefined; "x-default"?: unknown }): void {
  const { description = "", "x-default": words } = schema;
  if (typeof words !== "string") return;
  schema.description = `${description} Default: ${words}.`.trim();
  delete schema["x-default"];
}
