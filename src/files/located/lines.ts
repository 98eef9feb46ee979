import { prefixLength } from "../../model/order.ts";

const lineBreak = /\r\n|\r|\n/g;

/** The lines of a file, with which the position of a character is found. */
export class Lines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#lines = text.split(lineBreak);
    this.#starts = [0, ...Array.from(text.matchAll(lineBreak), ({ index, 0: { length } }) => index + length)];
  }

  /** Finds the line and column of the character at an offset, counted from 1, and the text of the line. */
  at(offset: number): { readonly line: number; readonly column: number; readonly text: string } {
    const line = prefixLength(this.#starts, (lineStart) => lineStart <= offset);
    const text = this.#lines[line - 1] ?? "";
    return { line, column: Math.min(offset - (this.#starts[line - 1] ?? 0), text.length) + 1, text };
  }
}
