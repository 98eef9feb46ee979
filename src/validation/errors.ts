import { inputLimits } from "../bounds/bounds.ts";
import { allOf, clipped, didYouMean, escaped, quoted } from "../text/text.ts";

/** Invalid input from a person. The message gives the error, the expected value and the nearest valid one. */
export class ValidationError extends Error {
  override readonly name = "ValidationError";
}

/** Calls a parser without stack traces, which would cost more than parsing: it creates an Error for every issue. */
export function withoutStacks<Result>(parse: () => Result): Result {
  const { stackTraceLimit } = Error;
  // Uses Reflect.set, because an assignment throws if Error is frozen.
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    return parse();
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of an error of Node, such as ENOENT; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** One error in a file with its position. Lines and columns count from 1. */
export interface FileDiagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line of the file with a caret below the column; or a note, if the line may have the secret of a key. */
  readonly excerpt?: string | undefined;
}

/** Formats an error as `file:line:column: message`, which editors and terminals turn into a link, with its excerpt. */
export function formatDiagnostic({ file, line, column, message, excerpt }: FileDiagnostic): string {
  return `${escaped(file)}:${line}:${column}: ${message}${excerpt === undefined ? "" : `\n${excerpt}`}`;
}

/** Formats the first hundred errors, a line or more for each, and the number of further errors. */
export function formatErrors<Item>(errors: readonly Item[], format: (error: Item) => string = String): string {
  const lines = errors.slice(0, inputLimits.errors).map(format);
  const more = errors.length - lines.length;
  return [...lines, ...(more > 0 ? [andMore(more)] : [])].join("\n");
}

/** Returns `… and 590 more.`, or `… and at least 900 more.` if the search for errors ended early. */
export function andMore(count: number): string {
  const max = inputLimits.foundErrors - inputLimits.errors;
  return `… and ${count < max ? count : `at least ${max}`} more.`;
}

/** Takes errors from a search, up to a maximum number. */
export function takeErrors<Item>(search: Iterable<Item>): Item[] {
  const errors: Item[] = [];
  for (const error of search) if (errors.push(error) >= inputLimits.foundErrors) break;
  return errors;
}

/** All errors in a file. The message lists the first hundred. */
export class FileValidationError extends ValidationError {
  /** The errors, in the order of the file. */
  readonly errors: readonly FileDiagnostic[];
  /** The errors about values, with a path in place of a line. */
  readonly issues: readonly Issue[];

  constructor(errors: readonly FileDiagnostic[], issues: readonly Issue[] = []) {
    const inOrder = errors.toSorted((left, right) => left.line - right.line || left.column - right.column);
    super(formatErrors(inOrder, formatDiagnostic));
    this.errors = inOrder;
    this.issues = issues;
  }
}

/** Well-formed input that conflicts with the state: it names a missing resource, or an existing one as new. */
export class ConflictError extends ValidationError {}

/** An unreadable file: missing, a folder, forbidden, too large. */
export class FileReadError extends Error {
  override readonly name = "FileReadError";
}

export class FileWriteError extends Error {
  override readonly name = "FileWriteError";

  constructor(file: string, cause: unknown) {
    super(`${escaped(file)} cannot be written: ${messageOf(cause)}.`, { cause });
  }
}

/** The names and positions that lead from the top of a file to a value. */
export type Path = readonly (string | number)[];

/** An error or a warning about a value in a file or a document. */
export interface Issue {
  readonly path: Path;
  /** Points at the value or at the member's name; a missing value is reported at its parent. */
  readonly at: "value" | "name";
  /**
   * The error, the expected value and the nearest valid one; never the secret of a key. It is formatted at each read,
   * so read only some of very many issues.
   */
  readonly message: string;
}

/** Creates an issue whose message is formatted when it is read, because only a few of very many issues are read. */
export function createIssue(path: Path, at: Issue["at"], message: () => string): Issue {
  return {
    path,
    at,
    get message() {
      return message();
    },
  };
}

/** Creates an issue about the value at a path. The message begins with the path, or with `whole` if that is empty. */
export function createIssueAt(path: Path, message: string | (() => string), whole?: string): Issue {
  const write = typeof message === "string" ? () => message : message;
  return createIssue(path, "value", () => `${pathText(path, whole)} ${write()}`);
}

/** Creates a warning about a value that the specification does not show; `shown` lists the values that it shows. */
export function notInSpecification(path: Path, value: string, shown: readonly string[]): Issue {
  const message = (): string => `is ${quoted(value)}, which the specification does not show; it shows ${allOf(shown)}.`;
  return createIssueAt(path, () => message() + didYouMean(value, shown));
}

/** Formats a path as `offerings[0].investments[2].amount`, and an empty path as `whole`. */
export function pathText(path: Path, whole = "the whole"): string {
  if (path.length === 0) return whole;
  return path
    .map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${clipped(segment)}`))
    .join("")
    .replace(/^\./, "");
}
