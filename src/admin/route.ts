import { adminOperations, pathsOf, type AdminOperation } from "../control/operations.ts";
import { HttpError } from "../errors/http-error.ts";
import { didYouMean } from "../model/nearest.ts";

/** An operation that a request names, and what its path says. */
export interface Route {
  readonly operation: AdminOperation;
  /** Undefined for the default one. */
  readonly environment: string | undefined;
  /** The id in the path; empty where there is none. */
  readonly id: string;
}

const table = adminOperations.flatMap((operation) =>
  pathsOf(operation).map((path) => ({ operation, segments: path.split("/").slice(1) })),
);

/**
 * The operation of a method and a path below `/__admin`. Paths are exact. Throws HttpError when there is none: what a path
 * has in place of a name is never repeated, for it may be the text of a key.
 */
export function route(method: string, path: string): Route {
  const given = path.split("/").slice(1);
  const found = table.flatMap(({ operation, segments }) => {
    const names = namesIn(segments, given);
    return names ? [{ operation, environment: names["environment"], id: names["id"] ?? "" }] : [];
  });
  if (found.length === 0) throw new HttpError("path_not_found", { detail: noSuchPath(given) });
  const wanted = method === "HEAD" ? "GET" : method;
  const named = found.find(({ operation }) => operation.method === wanted);
  if (named) return named;
  const methods = found.flatMap(({ operation }) => (operation.method === "GET" ? ["GET", "HEAD"] : [operation.method]));
  const detail = `This path takes ${new Intl.ListFormat("en").format(methods)}.`;
  throw new HttpError("method_not_allowed", { detail }, { Allow: methods.join(", ") });
}

/** What a path has in place of the names in braces; undefined when it is not of this form. */
function namesIn(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== given.length) return undefined;
  const names: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const written = given[at] ?? "";
    if (!segment.startsWith("{")) {
      if (segment !== written) return undefined;
      continue;
    }
    const name = decoded(written);
    if (!name) return undefined;
    names[segment.slice(1, -1)] = name;
  }
  return names;
}

/** Undefined for a segment that is encoded wrongly. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function noSuchPath([first = "", , third]: readonly string[]): string {
  const word = first === "environments" && third !== undefined ? third : first;
  const words = new Set(table.flatMap(({ segments }) => segments.slice(0, 1)));
  const hint = words.has(word) ? "" : didYouMean(word, words);
  return `There is no such path in the admin API.${hint} /__admin/openapi.json lists them.`;
}
