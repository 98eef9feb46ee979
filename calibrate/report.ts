import type { Confidence } from "../src/assumptions/calibration.ts";
import { type Deviation, deviationsIn } from "./deviations.ts";
import { type KeyKind, keyKinds } from "./keys.ts";
import { probe, type ProbeId, probeIds } from "./probes.ts";
import { rowsInOrder } from "./rows/rows.ts";
import { everyList } from "./rows/lists.ts";
import type { Session } from "./session.ts";
import type { Shape } from "./shapes.ts";
import { mergedTypes, type Types } from "./types.ts";
import type { Seen, Verdict } from "./verdict.ts";
import { isCapitalWord } from "./words.ts";

export const reportFormat = "offering-sandbox-calibration";

/** One assumption in a report. */
export interface ReportedRow {
  /** Null where it is open or outside. */
  readonly value: string | number | null;
  readonly confidence: Confidence | "none";
  /** Why it is so, or why it is open. */
  readonly because: string;
  readonly evidence: readonly { readonly probe: string; readonly saw: string }[];
}

/** All that is known of a service after a calibration: shapes and decisions, no value of its data. */
export interface CalibrationReport {
  readonly format: typeof reportFormat;
  readonly version: 1;
  readonly host: string;
  /** `2026-11-21` */
  readonly date: string;
  /** The version of this program. */
  readonly program: string;
  readonly requests: number;
  /** How many 429s were waited out. */
  readonly waited: number;
  /** Why the calibration ended before all was asked; null if all was. */
  readonly ended: string | null;
  readonly keys: readonly KeyKind[];
  /** By the id of the assumption. */
  readonly rows: Readonly<Record<string, ReportedRow>>;
  readonly outside: readonly { readonly row: string; readonly saw: string; readonly nearest: string | number }[];
  readonly deviations: readonly Deviation[];
  readonly seen: {
    readonly investment_status: readonly string[];
    readonly step: readonly string[];
    readonly events: readonly string[];
  };
  readonly shapes: Readonly<Record<string, Types>>;
}

/** Decides every row from what a session has seen. */
export function reportOf(session: Session, date: string, program: string): CalibrationReport {
  const { seen, options, sent, waited, ended } = session;
  const verdicts = rowsInOrder.map(([id, row]) => ({ id, row, verdict: row.decide(seen) }));
  const rows = verdicts.map(({ id, row, verdict }) => {
    const evidence = row.probes.flatMap((one) => evidenceOf(one, seen.all(one)));
    return [id, { ...outcomeOf(verdict), evidence }] as const;
  });
  const lists = everyList(seen);
  return {
    format: reportFormat,
    version: 1,
    host: options.url.hostname,
    date,
    program,
    requests: sent,
    waited,
    ended: ended?.reason ?? null,
    keys: options.keys.map((_, key) => keyKinds(seen)[key] ?? "unknown"),
    rows: Object.fromEntries(rows),
    outside: verdicts.flatMap(({ id, verdict }) =>
      verdict.kind === "outside"
        ? { row: id, saw: verdict.saw, nearest: verdict.nearest }
        : verdict.kind === "decided" && verdict.except !== undefined
          ? { row: id, saw: verdict.except, nearest: verdict.value }
          : [],
    ),
    deviations: deviationsIn(seen),
    seen: {
      investment_status: capitals(lists.flatMap(({ statuses }) => statuses)),
      step: capitals(lists.flatMap(({ steps }) => steps)),
      events: capitals(seen.all("events").flatMap(({ events }) => events?.words ?? [])),
    },
    shapes: shapesIn(seen),
  };
}

function outcomeOf(verdict: Verdict): Omit<ReportedRow, "evidence"> {
  if (verdict.kind === "decided")
    return { value: verdict.value, confidence: verdict.confidence, because: verdict.because };
  return {
    value: null,
    confidence: "none",
    because: verdict.kind === "open" ? verdict.because : `outside: ${verdict.saw}`,
  };
}

/** A request and its answers, in a line: `200 with 20 items`; those of several that are alike once. */
function evidenceOf(id: ProbeId, shapes: readonly Shape[]): { probe: string; saw: string }[] {
  if (shapes.length === 0) return [];
  const words = shapes.map(({ status, list, events, asked: { size } }) => {
    const count = list?.count ?? events?.count;
    const sized = size === undefined || id !== "sizes" ? "" : ` for ${size}`;
    return `${status}${count === undefined ? "" : ` with ${count}`}${sized}`;
  });
  const saw = [...new Set(words)].map((word) => {
    const times = words.filter((other) => other === word).length;
    return times === 1 ? word : `${times} × ${word}`;
  });
  const { path, method = "GET" } = probe(id);
  return [{ probe: `${method} ${path}`, saw: saw.slice(0, 20).join(", ") }];
}

function capitals(words: readonly string[]): string[] {
  return [...new Set(words)].filter(isCapitalWord).toSorted();
}

/** The names and types in each kind of answer. */
function shapesIn(seen: Seen): Record<string, Types> {
  const kinds = keyKinds(seen);
  const shapes: Record<string, Types> = {};
  for (const id of probeIds) {
    for (const { status, types, asked, events } of seen.all(id)) {
      const name = shapeName(id, status, kinds[asked.key ?? 0]);
      if (types === undefined || name === undefined || (events && events.count === 0)) continue;
      const before = shapes[name];
      shapes[name] = before === undefined ? types : mergedTypes(before, types);
    }
  }
  return shapes;
}

/** The documents of the probes whose shape is worth keeping. */
const documents: Partial<Record<ProbeId, string>> = {
  offering: "offering",
  list: "list",
  status: "status",
  events: "events",
};

function shapeName(id: ProbeId, status: number, kind: KeyKind | undefined): string | undefined {
  if (status >= 400) return `error_${status}`;
  if (status !== 200) return undefined;
  return id === "investment" || id === "marketing" ? `investment_${kind ?? "unknown"}` : documents[id];
}
