import { typeDifferences } from "./responses/types.ts";
import { isPinned, isUnsupported } from "./config.ts";
import type { CalibrationReport } from "./report.ts";

/** A difference between two reports. */
interface Difference {
  /** The id of the row, the names of the shapes, or the section of the specification with the expectation. */
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
  readonly missing: readonly MissingPart[];
}

interface MissingPart {
  readonly name: string;
  readonly because: string;
}

/** Compares the decisions, shapes and deviations of an earlier report with those of a later one. */
export function compareReports(earlier: CalibrationReport, later: CalibrationReport): Comparison {
  const differences: Difference[] = [];
  const missing: MissingPart[] = lostRows(earlier, later);
  for (const name of Object.keys(earlier.rows)) {
    const [earlierValue, laterValue] = [decisionOf(earlier, name), decisionOf(later, name)];
    if (earlierValue !== undefined && laterValue !== undefined && earlierValue !== laterValue)
      differences.push({ name, kind: "row", before: earlierValue, now: laterValue });
  }
  // The errors of all statuses change together, so names with the same lines are one difference.
  const namesByLines = new Map<string, string[]>();
  for (const [name, types] of Object.entries(earlier.shapes)) {
    const laterTypes = later.shapes[name];
    if (laterTypes === undefined) missing.push({ name, because: "no such response" });
    const lines = typeDifferences(types, laterTypes ?? types)
      .filter((line) => !isCoveredByRow(name, line, differences))
      .join(", ");
    if (lines !== "") namesByLines.set(lines, [...(namesByLines.get(lines) ?? []), name]);
  }
  for (const [lines, names] of namesByLines)
    differences.push({ name: names.join(", "), kind: "shape", before: "", now: lines });
  // If a response is missing, the deviation that it would show may still exist.
  const wasComplete = earlier.ended === null;
  const isComplete = later.ended === null && later.failed === 0 && missing.length === 0;
  const asSpecified = "as specified";
  const [earlierDeviations, laterDeviations] = [deviationsOf(earlier), deviationsOf(later)];
  for (const name of new Set([...earlierDeviations.keys(), ...laterDeviations.keys()])) {
    const [earlierValue, laterValue] = [earlierDeviations.get(name), laterDeviations.get(name)];
    if (laterValue === undefined && !isComplete) missing.push({ name, because: "not observed" });
    else if (earlierValue !== laterValue && (earlierValue !== undefined || wasComplete))
      differences.push({
        name,
        kind: "deviation",
        before: earlierValue ?? asSpecified,
        now: laterValue ?? asSpecified,
      });
  }
  return { differences, missing };
}

/** Returns the rows that an earlier report decides and a later report does not, each with the reason. */
export function lostRows(earlier: CalibrationReport, later: CalibrationReport): MissingPart[] {
  const lost = Object.keys(earlier.rows).filter(
    (name) => decisionOf(earlier, name) !== undefined && decisionOf(later, name) === undefined,
  );
  return lost.map((name) => ({ name, because: later.rows[name]?.because ?? "this version does not know the row" }));
}

/** Returns true if a difference of a row already reports the changed line of a shape. */
function isCoveredByRow(shape: string, line: string, differences: readonly Difference[]): boolean {
  const id = shape.startsWith("error_") ? "errors.body" : `${shape}.document`;
  // The row `list.document` says nothing about the items of the list.
  return differences.some(({ name }) => name === id) && !(shape === "list" && line.startsWith("data[]"));
}

function deviationsOf({ deviations }: CalibrationReport): ReadonlyMap<string, string> {
  return new Map(deviations.map(({ section, expected, observed }) => [`${section}: ${expected}`, observed]));
}

/** Returns the pinned value of a row, or the behavior that no value describes; undefined for an undetermined row. */
function decisionOf(report: CalibrationReport, id: string): string | undefined {
  const row = report.rows[id];
  if (!row) return undefined;
  if (row.value === null) return isUnsupported(report, id) ? row.because : undefined;
  return isPinned([id, row]) ? String(row.value) : undefined;
}
