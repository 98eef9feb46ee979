import { stringify } from "yaml";
import type { AssumptionId } from "../src/assumptions/catalog.ts";
import type { CalibrationReport, ReportedRow } from "./report.ts";
import { conventional } from "./rows/row.ts";

/**
 * Returns true for a row that the config file gets: one of high or medium confidence. Low confidence means no evidence,
 * so `exec --vary` may vary the row, unless its value is not the convention: then the responses contradict the
 * convention.
 */
export function isPinned([id, { value, confidence }]: readonly [id: string, row: ReportedRow]): boolean {
  return confidence === "low" ? value !== conventional[id as AssumptionId] : confidence !== "none";
}

/**
 * Returns the content of a config file for a report: the members `assume` and `calibrated`, and in YAML the reasons as
 * comments.
 *
 * @param file its name: one that ends in `.json` gets JSON
 * @param again the command that checks the report
 */
export function configText(file: string, report: CalibrationReport, again: string): string {
  const { date, host, requests } = report;
  const rows = Object.entries(report.rows);
  const pinned = rows.filter(isPinned);
  const confidence = Object.fromEntries(pinned.map(([id, row]) => [id, row.confidence]));
  const calibrated = { date, host, confidence };
  if (file.endsWith(".json")) {
    const assume = Object.fromEntries(pinned.map(([id, { value }]) => [id, value]));
    return `${JSON.stringify({ assume, calibrated }, null, 2)}\n`;
  }
  return [
    `# Calibrated ${date} against ${host}, ${requests} requests.`,
    `# Again: ${again}`,
    "",
    pinned.length === 0 ? "assume: {}" : "assume:",
    ...pinned.map(([id, row]) => `  ${id}: ${scalar(row.value)} # ${row.confidence}: ${row.because}`),
    ...rows.filter((row) => !isPinned(row)).map(([id, row]) => `# ${id}: ${reasonOf(row)}`),
    stringify({ calibrated }, { lineWidth: 0 }),
  ].join("\n");
}

function scalar(value: ReportedRow["value"]): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** Why a row is not pinned. */
function reasonOf({ value, confidence, because }: ReportedRow): string {
  if (confidence === "low") return `not pinned, low: ${value}, ${because}`;
  return because.startsWith("unsupported: ") ? because : `open: ${because}`;
}
