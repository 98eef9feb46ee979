/** Invalid input from a person. The message gives the mistake, the expected value and the nearest valid one. */
export class Mistake extends Error {
  override readonly name = "Mistake";
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
  /** The line of the file with a caret below the column; undefined if the line may hold the text of a key. */
  readonly excerpt?: string | undefined;
}

/** Writes a mistake as `file:line:column: message`, which editors and terminals turn into a link, and its excerpt. */
export function mistakeLine({ file, line, column, message, excerpt }: FileMistake): string {
  return `${file}:${line}:${column}: ${message}${excerpt === undefined ? "" : `\n${excerpt}`}`;
}

const maxListedMistakes = 100;

/** All mistakes in a file from a person. The message lists the first hundred. */
export class FileMistakes extends Mistake {
  /** In the order of the file. */
  readonly mistakes: readonly FileMistake[];

  constructor(mistakes: readonly FileMistake[]) {
    const inOrder = mistakes.toSorted((one, other) => one.line - other.line || one.column - other.column);
    const lines = inOrder.slice(0, maxListedMistakes).map(mistakeLine);
    if (inOrder.length > maxListedMistakes) lines.push(`… and ${inOrder.length - maxListedMistakes} more.`);
    super(lines.join("\n"));
    this.mistakes = inOrder;
  }
}

/** Well-formed input that conflicts with the state: it names a missing thing, or one that exists already. */
export class Impossible extends Mistake {}

/** A file that cannot be read: missing, a folder, forbidden, too large. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

export class UnwritableFile extends Error {
  override readonly name = "UnwritableFile";

  constructor(file: string, cause: unknown) {
    super(`${file} cannot be written: ${messageOf(cause)}.`, { cause });
  }
}
