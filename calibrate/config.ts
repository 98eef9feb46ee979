import { stringify } from "yaml";
import type { AssumptionId } from "../src/assumptions/catalog.ts";
import type { CalibrationReport, ReportedRow } from "./report.ts";
import { conventionalValues } from "./rows/row.ts";

/**
 * Returns true for a row that is written to the config file: a row of high or medium confidence. Low confidence means
 * no evidence, so `exec --vary` may vary the row, unless its value is not the conventional value: then the responses
 * contradict the conventional value.
 */
export function isPinned([id, { value, confidence }]: readonly [id: string, row: ReportedRow]): boolean {
  return confidence === "low" ? value !== conventionalValues[id as AssumptionId] : confidence !== "none";
}

/** Returns true if the service behaves in a way that no value of the row describes. */
export function isUnsupported({ unsupported }: CalibrationReport, id: string): boolean {
  return unsupported.some(({ row }) => row === id);
}

/**
 * Formats the content of a config file for a report: the members `assume` and `calibrated`, and in YAML the reasons as
 * comments.
 *
 * @param file the name of the config file: a name that ends in `.json` gets JSON
 * @param checkCommand the command that checks the report
 */
export function formatConfig(file: string, report: CalibrationReport, checkCommand: string): string {
  const { date, host, requests } = report;
  const rows = Object.entries(report.rows);
  const pinnedRows = rows.filter(isPinned);
  const confidence = Object.fromEntries(pinnedRows.map(([id, row]) => [id, row.confidence]));
  const calibrated = { date, host, confidence };
  if (file.endsWith(".json")) {
    const assume = Object.fromEntries(pinnedRows.map(([id, { value }]) => [id, value]));
    return `${JSON.stringify({ assume, calibrated }, null, 2)}\n`;
  }
  return [
    `# Calibrated ${date} against ${host}, ${requests} requests.`,
    `# Again: ${checkCommand}`,
    "",
    pinnedRows.length === 0 ? "assume: {}" : "assume:",
    ...pinnedRows.map(([id, row]) => `  ${id}: ${formatScalar(row.value)} # ${row.confidence}: ${row.because}`),
    ...rows
      .filter((row) => !isPinned(row))
      .map(([id, row]) => `# ${id}: ${isUnsupported(report, id) ? row.because : formatReason(row)}`),
    stringify({ calibrated }, { lineWidth: 0 }),
  ].join("\n");
}

function formatScalar(value: ReportedRow["value"]): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** Formats the reason why a row with a conventional or an undetermined value is not pinned. */
function formatReason({ value, confidence, because }: ReportedRow): string {
  return confidence === "low" ? `not pinned, low: ${value}, ${because}` : `undetermined: ${because}`;
}
