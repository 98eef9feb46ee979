import { typeDifferences } from "./responses/types.ts";
import { isPinned } from "./config.ts";
import type { CalibrationReport } from "./report.ts";

/** A changed part of a report. */
interface Difference {
  /** The row, the shapes or the section of the specification. */
  readonly name: string;
  readonly kind: "row" | "shape" | "deviation";
  /** Empty for a shape, whose difference is in `now`. */
  readonly before: string;
  readonly now: string;
}

/** A comparison of two reports of the same service. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Rows, shapes and deviations of the earlier report without a counterpart in the later one, each with the reason. */
  readonly missing: readonly { readonly name: string; readonly because: string }[];
}

/** Compares the decisions, shapes and deviations of an earlier report with those of a later one. */
export function compareReports(before: CalibrationReport, now: CalibrationReport): Comparison {
  const differences: Difference[] = [];
  const missing: Comparison["missing"][number][] = lostRows(before, now);
  for (const name of Object.keys(before.rows)) {
    const [was, is] = [decisionOf(before, name), decisionOf(now, name)];
    if (was !== undefined && is !== undefined && was !== is)
      differences.push({ name, kind: "row", before: was, now: is });
  }
  // The errors of all statuses change together: that is one difference.
  const changed = new Map<string, string[]>();
  for (const [name, types] of Object.entries(before.shapes)) {
    const later = now.shapes[name];
    if (later === undefined) missing.push({ name, because: "no such response came" });
    const lines = typeDifferences(types, later ?? types)
      .filter((line) => !isCoveredByRow(name, line, differences))
      .join(", ");
    if (lines !== "") changed.set(lines, [...(changed.get(lines) ?? []), name]);
  }
  for (const [lines, names] of changed)
    differences.push({ name: names.join(", "), kind: "shape", before: "", now: lines });
  // If a response is missing, its deviation may still be there.
  const [wasWhole, isWhole] = [before.ended === null, now.ended === null && now.failed + missing.length === 0];
  const [earlier, later] = [deviationsOf(before), deviationsOf(now)];
  for (const name of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(name), later.get(name)];
    if (is === undefined && !isWhole) missing.push({ name, because: "not seen" });
    else if (was !== is && (was !== undefined || wasWhole))
      differences.push({ name, kind: "deviation", before: was ?? "as specified", now: is ?? "as specified" });
  }
  return { differences, missing };
}

/** The rows that an earlier report decides and a later one leaves open, each with the reason. */
export function lostRows(before: CalibrationReport, now: CalibrationReport): Comparison["missing"][number][] {
  const lost = Object.keys(before.rows).filter(
    (name) => decisionOf(before, name) !== undefined && decisionOf(now, name) === undefined,
  );
  return lost.map((name) => ({ name, because: now.rows[name]?.because ?? "this version does not know it" }));
}

/** The row that reports a changed body. */
function isCoveredByRow(shape: string, line: string, differences: readonly Difference[]): boolean {
  const id = shape.startsWith("error_") ? "errors.body" : `${shape}.document`;
  // The row `list.document` says nothing about the items of the list.
  return differences.some(({ name }) => name === id) && !(shape === "list" && line.startsWith("data[]"));
}

function deviationsOf({ deviations }: CalibrationReport): ReadonlyMap<string, string> {
  return new Map(deviations.map(({ section, expected, saw }) => [`${section}: ${expected}`, saw]));
}

/** The pinned value of a row, or the behavior of the service that no value describes; undefined for an open row. */
function decisionOf({ rows }: CalibrationReport, id: string): string | undefined {
  const row = rows[id];
  if (!row) return undefined;
  if (row.value === null) return row.because.startsWith("unsupported: ") ? row.because : undefined;
  return isPinned([id, row]) ? String(row.value) : undefined;
}
