import { pinnedRows } from "./config.ts";
import type { CalibrationReport } from "./report.ts";
import { typeDifferences } from "./types.ts";

/** Something that is not as it was. */
interface Difference {
  /** The row, the shape or the section of the specification. */
  readonly name: string;
  readonly kind: "row" | "shape" | "deviation";
  readonly before: string;
  readonly now: string;
}

/** A comparison of two reports of the same service. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Rows, shapes and deviations of the earlier report that the later one says nothing of, each with the reason. */
  readonly missing: readonly { readonly name: string; readonly because: string }[];
}

/** Compares all that the earlier report has decided or seen with the later one. */
export function compareReports(before: CalibrationReport, now: CalibrationReport): Comparison {
  const differences: Difference[] = [];
  const missing: Comparison["missing"][number][] = [];
  for (const id of Object.keys(before.rows)) {
    const [first, second] = [stanceOf(before, id), stanceOf(now, id)];
    // A value that rests on the absence of evidence is compared with another such one only.
    if (!first || (!first.isFirm && second?.isLow !== true)) continue;
    // Fewer answers may leave another guess.
    const isEqual = first.value === second?.value;
    const isComparable =
      second && (second.isLow ? first.isLow && (isEqual || first.asked === second.asked) : second.isFirm);
    if (isComparable && !isEqual) differences.push({ name: id, kind: "row", before: first.value, now: second.value });
    else if (!isComparable && first.isFirm)
      missing.push({ name: id, because: now.rows[id]?.because ?? "this version does not know it" });
  }
  for (const [name, known] of Object.entries(before.shapes)) {
    const types = now.shapes[name];
    if (types === undefined) missing.push({ name, because: "no such answer came" });
    else
      for (const line of typeDifferences(known, types))
        differences.push({ name, kind: "shape", before: "", now: line });
  }
  const [first, second] = [before, now].map(
    ({ deviations }) => new Map(deviations.map((one) => [`${one.section}: ${one.expected}`, one.saw])),
  );
  // Where something was not asked, or had no answer, what is not seen is not as specified either.
  const [wasWhole, isWhole] = [before.ended === null, now.ended === null && missing.length === 0];
  for (const place of new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])) {
    const [was, is] = [first?.get(place), second?.get(place)];
    if (is === undefined && !isWhole) missing.push({ name: place, because: "not seen" });
    else if (was !== is && (was !== undefined || wasWhole))
      differences.push({
        name: place,
        kind: "deviation",
        before: was ?? "as specified",
        now: is ?? "as specified",
      });
  }
  return { differences, missing };
}

interface Stance {
  readonly value: string;
  readonly isLow: boolean;
  /** Whether the answers decide for it, or against the convention. */
  readonly isFirm: boolean;
  /** The requests that had an answer. */
  readonly asked: string;
}

/** The verdict of a report on a row; undefined where it is open. */
function stanceOf(report: CalibrationReport, id: string): Stance | undefined {
  const out = report.outside.find(({ row }) => row === id);
  if (out) return { value: `outside: ${out.saw}`, isLow: false, isFirm: true, asked: "" };
  const row = report.rows[id];
  if (!row || row.confidence === "none") return undefined;
  const isFirm = pinnedRows(report).some(([pinned]) => pinned === id);
  const asked = row.evidence.map(({ probe }) => probe).join();
  return { value: String(row.value), isLow: row.confidence === "low", isFirm, asked };
}
