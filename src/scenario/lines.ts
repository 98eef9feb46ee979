const lineBreak = /\r\n|\r|\n/g;

/** The lines of a text, to find where a character stands. */
export class Lines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#lines = text.split(lineBreak);
    this.#starts = [0, ...Array.from(text.matchAll(lineBreak), (found) => found.index + found[0].length)];
  }

  /** The line of the character at an offset, what stands in it, and the column. Lines and columns count from 1. */
  at(offset: number): { readonly line: number; readonly column: number; readonly text: string } {
    let [from, to] = [0, this.#starts.length - 1];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) from = middle;
      else to = middle - 1;
    }
    const text = this.#lines[from] ?? "";
    return { line: from + 1, column: Math.min(offset - (this.#starts[from] ?? 0), text.length) + 1, text };
  }
}
