import type { ClockReading, RunDescription, StoppedRun } from "../../public/control.ts";
import { ValidationError } from "../../validation/errors.ts";
import { formatCount as count, escaped } from "../../text/text.ts";
import { style } from "./terminal.ts";

/** Aligns the columns of rows, without spaces at the end of a line. The texts may come from outside. */
export function columns(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map((cell) => escaped(cell)));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - widthOf(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** Writes rows below a heading. Their texts may come from outside. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = "", ...lines] = columns([heading, ...rows]);
  return [style("dim", first), ...lines].join("\n");
}

/** Aligns the first of `all` rows, and counts the others below. */
export function firstRows(rows: readonly (readonly string[])[], all: number): string[] {
  const more = all - rows.length;
  return more > 0 ? [...columns(rows), style("dim", `… and ${more} more`)] : columns(rows);
}

/** Characters of East Asia and pictures, which take two columns; marks, which take none. */
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const narrow = /\p{Mark}/u;

/** Width of a text in terminal columns. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : narrow.test(character) ? 0 : 1;
  return width;
}

/** A text on one line of a width, cut off with an ellipsis if it is longer. It may come from outside. */
export function fitted(text: string, width: number): string {
  const line = escaped(text);
  if (widthOf(line) <= width) return line;
  let [kept, used] = ["", 1];
  for (const character of line) {
    used += widthOf(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Columns of the terminal; 80 if unknown. */
export const terminalWidth = process.stdout.columns || 80;

/** Width of texts: the terminal's, at most 100 columns. */
export const textWidth = Math.min(terminalWidth, 100);

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Joins sections with an empty line between two of them. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  return sections.map((lines) => lines.join("\n")).join("\n\n");
}

/** Wraps a text between words, whatever space is between them; a word longer than the width gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** `2026-01-15T12:00:00.000Z, paused` */
export function clockReading({ now, speed }: ClockReading): string {
  const pace = speed === 1 ? "real time" : `${speed} times real time`;
  return `${now}, ${speed === 0 ? "paused" : pace}`;
}

/** `closing (run-1) stopped: …`, the reason last. */
export function stoppedRun({ id, scenario, problem }: StoppedRun): string {
  return escaped(`${scenario} (${id}) stopped: ${problem}`);
}

/** `2026-01-18T13:45:00.000Z  live-demo (run-1) goes on`, for a repetition that has no changes on the timeline yet. */
export function upcomingLines(runs: readonly RunDescription[]): string[] {
  return runs.flatMap(({ id, scenario, next_repetition_date: date }) =>
    date === null ? [] : [`${date}  ${scenario} (${id}) goes on`],
  );
}

/** Names of errors whose message can be printed as it is. */
const foreseen = new Set(["FileReadError", "FileWriteError", "DatabaseError", "ListenError", "ControlError"]);

/** The text of an error for people; only an unforeseen error includes its stack. */
export function explain(error: unknown): string {
  if (error instanceof ValidationError) return error.message;
  if (error instanceof Error && foreseen.has(error.name)) return error.message;
  if (error instanceof Error && error.name === "ConnectionError")
    return `${error.message} Start one: npx offering-sandbox`;
  const stack = error instanceof Error ? error.stack : String(error);
  return `offering-sandbox failed because of a bug in it:\n${stack}`;
}

export { count };
