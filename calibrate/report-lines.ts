import { style } from "../src/cli/output/terminal.ts";
import { textWidth, wrap } from "../src/cli/output/text.ts";
import { formatCount } from "../src/text/text.ts";
import type { Calibration } from "./calibration.ts";
import type { Comparison } from "./compare.ts";
import { isPinned, isUnsupported } from "./config.ts";
import type { CalibrationReport } from "./report.ts";
import type { PlannedRequest } from "./service/plan.ts";

const indent = 16;

/** Formats a label with the wrapped text to the right of it. */
function formatRow(label: string, text: string): string[] {
  const lines = wrap(text, textWidth - indent);
  return lines.map((line, index) => `${(index === 0 ? label : "").padEnd(indent - 1)} ${line}`);
}

/** Formats a label with the number of items, and a line for each item. */
function formatList(label: string, items: readonly string[]): string[] {
  return items.flatMap((item, index) => formatRow(index === 0 ? `${label} ${items.length}` : "", item));
}

/** Formats the requests that would be sent. `rate`: `one a second`. */
export function formatPlan(host: string, maxRequests: number, plan: readonly PlannedRequest[], rate: string): string {
  const requests = plan.flatMap(({ method, path, maxRequests: times, note, serves }, index) => {
    const notes = [times > 1 && `at most ${times} times`, note].filter(Boolean).join(", ");
    return [
      `${String(index + 1).padStart(3)}  ${method} ${path}${notes === "" ? "" : `  (${notes})`}`,
      ...(serves.length > 0 ? wrap(serves.join(", "), textWidth - 9) : []).map((line) =>
        style("dim", `         ${line}`),
      ),
    ];
  });
  return [
    `Would send at most ${maxRequests} requests to ${host}, ${rate}, with a key in Authorization and no other data of yours.`,
    "Usually about 50 are enough.",
    ...requests,
    "",
    "Stored: statuses, header names, member names and types, counts, words that name a state, such as CLOSED.",
    "Never stored: names, emails, numbers, dates, ids, other strings, keys. Nothing is sent to another host.",
  ].join("\n");
}

/** Formats a report. */
export function formatReport(report: CalibrationReport): string[] {
  const rows = Object.entries(report.rows);
  const decidedRows = rows.filter((row) => isPinned(row) && row[1].confidence !== "low");
  const inconclusiveRows = rows.filter(([, { confidence }]) => confidence === "low");
  const undeterminedRows = rows.filter(([id, { value }]) => value === null && !isUnsupported(report, id));
  const decided = decidedRows.map(([id, { value }]) => `${id}=${value}`);
  const inconclusive = inconclusiveRows.map(([id, { value, because }]) => `${id}=${value}: ${because}`);
  const undetermined = undeterminedRows.map(([id, { because }]) => `${id}: ${because}`);
  const unsupported = report.unsupported.map(
    ({ row, observed, nearest }) => `${row}: ${observed}; the nearest value is ${nearest}`,
  );
  const deviations = report.deviations.map(
    ({ section, expected, observed }) => `${section}: ${expected}; observed ${observed}`,
  );
  return [
    ...formatRow("keys", formatKeys(report)),
    ...formatRow("decided", `${decided.length}: ${decided.join("  ")}`),
    ...formatList("inconclusive", inconclusive),
    ...formatList("unsupported", unsupported),
    ...formatList("undetermined", undetermined),
    ...formatList("deviates", deviations),
  ];
}

/** Returns `key 1: partner, key 2: marketing (distinguished by redaction and phone_number)`. */
function formatKeys({ keys, deviations }: CalibrationReport): string {
  const kinds = keys.map(
    (kind, index) => `key ${index + 1}: ${kind === "ungranted" ? "partner, without personal data" : kind}`,
  );
  const isRedacted = !deviations.some(({ expected }) => expected.includes("[[redacted]]"));
  const evidence = [
    isRedacted && keys.some((kind) => kind === "marketing" || kind === "ungranted") && "redaction",
    keys.includes("marketing") && "phone_number",
  ].filter((sign) => sign !== false);
  return kinds.join(", ") + (evidence.length > 0 ? ` (distinguished by ${evidence.join(" and ")})` : "");
}

/** Formats the number of requests, their duration, and the reason for an early end. */
export function formatEnd({ report, earlyEnd }: Calibration, seconds: number): string[] {
  const waitNote = report.waited > 0 ? `, ${formatCount(report.waited, "429")} waited out` : "";
  const failureNote = report.failed > 0 ? `, ${report.failed} without a useful response` : "";
  return [
    ...(earlyEnd ? [`Ended early: ${earlyEnd.reason}. Some requests were not sent.`] : []),
    ...(report.too_large > 0 ? [`${formatCount(report.too_large, "response")} too large to examine completely.`] : []),
    `${formatCount(report.requests, "request")} in ${Math.round(seconds)} s${waitNote}${failureNote}.`,
  ];
}

/** Returns 0 if the whole earlier report was checked and is equal, 3 if it differs, 1 if a part was not checked. */
export function exitCodeOf({ differences, missing }: Comparison, { ended }: CalibrationReport): 0 | 1 | 3 {
  if (differences.length > 0) return 3;
  return missing.length > 0 || ended !== null ? 1 : 0;
}

/** Formats the differences from an earlier report. */
export function formatComparison(comparison: Comparison): string[] {
  const differences = comparison.differences.map(({ name, before, now }) =>
    before === "" ? `${name}: ${now}` : `${name}: ${before}, now ${now}`,
  );
  const missing = comparison.missing.map(({ name, because }) => `${name}: could not check: ${because}`);
  return [...formatList("differs", differences), ...formatList("missing", missing)];
}

/** Formats the result of a comparison as a sentence. */
export function formatVerdict({ date }: CalibrationReport, code: 0 | 1 | 3): string {
  return `${{ 0: "Unchanged since", 1: "Could not check all of the report of", 3: "Changed since" }[code]} ${date}.`;
}
