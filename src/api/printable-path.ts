import { isUuid } from "../model/uuid.ts";
import { parseIsoDate } from "../model/instant.ts";

/** What stands for a part of a path or query that could be somebody's secret. */
const hidden = "…";

/**
 * The path and query of a request without anything that could be a key: words, ids, numbers and dates only, and none of
 * those that `isSecret` knows for a key.
 */
export function printablePath(url: string, isSecret: (text: string) => boolean): string {
  const [path = "", query] = url.split("?", 2);
  const shownPath = path
    .slice(0, longest)
    .split("/")
    .map((segment) => (isPlain(segment) && !isSecret(segment) ? segment : hidden))
    .join("/");
  if (query === undefined) return shownPath;
  const parts = [...new URLSearchParams(query.slice(0, longest))].map(
    ([name, value]) =>
      `${isWord(name) && !isSecret(name) ? name : hidden}=${isPlainValue(value) && !isSecret(value) ? value : hidden}`,
  );
  return `${shownPath}?${parts.join("&")}`;
}

const longest = 300;

function isPlain(segment: string): boolean {
  return isUuid(segment) || isWord(segment) || segment === "v1";
}

function isWord(text: string): boolean {
  return /^[a-z_.\-[\]]{0,24}$/i.test(text);
}

function isPlainValue(text: string): boolean {
  return /^-?\d{0,9}$/.test(text) || parseIsoDate(text) !== undefined;
}
