import { errorCatalogue, type ErrorCode } from "./catalogue.ts";

/** One thing that is wrong, in words for a person; never with the text of a key. */
export interface Problem {
  readonly detail: string;
  /** The query parameter, or the header, that is wrong. */
  readonly source?: { readonly parameter: string } | { readonly header: string };
}

/** An answer that is an error of the catalogue. It has no stack: nobody would see it, and it takes longer than the answer. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  /** At least one. */
  readonly problems: readonly Problem[];
  /** Headers that the answer carries beside the usual ones. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, problems: Problem | readonly Problem[], headers: Readonly<Record<string, string>> = {}) {
    const all = "detail" in problems ? [problems] : problems;
    const { stackTraceLimit } = Error;
    // Not assigned: where somebody has frozen Error, that would throw.
    Reflect.set(Error, "stackTraceLimit", 0);
    super(all.map((problem) => problem.detail).join(" "));
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.title = errorCatalogue[code].title;
    this.problems = all;
    this.headers = headers;
  }

  /** What was thrown, as an HttpError: anything unforeseen is an internal error that tells nothing of itself. */
  static from(thrown: unknown): HttpError {
    if (thrown instanceof HttpError) return thrown;
    return new HttpError("internal_error", { detail: "The sandbox failed to answer; its log says why." });
  }
}
