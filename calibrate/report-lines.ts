import type { Calibration } from "./calibrate.ts";
import type { Comparison } from "./compare.ts";
import { pinnedRows } from "./config.ts";
import type { PlannedRequest } from "./plan.ts";
import type { CalibrationReport } from "./report.ts";
import type { Terminal } from "./terminal.ts";

const indent = 10;

/** A word, and beside it a text of several lines. */
function beside(word: string, text: string, { wrap, textWidth }: Terminal): string[] {
  return wrap(text, textWidth - indent).map((line, at) => `${(at === 0 ? word : "").padEnd(indent - 1)} ${line}`);
}

/** A word with a number, and a line for each of the things. */
function listed(word: string, things: readonly string[], terminal: Terminal): string[] {
  return things.flatMap((thing, at) => beside(at === 0 ? `${word} ${things.length}` : "", thing, terminal));
}

/** The requests that would be sent, for people. */
export function planLines(
  host: string,
  most: number,
  plan: readonly PlannedRequest[],
  pace: string,
  terminal: Terminal,
): string {
  const { wrap, textWidth, style } = terminal;
  const requests = plan.flatMap(({ method, path, most: times, note, serves }, at) => {
    const notes = [times > 1 && `${times} times at most`, note].filter(Boolean).join(", ");
    return [
      `${String(at + 1).padStart(3)}  ${method} ${path}${notes === "" ? "" : `  (${notes})`}`,
      ...wrap(serves.join(", "), textWidth - 9).map((line) => style("dim", `         ${line}`)),
    ];
  });
  return [
    `Would send at most ${most} requests to ${host}, ${pace}, with a key in Authorization and nothing else of yours.`,
    ...requests,
    "",
    "Kept: statuses, header names, member names and types, counts, words that name a state, such as CLOSED.",
    "Never kept: names, e-mails, numbers, dates, ids, texts, keys. Nothing is sent anywhere else.",
  ].join("\n");
}

/** A report for people. */
export function reportLines(report: CalibrationReport, terminal: Terminal): string[] {
  const pinned = pinnedRows(report).filter(([, { confidence }]) => confidence !== "low");
  const rows = Object.entries(report.rows);
  const unsure = rows
    .filter(([, { confidence }]) => confidence === "low")
    .map(([id, { value, because }]) => `${id}=${value}: ${because}`);
  const open = rows.flatMap(([id, { confidence, because }]) =>
    confidence === "none" && !report.outside.some(({ row }) => row === id) ? `${id}: ${because}` : [],
  );
  const outside = report.outside.map(({ row, saw, nearest }) => `${row}: ${saw}; the nearest is ${nearest}`);
  const deviations = report.deviations.map(({ section, expected, saw }) => `${section}: ${expected}; saw ${saw}`);
  const keys = report.keys.map(
    (kind, at) => `${at + 1} ${kind === "ungranted" ? "partner, without personal data" : kind}`,
  );
  const isRedacted = !deviations.some((line) => line.includes("[[redacted]]"));
  const told = [
    isRedacted && report.keys.some((kind) => kind === "marketing" || kind === "ungranted") && "redaction",
    report.keys.includes("marketing") && "phone_number",
  ].filter((means) => means !== false);
  const means = told.length > 0 ? ` (told apart by ${told.join(" and ")})` : "";
  return [
    ...beside("keys", keys.join(", ") + means, terminal),
    ...beside("decided", `${pinned.length}: ${pinned.map(([id, { value }]) => `${id}=${value}`).join("  ")}`, terminal),
    ...listed("unsure", unsure, terminal),
    ...listed("outside", outside, terminal),
    ...listed("open", open, terminal),
    ...listed("deviates", deviations, terminal),
  ];
}

/** How many requests there were, in which time, and why they ended early. */
export function endLines({ report, ended }: Calibration, seconds: number, { count }: Terminal): string[] {
  const waited = report.waited > 0 ? `, ${count(report.waited, "429")} waited out` : "";
  const line = `${count(report.requests, "request")} in ${Math.round(seconds)} s${waited}.`;
  return ended ? [`Ended early: ${ended.reason}. What is open was not asked.`, line] : [line];
}

/** 0 if all of an earlier report was checked and is equal, 3 if something differs, 1 if something could not be checked. */
export function checkCode({ differences, missing }: Comparison, { ended }: CalibrationReport): 0 | 1 | 3 {
  if (differences.length > 0) return 3;
  return missing.length > 0 || ended !== null ? 1 : 0;
}

/** The differences from an earlier report. */
export function comparisonLines(
  before: CalibrationReport,
  comparison: Comparison,
  later: CalibrationReport,
  terminal: Terminal,
): string[] {
  const { differences, missing } = comparison;
  const code = checkCode(comparison, later);
  const changes = differences.map(({ name, before: was, now }) =>
    was === "" ? `${name}: ${now}` : `${name}: ${was}, now ${now}`,
  );
  return [
    ...listed("differs", changes, terminal),
    ...listed(
      "missing",
      missing.map(({ name, because }) => `${name}: could not check: ${because}`),
      terminal,
    ),
    code === 0
      ? `As on ${before.date}.`
      : code === 3
        ? `Not as on ${before.date}.`
        : `Could not check all of the report of ${before.date}.`,
  ];
}
