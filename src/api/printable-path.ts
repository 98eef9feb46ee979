import { isUuid } from "../model/uuid.ts";
import { parseIsoDate } from "../model/instant.ts";
import type { Target } from "./query.ts";

/** What stands for a part of a path or query that could be somebody's secret. */
const hidden = "…";

/**
 * The path and query of a request without anything that could be a key: words, ids, numbers and dates only, and none of
 * those that `isSecret` knows for a key.
 */
export function printablePath({ path, query }: Target, isSecret: (text: string) => boolean): string {
  const shownPath = path
    .slice(0, longest)
    .split("/")
    .map((segment) => (isPlain(segment) && !isSecret(segment) ? segment : hidden))
    .join("/");
  if (query === undefined) return shownPath;
  const parts = query
    .slice(0, most)
    .map(
      ([name, value]) =>
        `${isWord(name) && !isSecret(name) ? name : hidden}=${isPlainValue(value) && !isSecret(value) ? value : hidden}`,
    );
  return `${shownPath}?${parts.join("&")}`;
}

/** How many characters of a path are shown, and how many parameters. */
const [longest, most] = [300, 20];

function isPlain(segment: string): boolean {
  return isUuid(segment) || isWord(segment) || segment === "v1";
}

function isWord(text: string): boolean {
  return /^[a-z_.\-[\]]{0,24}$/i.test(text);
}

function isPlainValue(text: string): boolean {
  return /^-?\d{0,9}$/.test(text) || parseIsoDate(text) !== undefined;
}
