import { isUuid } from "../model/uuid.ts";
import { parseIsoDate } from "../model/instant.ts";
import type { Target } from "./query.ts";
import type { Route } from "./route.ts";

/** What stands for a part of a path or query that could be somebody's secret. */
const hidden = "…";

/**
 * The path and query of a request without anything that could be a key: words, ids, numbers and dates only, and none of
 * those that `isSecret` knows for a key. `route` is the operation that the path names, if it does.
 */
export function printablePath({ path, query }: Target, isSecret: (text: string) => boolean, route?: Route): string {
  const shownPath = isOurs(route) && !isSecret(route.id) ? path : shownSegments(path, isSecret);
  if (query === undefined) return shownPath;
  const parts = query
    .slice(0, most)
    .map(
      ([name, value]) =>
        `${isWord(name) && !isSecret(name) ? name : hidden}=${isPlainValue(value) && !isSecret(value) ? value : hidden}`,
    );
  return `${shownPath}?${parts.join("&")}`;
}

/** True for a path that has nothing in it but an operation's own words and an id. */
function isOurs(route: Route | undefined): route is Route {
  return route !== undefined && isUuid(route.id);
}

function shownSegments(path: string, isSecret: (text: string) => boolean): string {
  return path
    .slice(0, longest)
    .split("/")
    .map((segment) => (isPlain(segment) && !isSecret(segment) ? segment : hidden))
    .join("/");
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
