import { parseIsoDate } from "../model/instant.ts";
import { type Operation, operations } from "../model/operations.ts";
import { hidden } from "../model/plain-secrets.ts";
import { isUuid, isWord, nearest } from "../model/text.ts";
import { type GivenParameter, givenParameters, parameterHints, type Query } from "./parameters.ts";

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

/** An operation that a path names, and the id in it, as written and in lower case. */
interface Route {
  readonly operation: Operation;
  readonly id: string;
  readonly lowerCaseId: string;
}

const byPath = new Map(operations.map((operation) => [operation.path, operation]));

/** The operation that a path below the base address names; undefined when none does. Paths are exact (section 4). */
function route(path: string): Route | undefined {
  const start = path.indexOf("/", 1) + 1;
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const operation = byPath.get(`${path.slice(0, start)}:id${path.slice(end)}`);
  if (!operation || end === start) return undefined;
  const id = path.slice(start, end);
  return { operation, id, lowerCaseId: id.toLowerCase() };
}

/** The path of section 4 that a person most likely meant. */
export function nearestPath(path: string): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  const shape = `/${segments.map((segment, at) => (at === 1 ? ":id" : segment)).join("/")}`;
  return nearest(
    shape,
    operations.map((operation) => operation.path),
  );
}

/** The target of a request to the service, read. */
export interface Target {
  /** Below the base address. */
  readonly path: string;
  readonly route: Route | undefined;
  /** The parameters of its operation that it gives. */
  readonly given: readonly GivenParameter[];
  /** What a developer may want to know of the others. */
  readonly hints: readonly string[];
  /** From the origin on, without anything that could be a secret, unless it looks like a word, id, number or date. */
  readonly printable: string;
}

/** How many targets are kept read, and how many characters one may have to be among them. */
const [mostOfTarget, longestOfTarget] = [512, 300];

/** Reads targets, each once while it is kept: who asks at all asks for the same again. */
export class Targets {
  readonly #basePath: string;
  readonly #kept = new Map<string, Target>();

  /** `basePath` is where the API begins: `/api/v1`. */
  constructor(basePath: string) {
    this.#basePath = basePath;
  }

  /** As `readTarget`. */
  read(text: string): Target {
    const known = this.#kept.get(text);
    if (known) return known;
    const target = readTarget(text, this.#basePath);
    if (text.length > longestOfTarget) return target;
    if (this.#kept.size === mostOfTarget) this.#kept.clear();
    this.#kept.set(text, target);
    return target;
  }
}

/** Reads the target of a request to the service, which begins at `basePath`. */
export function readTarget(text: string, basePath: string): Target {
  const { path: whole, query } = takeApart(text);
  const path = whole.slice(basePath.length);
  const found = route(path);
  const known = found?.operation.parameters ?? [];
  return {
    path,
    route: found,
    given: givenParameters(known, query ?? []),
    hints: found ? parameterHints(known, query ?? []) : [],
    printable: printablePath(whole, query),
  };
}

/** A target of whatever it is, as `printable` is one of the service. */
export function printableTarget(text: string): string {
  const { path, query } = takeApart(text);
  return printablePath(path, query);
}

function takeApart(text: string): { readonly path: string; readonly query: Query | undefined } {
  const at = text.indexOf("?");
  if (at === -1) return { path: text, query: undefined };
  return { path: text.slice(0, at), query: [...new URLSearchParams(text.slice(at + 1))] };
}
