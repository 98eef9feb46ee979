import { HttpError } from "../errors/http-error.ts";
import { basePath, type Operation, operations, type ParameterName } from "../model/operations.ts";
import { decodedOnce, encoded, hidden, isSecretName, looksRandom, looksSecret, oddParts } from "../secrets/secrets.ts";
import { nearest } from "../text/text.ts";
import type { GivenParameter } from "./parameters.ts";

/** Decoded parameters of a request, in the order sent. */
type Query = readonly (readonly [name: string, value: string])[];

/** Limits of a printed path: characters, and parameters. */
const [shownCharacters, shownParameters] = [300, 20];

/** Prints a path and query as a URL, in ASCII. Segments, names and values that may be secrets become `…`. */
export function redactedPath(path: string, query: Query | undefined): string {
  const isShownAsSent = /^[!-~]*$/.test(path) && decodedOnce(path) === path;
  const segments = path
    .slice(0, shownCharacters)
    .split("/")
    .map((segment) => {
      const text = decodedOnce(segment);
      // A slash that is part of a segment would look like another segment.
      if (text.includes("/") || looksSecret(text)) return hidden;
      return isShownAsSent ? text : printed(text);
    });
  // A clipped segment could still be most of a secret.
  if (path.length > shownCharacters) segments[segments.length - 1] = hidden;
  // A key may have slashes. Several segments may each have an id.
  const isKey = looksRandom(segments.join("/"), 12);
  const shown = segments.map((segment) => (isKey && oddParts(segment).length > 0 ? hidden : segment)).join("/");
  if (query === undefined) return shown;
  const parts = query.slice(0, shownParameters).map(([name, value]) => {
    const isSecret = isSecretName(name) || looksSecret(value);
    return `${looksSecret(name) ? hidden : printed(name)}=${isSecret ? hidden : printed(value)}`;
  });
  if (query.length > shownParameters) parts.push(hidden);
  return `${shown}?${parts.join("&")}`;
}

/** Encodes a text so that a secret in it has one of the forms for which `Secrets` looks. */
function printed(text: string): string {
  let plain = text;
  for (let next = decodedOnce(text); next !== plain; next = decodedOnce(plain)) plain = next;
  return encoded(plain === text ? text : encodeURIComponent(plain));
}

/** The operation of a path, and the id in it, as written and in lower case. */
interface Route {
  readonly operation: Operation;
  readonly id: string;
  readonly lowerCaseId: string;
}

const byPath = new Map(operations.map((operation) => [operation.path, operation]));

/** Finds the operation of a path below the base address. Paths are exact (section 4). */
function route(path: string): Route | undefined {
  const start = path.indexOf("/", 1) + 1;
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const operation = byPath.get(`${path.slice(0, start)}:id${path.slice(end)}`);
  if (!operation || end === start) return undefined;
  const id = path.slice(start, end);
  return { operation, id, lowerCaseId: id.toLowerCase() };
}

/** Returns the most likely intended path of section 4. */
export function nearestPath(path: string): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  const shape = `/${segments.map((segment, at) => (at === 1 ? ":id" : segment)).join("/")}`;
  return nearest(shape, byPath.keys());
}

/** The parsed target of a request to the service. */
export interface Target {
  /** The path below the base address. */
  readonly path: string;
  readonly route: Route | undefined;
  readonly given: readonly GivenParameter[];
  /** Hints about the other parameters. */
  readonly hints: readonly string[];
  /** The target from the origin, without secrets, unless one looks like a word, id, number or date. */
  readonly redacted: string;
}

/** Limits of the cache: targets, and characters of a target. */
const [cachedTargets, cachedLength] = [512, 300];

/** Caches the results of a parser: clients repeat their requests. */
function cached(parse: (text: string) => Target): (text: string) => Target {
  const targets = new Map<string, Target>();
  return (text) => {
    const known = targets.get(text);
    if (known) return known;
    const target = parse(text);
    if (text.length > cachedLength) return target;
    if (targets.size === cachedTargets) targets.clear();
    targets.set(text, target);
    return target;
  };
}

/** Parses the target of a request to the service. */
export const parseTarget = cached((text) => {
  const { path: whole, query } = takeApart(text);
  const path = decoded(whole.slice(basePath.length));
  const found = route(path);
  const known = found?.operation.parameters ?? [];
  return {
    path,
    route: found,
    given: givenParameters(known, query ?? []),
    hints: found ? parameterHints(known, query ?? []) : [],
    redacted: redactedPath(whole, query),
  };
});

/** Returns the named parameters in a query. Names are literal; others are ignored (section 4). */
function givenParameters(names: readonly ParameterName[], query: Query): readonly GivenParameter[] {
  return names
    .map((name) => ({ name, texts: query.filter(([other]) => other === name).map(([, text]) => text) }))
    .filter(({ texts }) => texts.length > 0);
}

/** Hints at the likely name of each unknown parameter; repeats only name-like texts. */
function parameterHints(names: readonly ParameterName[], query: Query): readonly string[] {
  const known: readonly string[] = names;
  const strangers = new Set(query.map(([name]) => name).filter((name) => !known.includes(name)));
  const hints = [...strangers].slice(0, 5).map((name) => {
    const candidate = nearest(name, known);
    const shown = /^[\w.\-[\]]{1,40}$/.test(name) && !looksSecret(name) ? ` ${name}` : "";
    return `unknown parameter${shown}${candidate === undefined ? "" : `, did you mean ${candidate}?`}`;
  });
  return [...new Set(hints)];
}

/** Decodes the segments of a path. One that is malformed, or has a slash in it, stays as it is. */
function decoded(path: string): string {
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
export const parseStrayTarget = cached((text) => {
  const { path, query } = takeApart(text);
  const near = path.split("/").flatMap((_, at, segments) => nearestPath(segments.slice(at).join("/")) ?? [])[0];
  const meant = near === undefined ? "" : `, did you mean ${basePath}${near}?`;
  const hints = [`unknown path: the API begins at ${basePath}${meant}`];
  return { path, route: undefined, given: [], hints, redacted: redactedPath(path, query) };
});

/** Prints any target without secrets, as `Target.redacted`. */
export function redactedTarget(text: string): string {
  const { path, query } = takeApart(text);
  return redactedPath(path, query);
}

function takeApart(text: string): { readonly path: string; readonly query: Query | undefined } {
  const at = text.indexOf("?");
  if (at === -1) return { path: text, query: undefined };
  return { path: text.slice(0, at), query: [...new URLSearchParams(text.slice(at + 1))] };
}
