import type { ClockReading, RunDescription, StoppedRun } from "../../public/control.ts";
import { ValidationError } from "../../validation/errors.ts";
import { escaped } from "../../text/text.ts";
import { style } from "./terminal.ts";

/** Aligns the columns of rows, without spaces at the end of a line. Cells may come from outside: they are escaped. */
export function alignColumns(cells: readonly (readonly string[])[]): string[] {
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

/** Formats rows below a heading. Cells may come from outside: they are escaped. */
export function formatTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first = "", ...lines] = alignColumns([heading, ...rows]);
  return [style("dim", first), ...lines].join("\n");
}

/** Aligns the first rows, and adds the number of the others, of `all` rows. */
export function formatFirstRows(rows: readonly (readonly string[])[], all: number): string[] {
  const more = all - rows.length;
  return more > 0 ? [...alignColumns(rows), style("dim", `… and ${more} more`)] : alignColumns(rows);
}

/** East Asian characters and pictures take two columns; combining marks take no column. */
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const narrow = /\p{Mark}/u;

/** Returns the width of a string in terminal columns. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : narrow.test(character) ? 0 : 1;
  return width;
}

/** Cuts a string to a width, with an ellipsis at the end. It may come from outside: it is escaped. */
export function fitLine(text: string, width: number): string {
  const line = escaped(text);
  if (widthOf(line) <= width) return line;
  let [shownText, usedWidth] = ["", 1];
  for (const character of line) {
    usedWidth += widthOf(character);
    if (usedWidth > width) break;
    shownText += character;
  }
  return `${shownText}…`;
}

/** The columns of the terminal; 80 if unknown. */
export const terminalWidth = process.stdout.columns || 80;

/** The width of wrapped output: the width of the terminal, at most 100 columns. */
export const textWidth = Math.min(terminalWidth, 100);

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Joins sections with an empty line between two sections. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  return sections.map((lines) => lines.join("\n")).join("\n\n");
}

/** Wraps words, separated by any space, to a width. A word longer than the width gets its own line. */
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

/** Formats a clock: `2026-01-15T12:00:00.000Z, paused`. */
export function formatClock({ now, speed }: ClockReading): string {
  const pace = speed === 1 ? "real time" : `${speed} times real time`;
  return `${now}, ${speed === 0 ? "paused" : pace}`;
}

/** Formats a stopped run with the reason: `closing (run-1) stopped: …`. */
export function formatStoppedRun({ id, scenario, problem }: StoppedRun): string {
  return escaped(`${scenario} (${id}) stopped: ${problem}`);
}

/** Formats the next repetition of each run: `2026-01-18T13:45:00.000Z  live-demo (run-1) continues`. */
export function formatUpcoming(runs: readonly RunDescription[]): string[] {
  return runs.flatMap(({ id, scenario, next_repetition_date: date }) =>
    date === null ? [] : [`${date}  ${scenario} (${id}) continues`],
  );
}

/** The names of errors whose message is enough. */
const expectedErrors = new Set(["FileReadError", "FileWriteError", "DatabaseError", "ListenError", "ControlError"]);

/** Formats an error. Only an unexpected error includes its stack. */
export function formatError(error: unknown): string {
  if (error instanceof ValidationError) return error.message;
  if (error instanceof Error && expectedErrors.has(error.name)) return error.message;
  if (error instanceof Error && error.name === "ConnectionError")
    return `${error.message} To start a sandbox: npx offering-sandbox`;
  const stack = error instanceof Error ? error.stack : String(error);
  return `offering-sandbox failed because of a bug in it:\n${stack}`;
}
