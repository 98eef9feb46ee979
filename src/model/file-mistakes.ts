import { Mistake } from "./mistake.ts";

/** One mistake in a file, where it stands. Lines and columns count from 1. */
export interface FileMistake {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** What was wrong, what was expected, the nearest valid thing. */
  readonly message: string;
}

/** A mistake as a line of text, of a form that editors and terminals make a link of. */
export function mistakeLine({ file, line, column, message }: FileMistake): string {
  return `${file}:${line}:${column}: ${message}`;
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
