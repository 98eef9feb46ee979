import { typeDifferences } from "./answers/types.ts";
import { isPinned } from "./config.ts";
import type { CalibrationReport } from "./report.ts";

/** A changed part of a report. */
interface Difference {
  /** The row, the shape or the section of the specification. */
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
  const missing: Comparison["missing"][number][] = [];
  for (const name of Object.keys(before.rows)) {
    const [first, second] = [stanceOf(before, name), stanceOf(now, name)];
    // A value for the want of evidence is compared with another such one only.
    if (!first || (!first.isFirm && second?.isLow !== true)) continue;
    const isEqual = first.value === second?.value;
    // Fewer answers may leave another guess.
    const isAsFirm = !second?.isLow || (first.isLow && (isEqual || first.probes === second.probes));
    if (second && isAsFirm) {
      if (!isEqual) differences.push({ name, kind: "row", before: first.value, now: second.value });
    } else if (first.isFirm) {
      missing.push({ name, because: now.rows[name]?.because ?? "this version does not know it" });
    }
  }
  // The errors of all statuses change together: that is one difference.
  const changed = new Map<string, string[]>();
  for (const [name, types] of Object.entries(before.shapes)) {
    const later = now.shapes[name];
    if (later === undefined) missing.push({ name, because: "no such answer came" });
    const lines = typeDifferences(types, later ?? types)
      .filter((line) => !isTold(name, line, differences))
      .join(", ");
    if (lines !== "") changed.set(lines, [...(changed.get(lines) ?? []), name]);
  }
  for (const [lines, names] of changed)
    differences.push({ name: names.join(", "), kind: "shape", before: "", now: lines });
  // Where an answer is missing, a deviation may be there unseen.
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

/** The row that tells of a changed body. */
function isTold(shape: string, line: string, differences: readonly Difference[]): boolean {
  const id = shape.startsWith("error_") ? "errors.body" : `${shape}.document`;
  // The items of a list are not the concern of its row.
  return differences.some(({ name }) => name === id) && !(shape === "list" && line.startsWith("data[]"));
}

function deviationsOf({ deviations }: CalibrationReport): ReadonlyMap<string, string> {
  return new Map(deviations.map(({ section, expected, saw }) => [`${section}: ${expected}`, saw]));
}

/** The verdict of a report on a row. */
interface Stance {
  readonly value: string;
  readonly isLow: boolean;
  /** Whether the answers decide for it, or against the convention. */
  readonly isFirm: boolean;
  /** The answered requests. */
  readonly probes: string;
}

/** Returns undefined for an open row. */
function stanceOf({ rows }: CalibrationReport, id: string): Stance | undefined {
  const row = rows[id];
  const isOutside = row?.because.startsWith("outside: ") && row.value === null;
  if (!row || (row.value === null && !isOutside)) return undefined;
  return {
    value: String(row.value ?? row.because),
    isLow: row.confidence === "low",
    isFirm: isOutside || isPinned([id, row]),
    probes: row.evidence.map(({ probe }) => probe).join(),
  };
}
