/**
 * Writes rows with equal members as CSV (RFC 4180), after a line with the names of the members: `formatCsv(requests)`.
 * A list is `signed; paid`. The byte order mark makes spreadsheets read UTF-8. `isBegin` is false for rows that
 * continue a file.
 */
export function formatCsv(rows: readonly object[], isBegin = true): string {
  const lines = rows.map((row) => formatLine(Object.values(row)));
  return (isBegin ? `\uFEFF${formatLine(Object.keys(rows[0] ?? {}))}` : "") + lines.join("");
}

function formatLine(values: readonly unknown[]): string {
  return `${values.map(formatCell).join(",")}\r\n`;
}

function formatCell(value: unknown): string {
  if (typeof value === "number") return String(value);
  const content: unknown = Array.isArray(value) ? value.join("; ") : (value ?? "");
  const text = typeof content === "string" ? content : JSON.stringify(content);
  // A spreadsheet would calculate a cell that begins like a formula.
  const safeText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}
