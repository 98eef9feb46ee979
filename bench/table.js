import { median } from "./statistics.js";

/** A table in Markdown. The first column is text, the others are figures. */
export function table(head, rows) {
  const ruler = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [head, ruler, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A figure with two or three significant places. */
export function figure(value) {
  const places = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: places });
}

/** The median of some figures, with the least and the greatest if there are several; empty if there are none. */
export function withSpread(figures) {
  if (figures.length === 0) return "";
  if (figures.length === 1) return figure(figures[0]);
  return `${figure(median(figures))} (${figure(Math.min(...figures))}–${figure(Math.max(...figures))})`;
}

/** A number of things, such as `100,000`; other text as it is. */
export function count(value) {
  return typeof value === "number" ? value.toLocaleString("en-US") : value;
}
