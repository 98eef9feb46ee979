import { inputLimits } from "../bounds/bounds.ts";
import type { Finding } from "./finding.ts";
import { escaped } from "../text/text.ts";

/** Invalid input from a person. The message gives the mistake, the expected value and the nearest valid one. */
export class Mistake extends Error {
  override readonly name = "Mistake";
}

/**
 * Calls a parser without stack traces: it creates an error for every mistake, and traces would cost more than parsing.
 */
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
  /** The mistake, the expected value and the nearest valid one. */
  readonly message: string;
  /**
   * The line of the file with a caret below the column; or, if it may hold the secret of a key, a note that says so.
   */
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

/**
 * Well-formed input that conflicts with the state: it names a missing resource, or an existing one instead of a new
 * one.
 */
export class Impossible extends Mistake {}

/** An unreadable file: missing, a folder, forbidden, too large. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

export class UnwritableFile extends Error {
  override readonly name = "UnwritableFile";

  constructor(file: string, cause: unknown) {
    super(`${escaped(file)} cannot be written: ${messageOf(cause)}.`, { cause });
  }
}
