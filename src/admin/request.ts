import { type Request, type Response, text } from "express";
import type { RequestFilter } from "../control.ts";
import { type AdminOperation, adminOperations, pathsOf } from "../control/operations.ts";
import { HttpError, type Problem } from "../errors/http-error.ts";
import { isMembers } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { didYouMean } from "../model/text.ts";

/** The body of a call, when it has the shape that the call takes. Throws HttpError with all that is wrong. */
async function checkShape({ body: name }: AdminOperation, given: unknown): Promise<unknown> {
  if (name === undefined) {
    if (isMembers(given) && Object.keys(given).length === 0) return undefined;
    throw new HttpError("invalid", { detail: "This call takes no body." });
  }
  const [{ bodies }, { parseShape }] = await Promise.all([
    import("../control/bodies.ts"),
    import("../model/shape-mistakes.ts"),
  ]);
  const shape = bodies[name];
  if (!("whole" in shape)) return given;
  try {
    return parseShape(shape.schema, given, shape.whole);
  } catch (error) {
    throw error instanceof Mistake ? new HttpError("invalid", { detail: error.message }) : error;
  }
}

/** Deeper than anything that means something, and far from what overflows the stack. */
const deepest = 100;

/** Reads JSON. Throws HttpError, with the position, for what is none, and for what is nested too deeply. */
async function parseJson(text: string): Promise<unknown> {
  const value = await parsed(text);
  if (!isDeeperThan(deepest, value)) return value;
  throw new HttpError("body_malformed", { detail: `The body is nested more than ${deepest} deep.` });
}

async function parsed(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError("body_malformed", { detail: `The body is no JSON${await where(text)}.` });
  }
}

/** Where a text stops being JSON; nothing where it is nested too deeply to tell. */
async function where(text: string): Promise<string> {
  const { visit } = await import("jsonc-parser");
  const places: string[] = [];
  try {
    visit(
      text,
      {
        onError: (_code, _offset, _length, line, character) => places.push(`line ${line + 1}, column ${character + 1}`),
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return places[0] === undefined ? "" : `: see ${places[0]}`;
}

function isDeeperThan(most: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((part) => isDeeperThan(most - 1, part));
}

const megabyte = 1024 * 1024;

/** The largest body, and the largest snapshot, which may have any number of changes in it. */
const largest = { usual: 5 * megabyte, snapshot: 64 * megabyte };

const readers = {
  usual: text({ limit: largest.usual, type: () => true }),
  snapshot: text({ limit: largest.snapshot, type: () => true }),
};

const yamlTypes = new Set(["application/yaml", "text/yaml"]);

/**
 * The body of a call: a value of the shape that the call takes, or the text of a scenario file. None at all is the same as
 * one without members. Throws HttpError for a body that will not do.
 */
export async function readBody(operation: AdminOperation, request: Request, response: Response): Promise<unknown> {
  const { "content-length": length = "0", "transfer-encoding": chunked, "content-type": type = "" } = request.headers;
  const mediaType = type.replace(/;.*/s, "").trim().toLowerCase();
  const isYaml = operation.yaml === true && yamlTypes.has(mediaType);
  if (chunked === undefined && Number(length) === 0) return isYaml ? "" : checkShape(operation, {});
  if (!isYaml && mediaType !== "application/json") {
    const types = operation.yaml ? "application/json, application/yaml or text/yaml" : "application/json";
    const detail = `Send the body as ${types}.`;
    throw new HttpError("media_type_unsupported", { detail, source: { header: "Content-Type" } });
  }
  const size = operation.body === "Snapshot" ? "snapshot" : "usual";
  const content = await readText(size, request, response);
  // The body was read to its end, so the connection can go on.
  response.removeHeader("Connection");
  return isYaml ? content : checkShape(operation, await parseJson(content));
}

async function readText(size: keyof typeof readers, request: Request, response: Response): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    readers[size](request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(refusal(error, size)),
    );
  });
  return (request.body as string | undefined) ?? "";
}

/** Why a body could not be read; what is no fault of the body stays what it is. */
function refusal(error: unknown, size: keyof typeof largest): unknown {
  const { status } = error as { readonly status?: number };
  const mostMegabytes = largest[size] / megabyte;
  if (status === 413) return new HttpError("body_too_large", { detail: `This body may have ${mostMegabytes} MB.` });
  if (status === 415) {
    return new HttpError("media_type_unsupported", { detail: "The body's character set or encoding is unknown." });
  }
  if (status === 400) return new HttpError("body_malformed", { detail: "The body is not as its headers say." });
  return error;
}

/** The members of a request filter, with how their values are read. */
const readersOfReadFilter = {
  path: String,
  status: Number,
  key_id: String,
  since: String,
  limit: Number,
} as const satisfies { [Name in keyof Required<RequestFilter>]: (text: string) => string | number };

const names = Object.keys(readersOfReadFilter) as (keyof RequestFilter)[];

/** The request filter in the query of a call. Throws HttpError for a parameter that the call does not have, or has twice. */
export function readFilter({ filtered }: AdminOperation, query: URLSearchParams): RequestFilter {
  const problems: Problem[] = [];
  const filter: Record<string, string | number> = {};
  for (const name of new Set(query.keys())) {
    const known = filtered ? names.find((candidate) => candidate === name) : undefined;
    const [text = "", second] = query.getAll(name);
    const value = known && readersOfReadFilter[known](text);
    if (known === undefined) {
      const hint = filtered ? didYouMean(name, names) || ` There are ${names.join(", ")}.` : " It takes none.";
      problems.push({ detail: `This call has no such parameter.${hint}` });
    } else if (second !== undefined) {
      problems.push({ detail: `${known} is given more than once.`, source: { parameter: known } });
    } else if (Number.isNaN(value) || (text === "" && typeof value === "number")) {
      problems.push({ detail: `${known} is a whole number.`, source: { parameter: known } });
    } else if (value !== undefined) {
      filter[known] = value;
    }
  }
  if (problems.length > 0) throw new HttpError("parameter_invalid", problems);
  return filter;
}

/** An operation that a request names, and what its path says. */
interface Route {
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
