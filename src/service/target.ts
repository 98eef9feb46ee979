import { HttpError } from "../errors/http-error.ts";
import { basePath, type Operation, operations, type ParameterName } from "../model/operations.ts";
import {
  decodeOnce,
  encodeQuery,
  hidden,
  isSecretName,
  looksRandom,
  looksSecret,
  randomParts,
} from "../secrets/secrets.ts";
import { nearest } from "../text/text.ts";
import type { QueryParameter } from "./parameters.ts";

/** Decoded parameters of a request, in the order sent. */
type Query = readonly (readonly [name: string, value: string])[];

/** Limits of a printed path: characters, and parameters. */
const [shownCharacters, shownParameters] = [300, 20];

/** Formats a path and query as a URL, in ASCII. Segments, names and values that may be secrets become `…`. */
export function redactedPath(path: string, query: Query | undefined): string {
  const isShownAsSent = /^[!-~]*$/.test(path) && decodeOnce(path) === path;
  const segments = path
    .slice(0, shownCharacters)
    .split("/")
    .map((segment) => {
      const text = decodeOnce(segment);
      // A slash that is part of a segment would look like another segment.
      if (text.includes("/") || looksSecret(text)) return hidden;
      return isShownAsSent ? text : encodeForPrint(text);
    });
  // A clipped segment could still be most of a secret.
  if (path.length > shownCharacters) segments[segments.length - 1] = hidden;
  // A key may have slashes. Several segments may each have an id.
  const isKey = looksRandom(segments.join("/"), 12);
  const shownPath = segments.map((segment) => (isKey && randomParts(segment).length > 0 ? hidden : segment)).join("/");
  if (query === undefined) return shownPath;
  const parts = query.slice(0, shownParameters).map(([name, value]) => {
    const isSecret = isSecretName(name) || looksSecret(value);
    return `${looksSecret(name) ? hidden : encodeForPrint(name)}=${isSecret ? hidden : encodeForPrint(value)}`;
  });
  if (query.length > shownParameters) parts.push(hidden);
  return `${shownPath}?${parts.join("&")}`;
}

/** Encodes a string so that a secret in it has one of the forms that `Secrets` finds. */
function encodeForPrint(text: string): string {
  let decodedText = text;
  for (let next = decodeOnce(text); next !== decodedText; next = decodeOnce(decodedText)) decodedText = next;
  return encodeQuery(decodedText === text ? text : encodeURIComponent(decodedText));
}

/** The operation of a path, and the id in it, as written and in lower case. */
interface Route {
  readonly operation: Operation;
  readonly id: string;
  readonly lowerCaseId: string;
}

const byPath = new Map(operations.map((operation) => [operation.path, operation]));

/** Finds the operation of a path below the base address. Paths are exact (section 4). */
function findRoute(path: string): Route | undefined {
  const start = path.indexOf("/", 1) + 1;
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const operation = byPath.get(`${path.slice(0, start)}:id${path.slice(end)}`);
  if (!operation || end === start) return undefined;
  const id = path.slice(start, end);
  return { operation, id, lowerCaseId: id.toLowerCase() };
}

/** Returns the path of section 4 that is nearest to a path. */
export function nearestPath(path: string): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  const shape = `/${segments.map((segment, index) => (index === 1 ? ":id" : segment)).join("/")}`;
  return nearest(shape, byPath.keys());
}

/** The parsed target of a request to the service. */
export interface Target {
  /** The path below the base address. */
  readonly path: string;
  readonly route: Route | undefined;
  readonly queryParameters: readonly QueryParameter[];
  /** Hints about the other parameters. */
  readonly hints: readonly string[];
  /** The target from the origin, without secrets; a secret that looks like a word, id, number or date stays. */
  readonly redactedText: string;
}

/** Limits of the cache: targets, and characters of a target. */
const [cachedTargets, cachedLength] = [512, 300];

/** Caches the results of a parser: clients repeat their requests. */
function cacheTargets(parse: (text: string) => Target): (text: string) => Target {
  const targets = new Map<string, Target>();
  return (text) => {
    const cachedTarget = targets.get(text);
    if (cachedTarget) return cachedTarget;
    const target = parse(text);
    if (text.length > cachedLength) return target;
    if (targets.size === cachedTargets) targets.clear();
    targets.set(text, target);
    return target;
  };
}

/** Parses the target of a request to the service. */
export const parseTarget = cacheTargets((text) => {
  const { path: fullPath, query } = splitTarget(text);
  const path = decodeSegments(fullPath.slice(basePath.length));
  const foundRoute = findRoute(path);
  const known = foundRoute?.operation.parameters ?? [];
  return {
    path,
    route: foundRoute,
    queryParameters: selectParameters(known, query ?? []),
    hints: foundRoute ? parameterHints(known, query ?? []) : [],
    redactedText: redactedPath(fullPath, query),
  };
});

/** Returns the named parameters in a query. Names are literal; others are ignored (section 4). */
function selectParameters(names: readonly ParameterName[], query: Query): readonly QueryParameter[] {
  return names
    .map((name) => ({ name, rawValues: query.filter(([sentName]) => sentName === name).map(([, value]) => value) }))
    .filter(({ rawValues }) => rawValues.length > 0);
}

/** Returns a hint at the likely name of each unknown parameter. Repeats only what looks like a name. */
function parameterHints(names: readonly ParameterName[], query: Query): readonly string[] {
  const known: readonly string[] = names;
  const unknownNames = new Set(query.map(([name]) => name).filter((name) => !known.includes(name)));
  const hints = [...unknownNames].slice(0, 5).map((name) => {
    const candidate = nearest(name, known);
    const shown = /^[\w.\-[\]]{1,40}$/.test(name) && !looksSecret(name) ? ` ${name}` : "";
    return `unknown parameter${shown}${candidate === undefined ? "" : `, did you mean ${candidate}?`}`;
  });
  return [...new Set(hints)];
}

/** Decodes the segments of a path. A segment that is malformed, or would contain a slash, stays as it is. */
function decodeSegments(path: string): string {
  if (!path.includes("%")) return path;
  const segments = path.split("/").map((segment) => {
    try {
      const text = decodeURIComponent(segment);
      return text.includes("/") ? segment : text;
    } catch {
      return segment;
    }
  });
  return segments.join("/");
}

/** The paths at which the service responds. */
export const servicePaths = new RegExp(`^${basePath}(?:/|$)`);

export function strayError(): HttpError {
  return new HttpError("path_not_found", { detail: `There is no such path. The API begins at ${basePath}.` });
}

/** Parses a target outside the service. */
export const parseStrayTarget = cacheTargets((text) => {
  const { path, query } = splitTarget(text);
  const nearestServicePath = path
    .split("/")
    .flatMap((_, index, segments) => nearestPath(segments.slice(index).join("/")) ?? [])[0];
  const question = nearestServicePath === undefined ? "" : `, did you mean ${basePath}${nearestServicePath}?`;
  const hints = [`unknown path: the API begins at ${basePath}${question}`];
  return { path, route: undefined, queryParameters: [], hints, redactedText: redactedPath(path, query) };
});

/** Formats any target without secrets, like `Target.redactedText`. */
export function redactedTarget(text: string): string {
  const { path, query } = splitTarget(text);
  return redactedPath(path, query);
}

function splitTarget(text: string): { readonly path: string; readonly query: Query | undefined } {
  const queryStart = text.indexOf("?");
  if (queryStart === -1) return { path: text, query: undefined };
  return { path: text.slice(0, queryStart), query: [...new URLSearchParams(text.slice(queryStart + 1))] };
}
