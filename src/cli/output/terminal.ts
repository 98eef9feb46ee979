import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { escaped } from "../../text/text.ts";

/*
 * All output to a terminal goes through this module, because strings from outside may contain characters that move the
 * cursor, change colors or reverse the direction of writing. Such characters are printed as escapes of JSON, such as
 * \u001b, so printed JSON retains its meaning.
 */

const escape = "\u001b";

/** Marks escape sequences of `style` for `terminalText`. Random, so that no string from outside contains it. */
const mark = `${escape}${Math.random().toString(36).slice(2)}`;

const { stdout, env } = process;
const colored = stdout.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";

/** Colors a string if stdout is a terminal with colors and NO_COLOR is not set. */
export function style(format: Parameters<typeof styleText>[0], text: string): string {
  return colored ? styleText(format, text).replaceAll(escape, mark) : text;
}

/** Makes every escape sequence in lines visible, except those of `style`. */
function terminalText(lines: string): string {
  const safe = escaped(lines, "lines");
  return colored ? safe.replaceAll(escaped(mark, "lines"), escape) : safe;
}

export function isTerminal(stream: Writable & { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

/** Prints lines to stdout. */
export function print(lines: string): void {
  process.stdout.write(`${terminalText(lines)}\n`);
}

/** Prints a value as JSON, null for undefined. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value ?? null, null, 2));
}

/** Prints lines to stderr. */
export function printError(lines: string): void {
  process.stderr.write(`${terminalText(lines)}\n`);
}

/** Shows progress on stderr. On a terminal, each line replaces the previous line, and the last line stays. */
export function printProgress(line: string, isLast: boolean): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${terminalText(line)}${isLast ? "\n" : ""}`);
  else printError(line);
}

/** Writes lines in order, once per turn of the event loop: a write per request would cost more than the request. */
export function lineWriter(stream: Writable): (line: string) => void {
  let unwritten = "";
  const flush = (): void => {
    stream.write(unwritten);
    unwritten = "";
  };
  return (line) => {
    if (unwritten === "") setImmediate(flush);
    unwritten += `${terminalText(line)}\n`;
  };
}
