import { inputLimits } from "../bounds/bounds.ts";
import { allOf, clipped, didYouMean, escaped, quoted } from "../text/text.ts";

/** Invalid input from a person. The message gives the mistake, the expected value and the nearest valid one. */
export class Mistake extends Error {
  override readonly name = "Mistake";
}

/** Calls a parser without stack traces, which would cost more than parsing: it creates an error for every mistake. */
export function withoutStacks<Result>(parse: () => Result): Result {
  const { stackTraceLimit } = Error;
  // Reflect.set, since an assignment throws if Error is frozen.
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

/** One mistake in a file with its position. Lines and columns count from 1. */
export interface FileMistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line of the file with a caret below the column; or a note, if it may hold the secret of a key. */
  readonly excerpt?: string | undefined;
}

/** Writes a mistake as `file:line:column: message`, which editors and terminals turn into a link, and its excerpt. */
export function mistakeLine({ file, line, column, message, excerpt }: FileMistake): string {
  return `${escaped(file)}:${line}:${column}: ${message}${excerpt === undefined ? "" : `\n${excerpt}`}`;
}

/** Writes the first hundred mistakes, a line or more for each, and the number of further ones. */
export function listed<Of>(mistakes: readonly Of[], write: (mistake: Of) => string = String): string {
  const lines = mistakes.slice(0, inputLimits.mistakes).map(write);
  const more = mistakes.length - lines.length;
  return [...lines, ...(more > 0 ? [andMore(more)] : [])].join("\n");
}

/** `… and 590 more.`, or `… and at least 900 more.` where a search for mistakes ends early. */
export function andMore(count: number): string {
  const max = inputLimits.foundMistakes - inputLimits.mistakes;
  return `… and ${count < max ? count : `at least ${max}`} more.`;
}

/** Takes mistakes from a search until there are too many to look for more. */
export function firstFound<Of>(search: Iterable<Of>): Of[] {
  const found: Of[] = [];
  for (const mistake of search) if (found.push(mistake) >= inputLimits.foundMistakes) break;
  return found;
}

/** All mistakes in a file from a person. The message lists the first hundred. */
export class FileMistakes extends Mistake {
  /** The mistakes, in the order of the file. */
  readonly mistakes: readonly FileMistake[];
  /** The mistakes about values, with a path in place of a line. */
  readonly findings: readonly Finding[];

  constructor(mistakes: readonly FileMistake[], findings: readonly Finding[] = []) {
    const inOrder = mistakes.toSorted((one, other) => one.line - other.line || one.column - other.column);
    super(listed(inOrder, mistakeLine));
    this.mistakes = inOrder;
    this.findings = findings;
  }
}

/** Well-formed input that conflicts with the state: it names a missing resource, or an existing one as new. */
export class ConflictError extends Mistake {}

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

/** A mistake or a warning about a value in a file or a document. */
export interface Finding {
  readonly path: Path;
  /** Points at the value or at the member's name; a missing value is reported at its parent. */
  readonly at: "value" | "name";
  /**
   * The mistake, the expected value and the nearest valid one; never the secret of a key. It is written at each read,
   * so of very many findings, read only some.
   */
  readonly message: string;
}

/** Creates a finding whose message is only written when it is read, because of very many findings few are read. */
export function finding(path: Path, at: Finding["at"], message: () => string): Finding {
  return {
    path,
    at,
    get message() {
      return message();
    },
  };
}

/** Creates a finding about the value at a path. The message begins with the path, or with `whole` if that is empty. */
export function findingAt(path: Path, message: string | (() => string), whole?: string): Finding {
  const write = typeof message === "string" ? () => message : message;
  return finding(path, "value", () => `${pathText(path, whole)} ${write()}`);
}

/** Creates a warning about a value that the specification does not show; `shown` lists the values that it shows. */
export function notInSpecification(path: Path, value: string, shown: readonly string[]): Finding {
  const message = (): string => `is ${quoted(value)}, which the specification does not show; it shows ${allOf(shown)}.`;
  return findingAt(path, () => message() + didYouMean(value, shown));
}

/** Writes a path as `offerings[0].investments[2].amount`, and an empty path as the text in `whole`. */
export function pathText(path: Path, whole = "the whole"): string {
  if (path.length === 0) return whole;
  return path
    .map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${clipped(segment)}`))
    .join("")
    .replace(/^\./, "");
}
