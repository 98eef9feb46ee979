import { style } from "../src/cli/output/terminal.ts";
import { count, textWidth, wrap } from "../src/cli/output/text.ts";
import type { Calibration } from "./calibration.ts";
import type { Comparison } from "./compare.ts";
import { isPinned } from "./config.ts";
import type { CalibrationReport } from "./report.ts";
import type { PlannedRequest } from "./service/plan.ts";

const indent = 10;

/** Writes a word, and a text of several lines to the right of it. */
function beside(word: string, text: string): string[] {
  return wrap(text, textWidth - indent).map((line, at) => `${(at === 0 ? word : "").padEnd(indent - 1)} ${line}`);
}

/** A word with the number of the items, and a line for each of them. */
function listed(word: string, items: readonly string[]): string[] {
  return items.flatMap((item, at) => beside(at === 0 ? `${word} ${items.length}` : "", item));
}

/** The requests that would be sent, for people. `pace`: `one a second`. */
export function planLines(host: string, maxRequests: number, plan: readonly PlannedRequest[], pace: string): string {
  const requests = plan.flatMap(({ method, path, maxRequests: times, note, serves }, at) => {
    const notes = [times > 1 && `${times} times at most`, note].filter(Boolean).join(", ");
    return [
      `${String(at + 1).padStart(3)}  ${method} ${path}${notes === "" ? "" : `  (${notes})`}`,
      ...(serves.length > 0 ? wrap(serves.join(", "), textWidth - 9) : []).map((line) =>
        style("dim", `         ${line}`),
      ),
    ];
  });
  return [
    `Would send at most ${maxRequests} requests to ${host}, ${pace}, with a key in Authorization and nothing else of yours.`,
    "Usually some 50 are enough.",
    ...requests,
    "",
    "Kept: statuses, header names, member names and types, counts, words that name a state, such as CLOSED.",
    "Never kept: names, emails, numbers, dates, ids, texts, keys. Nothing is sent anywhere else.",
  ].join("\n");
}

/** A report for people. */
export function reportLines(report: CalibrationReport): string[] {
  const rows = Object.entries(report.rows);
  const sure = rows.filter((row) => isPinned(row) && row[1].confidence !== "low");
  const unsure = rows.filter(([, { confidence }]) => confidence === "low");
  const open = rows.filter(([id, { value }]) => value === null && !report.unsupported.some(({ row }) => row === id));
  const unsupported = report.unsupported.map(({ row, saw, nearest }) => `${row}: ${saw}; the nearest is ${nearest}`);
  const deviations = report.deviations.map(({ section, expected, saw }) => `${section}: ${expected}; saw ${saw}`);
  return [
    ...beside("keys", keysLine(report)),
    ...beside("decided", `${sure.length}: ${sure.map(([id, { value }]) => `${id}=${value}`).join("  ")}`),
    ...listed(
      "unsure",
      unsure.map(([id, { value, because }]) => `${id}=${value}: ${because}`),
    ),
    ...listed("unsupported", unsupported),
    ...listed(
      "open",
      open.map(([id, { because }]) => `${id}: ${because}`),
    ),
    ...listed("deviates", deviations),
  ];
}

/** `key 1: partner, key 2: marketing (told apart by redaction and phone_number)` */
function keysLine({ keys, deviations }: CalibrationReport): string {
  const kinds = keys.map(
    (kind, at) => `key ${at + 1}: ${kind === "ungranted" ? "partner, without personal data" : kind}`,
  );
  const isRedacted = !deviations.some(({ expected }) => expected.includes("[[redacted]]"));
  const signs = [
    isRedacted && keys.some((kind) => kind === "marketing" || kind === "ungranted") && "redaction",
    keys.includes("marketing") && "phone_number",
  ].filter((sign) => sign !== false);
  return kinds.join(", ") + (signs.length > 0 ? ` (told apart by ${signs.join(" and ")})` : "");
}

/** Writes how many requests were sent, how long they took, and why they ended early. */
export function endLines({ report, ended }: Calibration, seconds: number): string[] {
  const waited = report.waited > 0 ? `, ${count(report.waited, "429")} waited out` : "";
  const failed = report.failed > 0 ? `, ${report.failed} without a useful response` : "";
  return [
    ...(ended ? [`Ended early: ${ended.reason}. Not all was asked.`] : []),
    ...(report.too_large > 0 ? [`${count(report.too_large, "response")} too large to look at whole.`] : []),
    `${count(report.requests, "request")} in ${Math.round(seconds)} s${waited}${failed}.`,
  ];
}

/** 0 if an earlier report was checked and is equal, 3 if something differs, 1 if something could not be checked. */
export function checkCode({ differences, missing }: Comparison, { ended }: CalibrationReport): 0 | 1 | 3 {
  if (differences.length > 0) return 3;
  return missing.length > 0 || ended !== null ? 1 : 0;
}

/** The differences from an earlier report. */
export function comparisonLines(comparison: Comparison): string[] {
  const differences = comparison.differences.map(({ name, before, now }) =>
    before === "" ? `${name}: ${now}` : `${name}: ${before}, now ${now}`,
  );
  const missing = comparison.missing.map(({ name, because }) => `${name}: could not check: ${because}`);
  return [...listed("differs", differences), ...listed("missing", missing)];
}

/** The result of a comparison in a sentence. */
export function verdictLine({ date }: CalibrationReport, code: 0 | 1 | 3): string {
  return `${{ 0: "As on", 1: "Could not check all of the report of", 3: "Not as on" }[code]} ${date}.`;
}
