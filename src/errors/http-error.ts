import type { AssumptionValue } from "../assumptions/catalog.ts";
import { errorTemplates, fillTemplate } from "../assumptions/template.ts";
import { errorCatalog, type ErrorCode } from "../model/error-catalog.ts";
import { ControlError } from "./control-error.ts";

/** One error in a request, described for a person without the secret of a key. */
export interface Problem {
  readonly detail: string;
  /** The detail for log and journal, which may say more than the response, but never has the secret of a key. */
  readonly hint?: string;
  /** The invalid query parameter or header. */
  readonly source?: { readonly parameter: string } | { readonly header: string };
}

/**
 * An error of the catalog. It has no stack, because no response or log shows one, and a stack costs more than a
 * response.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  /** The problems, at least one. */
  readonly problems: readonly Problem[];
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    problems: Problem | readonly Problem[],
    headers: Readonly<Record<string, string>> = {},
    status: number = errorCatalog[code].status,
  ) {
    const problemList = "detail" in problems ? [problems] : problems;
    const { stackTraceLimit } = Error;
    // Uses Reflect.set, because an assignment throws if Error is frozen.
    Reflect.set(Error, "stackTraceLimit", 0);
    super(problemList.map((problem) => problem.detail).join(" "));
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
    this.code = code;
    this.status = status;
    this.title = errorCatalog[code].title;
    this.problems = problemList;
    this.headers = headers;
  }

  /** Converts anything thrown to an HttpError. An unexpected error reveals no details. */
  static from(thrown: unknown): HttpError {
    if (thrown instanceof HttpError) return thrown;
    if (thrown instanceof ControlError) {
      const headers = thrown.code === "storage_unavailable" ? { "Retry-After": "1" } : {};
      return new HttpError(thrown.code, { detail: thrown.message }, headers);
    }
    return new HttpError("internal_error", { detail: "The sandbox failed to respond; its log says why." });
  }
}

/** Formats the body of every error. `json` is the media type of the shapes without their own. */
export function serializeError(error: HttpError, shape: AssumptionValue<"errors.body">, json: string) {
  const { status, code, title, message, problems } = error;
  switch (shape) {
    case "empty":
      return { contentType: undefined, text: "" };
    case "message":
      return { contentType: json, text: JSON.stringify({ message }) };
    case "problem": {
      const problem = { type: "about:blank", title, status, detail: message, code };
      return { contentType: "application/problem+json", text: JSON.stringify(problem) };
    }
    case "jsonapi": {
      const errors = problems.map(({ detail, source }) => ({ status: String(status), code, title, detail, source }));
      return { contentType: json, text: JSON.stringify({ errors }) };
    }
    default: {
      const [parameter] = problems.flatMap(({ source }) => (source && "parameter" in source ? source.parameter : []));
      const body = fillTemplate(errorTemplates.parse(shape), { status, code, title, detail: message, parameter });
      return { contentType: json, text: JSON.stringify(body) };
    }
  }
}
