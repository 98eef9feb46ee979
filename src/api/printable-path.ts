import { parseIsoDate } from "../model/instant.ts";
import { hidden } from "../model/plain-secrets.ts";
import { isUuid } from "../model/uuid.ts";
import type { Query } from "./parameters.ts";
import { isWord } from "./word.ts";

/** How many characters of a path are shown, and how many parameters. */
const [longest, most] = [300, 20];

/** A path and query of which words, ids, numbers and dates are shown, and nothing else. */
export function printablePath(path: string, query: Query | undefined): string {
  const segments = path.slice(0, longest).split("/");
  // What is left of a segment that is cut could be most of a secret.
  if (path.length > longest) segments[segments.length - 1] = hidden;
  const shown = segments.map((segment) => (isPlain(segment) ? segment : hidden)).join("/");
  if (query === undefined) return shown;
  const parts = query
    .slice(0, most)
    .map(([name, value]) => `${isWord(name) ? name : hidden}=${isPlainValue(value) ? value : hidden}`);
  return `${shown}?${parts.join("&")}`;
}

function isPlain(segment: string): boolean {
  return isUuid(segment) || isWord(segment) || segment === "v1";
}

function isPlainValue(text: string): boolean {
  return /^-?\d{0,9}$/.test(text) || parseIsoDate(text) !== undefined;
}
