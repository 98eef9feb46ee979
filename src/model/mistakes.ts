/** Something a person gave us is wrong: the message says what, what is expected, and the nearest valid thing. */
export class Mistake extends Error {
  override readonly name = "Mistake";
}

/** One mistake in a file, where it stands. Lines and columns count from 1. */
export interface FileMistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What was wrong, what was expected, the nearest valid thing. */
  readonly message: string;
  /** The line of the file, and below it a caret under the column; undefined where the line may hold the text of a key. */
  readonly excerpt?: string | undefined;
}

/** A mistake as text: a line of a form that editors and terminals make a link of, and the excerpt where there is one. */
export function mistakeLine({ file, line, column, message, excerpt }: FileMistake): string {
  return `${file}:${line}:${column}: ${message}${excerpt === undefined ? "" : `\n${excerpt}`}`;
}

/** Everything that is wrong with a file that a person gave us. Its message lists the first hundred mistakes. */
export class FileMistakes extends Mistake {
  /** In the order of the file. */
  readonly mistakes: readonly FileMistake[];

  constructor(mistakes: readonly FileMistake[]) {
    const inOrder = mistakes.toSorted((one, other) => one.line - other.line || one.column - other.column);
    const lines = inOrder.slice(0, mostListed).map(mistakeLine);
    if (inOrder.length > mostListed) lines.push(`… and ${inOrder.length - mostListed} more.`);
    super(lines.join("\n"));
    this.mistakes = inOrder;
  }
}

const mostListed = 100;

/** What is asked for is well formed, but the state does not admit it: what it names is not there, or is there already. */
export class Impossible extends Mistake {}

/** A file that could not be read at all: missing, a folder, forbidden, too large. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** A file that could not be written. */
export class UnwritableFile extends Error {
  override readonly name = "UnwritableFile";

  constructor(file: string, cause: unknown) {
    super(`${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}
