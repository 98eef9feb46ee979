import { inputLimits } from "../bounds/bounds.ts";
import { hidden, issuedForm, looksSecret } from "../secrets/secrets.ts";

/** Returns true for the name of a shipped fixture or scenario; a file has a dot or a slash. */
export function isName(nameOrFile: string): boolean {
  return /^[\w-]{1,100}$/.test(nameOrFile);
}

/** Returns an unknown name for a message; describes it if it may be a secret pasted in the wrong place. */
export function shownName(name: string): string {
  return /^[\w.-]{1,32}$/.test(name) && !/^sandbox_/i.test(name) && !looksSecret(name) ? `"${name}"` : "of this name";
}

/** Clips a string from outside for a message, and removes keys of the issued form. */
export function clipped(text: string): string {
  return (text.length > inputLimits.quoted ? `${text.slice(0, inputLimits.quoted)}…` : text).replace(
    issuedForm,
    hidden,
  );
}

/** Quotes a string from outside for a message: clipped, on one line, without what looks like a key. */
export function quoted(text: string): string {
  return JSON.stringify(looksSecret(text.slice(0, 2 * inputLimits.quoted)) ? hidden : clipped(text));
}

/** Describes a value from outside for a message. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (Number.isNaN(value)) return "not a number";
  if (typeof value === "number" && !Number.isFinite(value)) return "beyond the range of numbers";
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint" || typeof value === "symbol") return `a ${typeof value}`;
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

/** Describes a value from outside that no message may show. */
export function describeType(value: unknown): string {
  if (typeof value === "string") return "text";
  return typeof value === "number" && Number.isFinite(value) ? "a number" : describeValue(value);
}

/** Control characters, marks of writing direction, and line separators. */
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Writes characters that control a terminal as JSON does: `\u001b`. With `lines`, line breaks stay. */
export function escaped(text: string, kind: "line" | "lines" = "line"): string {
  return text.replace(unprintable, (character) =>
    character === "\n" && kind === "lines" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Copies plain data; every string becomes one printable line. */
export function escapedData<Data>(data: Data): Data {
  if (data === undefined) return data;
  return JSON.parse(JSON.stringify(data), (_name, value: unknown) =>
    typeof value === "string" ? escaped(value) : value,
  ) as Data;
}

export const labelExpected = 'a line of up to 200 characters, without the text of a key, and not "." or ".."';

/** Returns true for a possible label: a line that fits into a path, without invisible characters and issued keys. */
export function isLabel(text: string): boolean {
  return (
    text.search(unprintable) === -1 && text.search(issuedForm) === -1 && /^(?!\.\.?$)\P{Surrogate}{1,200}$/u.test(text)
  );
}

/** Converts a string from outside to a label: one clipped line without keys of the issued form. */
export function asLabel(text: string, length = 200): string {
  return Array.from(
    text
      .slice(0, 400)
      .replace(unprintable, " ")
      .replace(/\p{Surrogate}/gu, " ")
      .replace(issuedForm, hidden),
  )
    .slice(0, length)
    .join("");
}

/** Returns a label that begins with a string from outside. */
export function labelOf(text: string, rest: string): string {
  return `${asLabel(text, 190 - rest.length)} ${rest}`;
}

/** The bounds on the cost of hostile input: longer words are not typing errors, and few lists are longer. */
const [maxWordLength, maxCells] = [64, 30_000];

/**
 * Returns the candidate most likely meant by `word`, or undefined if none is near: up to a third of its letters may be
 * wrong, missing, extra or swapped with a neighbor. Of very many candidates, compares only the first ones.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let minDistance = Infinity;
  let cells = 0;
  const start = word.slice(0, maxWordLength).toLowerCase();
  for (const candidate of candidates) {
    if (++cells > maxCells) break;
    const maxDistance = Math.min(Math.max(1, Math.floor(candidate.length / 3)), minDistance - 1);
    if (Math.abs(candidate.length - start.length) > maxDistance) continue;
    const { distance, rows } = editDistance(start, candidate.toLowerCase(), maxDistance);
    cells += rows * candidate.length;
    if (distance <= maxDistance) {
      best = candidate;
      minDistance = distance;
    }
  }
  return best;
}

/** Returns ` Did you mean "port"?`, or an empty string if no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? "" : ` Did you mean "${candidate}"?`;
}

/** Formats members, the status first: `status succeeded, paid amount 2,500, no step`. */
export function formatMembers(object: object): string {
  return Object.entries(object)
    .toSorted(([left], [right]) => Number(right === "status") - Number(left === "status"))
    .map(([member, value]) => {
      const name = member.replaceAll("_", " ");
      return value === null ? `no ${name}` : `${name} ${formatMember(value)}`;
    })
    .join(", ");
}

function formatMember(value: unknown): string {
  if (typeof value === "number") return value.toLocaleString("en", { maximumFractionDigits: 20 });
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Formats a number of things: `1 change`, `1,000 changes`. */
export function formatCount(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Joins items to a list: `a, b and c`. */
export function allOf(items: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(items);
}

/** Joins items to a choice: `a, b or c`. */
export function either(alternatives: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(alternatives);
}

/** Returns the distance, or Infinity once it is certainly above the maximum, and the number of computed rows. */
function editDistance(from: string, to: string, max: number): { readonly distance: number; readonly rows: number } {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  let leastOfLast = 0;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
      if (distance < least) least = distance;
    }
    // A swap of neighbors leads from the row before at a cost of one.
    if (least > max && leastOfLast >= max) return { distance: Infinity, rows: row };
    [beforeLast, last, leastOfLast] = [last, current, least];
  }
  return { distance: last[to.length] ?? 0, rows: from.length };
}

/** Returns true for a UUID in either case (section 2). */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
