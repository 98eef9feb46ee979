import { Mistake } from "./mistake.ts";

/** One mistake in a file, where it stands. Lines and columns count from 1. */
export interface FileMistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What was wrong, what was expected, the nearest valid thing. */
  readonly message: string;
}

/** Everything that is wrong with a file that a person gave us, one mistake a line: `file:line:column: message`. */
export class FileMistakes extends Mistake {
  readonly mistakes: readonly FileMistake[];
  /** How many there are in all: more than are listed, when the file is full of them. */
  readonly total: number;

  constructor(mistakes: readonly FileMistake[], total: number = mistakes.length) {
    const lines = mistakes.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
    if (total > mistakes.length) lines.push(`… and ${total - mistakes.length} more.`);
    super(lines.join("\n"));
    this.mistakes = mistakes;
    this.total = total;
  }
}
