import { prefixLength } from "../../model/order.ts";
import type { Position } from "./located.ts";

const lineBreak = /\r\n|\r|\n/g;

/** The lines of a text, to find the position of a character. */
export class Lines {
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#lines = text.split(lineBreak);
    this.#starts = [0, ...Array.from(text.matchAll(lineBreak), ({ index, 0: { length } }) => index + length)];
  }

  /** The line and column of the character at an offset, counted from 1, and the text of the line. */
  at(offset: number): Position & { readonly text: string } {
    const line = prefixLength(this.#starts, (lineStart) => lineStart <= offset);
    const text = this.#lines[line - 1] ?? "";
    return { line, column: Math.min(offset - (this.#starts[line - 1] ?? 0), text.length) + 1, text };
  }
}

/** The number of characters shown of a long line. */
const excerptWidth = 100;

/** Returns a line of a file, or a part of it, with a caret under the column; undefined for an empty line. */
export function excerpt(line: string, column: number): string | undefined {
  if (line.trim() === "") return undefined;
  const from = column > excerptWidth ? column - Math.floor(excerptWidth / 2) : 0;
  const visible = line.slice(from, from + excerptWidth).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  return `    ${visible.trimEnd()}\n    ${" ".repeat(column - 1 - from)}^`;
}
