import { median } from "./statistics.js";

/** Formats a table in Markdown: the first column is text, all others are figures. */
export function table(head, rows) {
  const ruler = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [head, ruler, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Formats a figure: with two decimals below 10, one below 100, else none. */
export function figure(value) {
  const places = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: places });
}

/** Formats the median of some figures, with minimum and maximum of several; empty without figures. */
export function withSpread(figures) {
  if (figures.length === 0) return "";
  if (figures.length === 1) return figure(figures[0]);
  return `${figure(median(figures))} (${figure(Math.min(...figures))}–${figure(Math.max(...figures))})`;
}

/** Formats a number such as `100,000`; returns other text unchanged. */
export function count(value) {
  return typeof value === "number" ? value.toLocaleString("en-US") : value;
}
