/** How much of a long line is shown. */
const width = 100;

/** A line of a file, or what is around a column of it, with a caret under the column. Undefined for an empty line. */
export function excerpt(line: string, column: number): string | undefined {
  if (line.trim() === "") return undefined;
  const printable = line.trimEnd().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  const from = column > width ? column - Math.floor(width / 2) : 0;
  return `    ${printable.slice(from, from + width)}\n    ${" ".repeat(column - 1 - from)}^`;
}
