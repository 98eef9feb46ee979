/** Formats rows as text, each column as wide as its widest cell, numbers aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(written))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const aligned = (text: string, column: number): string => {
    const width = widths[column] ?? 0;
    return typeof rows[0]?.[column] === "number" ? text.padStart(width) : text.padEnd(width);
  };
  return lines.map((line) => line.map(aligned).join("   ").trimEnd()).join("\n");
}

function written(cell: string | number): string {
  return typeof cell === "string" ? cell : cell.toLocaleString("en", { maximumFractionDigits: 2 });
}
