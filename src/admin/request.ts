import type { Request, RequestHandler } from "express";
import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AdminOperation } from "../control/operation.ts";
import { ControlError } from "../errors/control-error.ts";
import { HttpError } from "../errors/http-error.ts";
import { inputLimits, megabyte } from "../bounds/bounds.ts";
import { NumberPrecisionError, measureJson, parseExactJson } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";
import { FileValidationError, formatErrors, ValidationError, createIssue } from "../validation/errors.ts";
import { didYouMean } from "../text/text.ts";
import { readValues, type TextValue } from "../settings/values.ts";

const yamlTypes = new Set(["application/yaml", "text/yaml"]);

/** Creates the handler that reads a body into `request.body`. If `isLarge`, it may be as large as a snapshot. */
export function readBodyText({ yaml }: AdminOperation, isLarge: (request: Request) => boolean): RequestHandler {
  const types = yaml ? "application/json, application/yaml or text/yaml" : "application/json";
  return async (request, _response, next) => {
    if (!hasBody(request)) return next();
    const type = bodyType(request);
    if (type !== "application/json" && !(yaml && yamlTypes.has(type)))
      throw new HttpError("media_type_unsupported", { detail: `Send the body with one Content-Type: ${types}.` });
    if (!isInUtf8(request))
      throw new HttpError("media_type_unsupported", { detail: "Send the body in UTF-8, and not compressed." });
    const bytes = await readBodyBytes(request, isLarge(request) ? inputLimits.snapshotBody : inputLimits.body);
    if (!isUtf8(bytes)) throw bodyMalformed("The body is not UTF-8.");
    request.body = bytes.toString("utf8").replace(/^\uFEFF/, "");
    next();
  };
}

export function mayBeLarge({ body: name }: AdminOperation): boolean {
  return name === "Snapshot" || name === "EnvironmentOptions" || name === "ReplayOptions";
}

/** Reads a body. Rejects with HttpError as soon as the body is over its limit, and discards the rest. */
function readBodyBytes(request: Request, megabytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const limit = megabytes * megabyte;
    const parts: Buffer[] = [];
    const refuse = (): void => {
      parts.length = 0;
      reject(new HttpError("body_too_large", { detail: `This body may have ${megabytes} MB.` }));
    };
    if (Number(request.headers["content-length"] ?? 0) > limit) return refuse();
    let length = 0;
    request.on("data", (part: Buffer) => {
      length += part.length;
      if (length > limit) refuse();
      else parts.push(part);
    });
    request.once("end", () => resolve(Buffer.concat(parts)));
    request.once("error", () => reject(bodyMalformed("The body ends before its headers say.")));
  });
}

function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function bodyType({ headers }: Request): string {
  return (headers["content-type"] ?? "").replace(/;.*/s, "").trim().toLowerCase();
}

function isInUtf8({ headers }: Request): boolean {
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) return false;
  const [, charset = "utf-8"] = /;\s*charset="?([^";\s]*)/i.exec(headers["content-type"] ?? "") ?? [];
  return /^utf-?8$/i.test(charset);
}

/** Returns the body of a call, by default `{}`, or the text of a scenario. Rejects with HttpError for another body. */
export async function parseBody(operation: AdminOperation, request: Request, isLarge: boolean) {
  const content = typeof request.body === "string" ? request.body : "";
  if (operation.yaml && yamlTypes.has(bodyType(request))) return { text: content };
  const body = hasBody(request) ? await parseJson(content, isLarge) : {};
  if (isLarge) await nextTurn();
  if ((operation.body === "EnvironmentOptions" || operation.body === "ReplayOptions") && isMembers(body)) {
    const { snapshot: _, ...rest } = body;
    const text = JSON.stringify(rest);
    if (text.length > inputLimits.body * megabyte) {
      const detail = `Next to a snapshot, this body may have ${inputLimits.body} MB.`;
      throw new HttpError("body_too_large", { detail });
    }
    await parseJson(text, false);
  }
  if (operation.body !== undefined) return { body };
  // Helpers of some languages send `null` for nothing.
  if (body !== null && !(isMembers(body) && Object.keys(body).length === 0))
    throw new HttpError("invalid", { detail: "This call takes no body." });
  return { body: {} };
}

/** Returns the query of an address as it was sent: Express does not parse it here. */
export function parametersIn(url: string): URLSearchParams {
  return new URLSearchParams(url.replace(/[^?]*/, ""));
}

/** Returns the parameters in a query. Throws HttpError for unknown and repeated parameters. */
export function parseQuery({ query: table = {} }: AdminOperation, query: URLSearchParams): object {
  const names = Object.keys(table);
  const errors: string[] = [];
  const textValues: TextValue[] = [];
  for (const name of new Set(query.keys())) {
    const [text = "", repeatedText] = query.getAll(name);
    if (!names.includes(name)) {
      const allNames = ` There ${names.length > 1 ? "are" : "is"} ${names.join(", ")}.`;
      const hint = names.length > 0 ? didYouMean(name, names) || allNames : " It takes none.";
      errors.push(`This call has no such parameter.${hint}`);
    } else if (repeatedText === undefined) {
      textValues.push({ setting: name, text, place: name });
    } else {
      errors.push(`${name} is given more than once.`);
    }
  }
  const values = readValues(table, [textValues], errors);
  if (errors.length > 0) throw new HttpError("parameter_invalid", { detail: formatErrors(errors) });
  return values;
}

/** Parses a body. Rejects with HttpError for malformed JSON, with its position, and for a body over a limit. */
export async function parseJson(content: string, isSnapshot: boolean): Promise<unknown> {
  const maxValues = Math.max(inputLimits.jsonValues, isSnapshot ? content.length * inputLimits.snapshotValues : 0);
  const maxNames = isSnapshot ? inputLimits.jsonNames : Infinity;
  const { values, depth, names = 0 } = measureJson(content, maxValues, inputLimits.jsonDepth, maxNames);
  if (depth > inputLimits.jsonDepth) throw bodyMalformed(`The body is nested more than ${inputLimits.jsonDepth} deep.`);
  if (values > maxValues)
    throw bodyMalformed(`The body has more than ${Math.floor(maxValues).toLocaleString("en")} values.`);
  if (names > maxNames)
    throw bodyMalformed(`The body has more than ${maxNames.toLocaleString("en")} names of members.`);
  // Measuring a large body takes as long as parsing it.
  if (isSnapshot) await nextTurn();
  try {
    return parseExactJson(content);
  } catch (error) {
    const reason = error instanceof NumberPrecisionError ? "has a number that JavaScript cannot hold" : "is not JSON";
    throw bodyMalformed(`The body ${reason}${await formatErrorPosition(content)}.`);
  }
}

/** Adds line and column to errors in a fixture of several lines: `fixture:3:7: …`. Returns other errors unchanged. */
export async function withLines(error: unknown, body: unknown): Promise<unknown> {
  const cause = error instanceof ControlError && error.cause instanceof ValidationError ? error.cause.cause : undefined;
  if (!(cause instanceof FileValidationError) || typeof body !== "string" || !body.trim().includes("\n")) return error;
  const { locateInJson } = await import("../files/located/json.ts");
  const inBody = cause.issues.map((issue) => createIssue(["fixture", ...issue.path], issue.at, () => issue.message));
  const { message } = new FileValidationError(locateInJson(body, "fixture", inBody));
  return new ControlError("invalid", message, { cause });
}

function bodyMalformed(detail: string): HttpError {
  return new HttpError("body_malformed", { detail });
}

/** Formats the position of the first syntax error: `: see line 1, column 8`; empty beyond the searched part. */
async function formatErrorPosition(content: string): Promise<string> {
  const { syntaxErrors } = await import("../files/located/json.ts");
  const text = content.slice(0, inputLimits.searchedText);
  // The end of truncated text is always an error.
  const firstError = syntaxErrors(text).find(({ end }) => text.length === content.length || end < text.length);
  return firstError ? `: see line ${firstError.line}, column ${firstError.column}` : "";
}
