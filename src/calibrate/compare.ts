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
  /** Rows that were decided and are open now, each with the reason. */
  readonly missing: readonly { readonly row: string; readonly because: string }[];
}

/** Compares the rows that both have decided, the shapes that both have seen, and the deviations. */
export function compareReports(before: CalibrationReport, now: CalibrationReport): Comparison {
  const differences: Difference[] = [];
  const missing: Comparison["missing"][number][] = [];
  for (const [id, row] of Object.entries(now.rows)) {
    const [first, second] = [stanceOf(before, id), stanceOf(now, id)];
    if (first === undefined || first === second) continue;
    if (second === undefined) missing.push({ row: id, because: row.because });
    else differences.push({ name: id, kind: "row", before: first, now: second });
  }
  for (const [name, types] of Object.entries(now.shapes)) {
    const known = before.shapes[name];
    for (const line of known === undefined ? [] : typeDifferences(known, types)) {
      differences.push({ name, kind: "shape", before: "", now: line });
    }
  }
  const [first, second] = [before, now].map(
    ({ deviations }) => new Map(deviations.map((one) => [`${one.section}: ${one.expected}`, one.saw])),
  );
  for (const place of new Set([...(first?.keys() ?? []), ...(second?.keys() ?? [])])) {
    const [was, is] = [first?.get(place) ?? "as specified", second?.get(place) ?? "as specified"];
    // A question that was not asked is not as specified either.
    if (was !== is && now.ended === null) differences.push({ name: place, kind: "deviation", before: was, now: is });
  }
  return { differences, missing };
}

/** The value that a report pins down for a row; undefined where it is open or rests on the absence of evidence. */
function stanceOf({ rows, outside }: CalibrationReport, id: string): string | undefined {
  const out = outside.find(({ row }) => row === id);
  if (out) return `outside: ${out.saw}`;
  const row = rows[id];
  return row && ["high", "medium"].includes(row.confidence) ? String(row.value) : undefined;
}
