import type { Request, RequestHandler } from "express";
import { isUtf8 } from "node:buffer";
import type { RequestFilter } from "../control.ts";
import type { AdminOperation } from "../control/operations.ts";
import { HttpError, type Problem } from "../errors/http-error.ts";
import { bounds, megabyte } from "../model/bounds.ts";
import { isMembers } from "../model/members.ts";
import { andMore, Mistake } from "../model/mistakes.ts";
import { didYouMean } from "../model/text.ts";
import { parseJson } from "./json-body.ts";
import { late } from "../model/late.ts";

const bodySchemas = late(() => import("../control/bodies.ts"));
const shapeMistakes = late(() => import("../model/shape-mistakes.ts"));

const yamlTypes = new Set(["application/yaml", "text/yaml"]);

/** Creates the handler that checks the media type of a body and reads its text into `request.body`. */
export function readText({ body: name, yaml }: AdminOperation): RequestHandler {
  const limit = name === "Snapshot" ? bounds.snapshotBody : bounds.body;
  const types = yaml ? "application/json, application/yaml or text/yaml" : "application/json";
  return async (request, response, next) => {
    if (!hasBody(request)) return next();
    const type = mediaType(request);
    if (type !== "application/json" && !(yaml && yamlTypes.has(type))) {
      const detail = `Send the body as ${types}.`;
      throw new HttpError("media_type_unsupported", { detail, source: { header: "Content-Type" } });
    }
    if (!isInUtf8(request)) throw new HttpError("media_type_unsupported", unknownEncoding);
    request.body = decode(await readBytes(request, limit));
    // The body was read to its end, so the connection can stay open.
    response.removeHeader("Connection");
    next();
  };
}

/** Reads a body. Rejects with HttpError as soon as it is known to be over its limit, whatever is still to come. */
function readBytes(request: Request, megabytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const limit = megabytes * megabyte;
    const refuse = (): void =>
      reject(new HttpError("body_too_large", { detail: `This body may have ${megabytes} MB.` }));
    if (Number(request.headers["content-length"] ?? 0) > limit) return refuse();
    const parts: Buffer[] = [];
    let length = 0;
    request.on("data", (part: Buffer) => {
      length += part.length;
      if (length > limit) refuse();
      else parts.push(part);
    });
    request.once("end", () => resolve(Buffer.concat(parts)));
    const endsEarly = { detail: "The body ends before its headers say." };
    request.once("error", () => reject(new HttpError("body_malformed", endsEarly)));
  });
}

function hasBody({ headers }: Pick<Request, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function mediaType({ headers }: Pick<Request, "headers">): string {
  return (headers["content-type"] ?? "").replace(/;.*/s, "").trim().toLowerCase();
}

function isInUtf8({ headers }: Pick<Request, "headers">): boolean {
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) return false;
  const [, charset = "utf-8"] = /;\s*charset="?([^";\s]*)/i.exec(headers["content-type"] ?? "") ?? [];
  return /^utf-?8$/i.test(charset);
}

const unknownEncoding = { detail: "Send the body in UTF-8, and not compressed." };

/** Throws HttpError for bytes that are not UTF-8. */
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new HttpError("body_malformed", { detail: "The body is not UTF-8." });
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

/**
 * Returns the body of a call: a value in the shape that the operation takes, or the text of a scenario file. A missing body
 * counts as `{}`. Throws HttpError with everything that is wrong.
 */
export async function parseBody(
  operation: AdminOperation,
  request: Pick<Request, "headers" | "body">,
): Promise<unknown> {
  const content = typeof request.body === "string" ? request.body : "";
  if (operation.yaml && yamlTypes.has(mediaType(request))) return content;
  return checkShape(operation, hasBody(request) ? await parseJson(content, operation.body === "Snapshot") : {});
}

async function checkShape({ body: name }: AdminOperation, given: unknown): Promise<unknown> {
  if (name === undefined) {
    if (isMembers(given) && Object.keys(given).length === 0) return undefined;
    throw new HttpError("invalid", { detail: "This call takes no body." });
  }
  const [{ bodies }, { parseShape }] = await Promise.all([bodySchemas(), shapeMistakes()]);
  const shape = bodies[name];
  if (!("whole" in shape)) return given;
  try {
    return parseShape(shape.schema, given, shape.whole);
  } catch (error) {
    throw error instanceof Mistake ? new HttpError("invalid", { detail: error.message }) : error;
  }
}

/** Reads digits; `Number` takes `0x10` and `1e3` too. */
const decimal = (text: string): number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);

/** How each parameter of a request filter is read. */
const parameters = {
  path: String,
  status: decimal,
  key_id: String,
  since: String,
  limit: decimal,
} as const satisfies { [Name in keyof Required<RequestFilter>]: (text: string) => string | number };

const names = Object.keys(parameters) as (keyof RequestFilter)[];

/** Returns the request filter in a query. Throws HttpError for unknown and repeated parameters. */
export function parseFilter({ filter: takesFilter }: AdminOperation, query: URLSearchParams): RequestFilter {
  const problems: Problem[] = [];
  const filter: Record<string, string | number> = {};
  for (const name of new Set(query.keys())) {
    const known = takesFilter && names.find((candidate) => candidate === name);
    const [value = "", second] = query.getAll(name);
    const parsed = known && parameters[known](value);
    if (known === undefined) {
      const hint = takesFilter ? didYouMean(name, names) || ` There are ${names.join(", ")}.` : " It takes none.";
      problems.push({ detail: `This call has no such parameter.${hint}` });
    } else if (second !== undefined) {
      problems.push({ detail: `${known} is given more than once.`, source: { parameter: known } });
    } else if (Number.isNaN(parsed) || (value === "" && typeof parsed === "number")) {
      problems.push({ detail: `${known} is a whole number.`, source: { parameter: known } });
    } else if (parsed !== undefined) {
      filter[known] = parsed;
    }
  }
  const more = problems.splice(bounds.mistakes).length;
  if (more > 0) problems.push({ detail: andMore(more) });
  if (problems.length > 0) throw new HttpError("parameter_invalid", problems);
  return filter;
}
