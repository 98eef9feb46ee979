import { z } from "zod";
import { confidences } from "../src/assumptions/catalog.ts";
import { parsedJson } from "../src/text/json-text.ts";
import { ValidationError } from "../src/validation/errors.ts";
import { escaped } from "../src/text/text.ts";
import { mergedTypes, type Types } from "./responses/types.ts";
import { isCapitalWord } from "./responses/words.ts";
import { deviationsIn } from "./rows/deviations.ts";
import { type KeyKind, keyKinds, kindsOfKeys } from "./rows/keys.ts";
import { everyList } from "./rows/paging.ts";
import type { ProbeResponses } from "./rows/seen.ts";
import { assumptions, verdictOn } from "./rows/table.ts";
import { probe, type ProbeId, probeIds } from "./service/probes.ts";
import type { Session } from "./service/session.ts";

const text = z.string();
const texts = z.array(text);
const types: z.ZodType<Types> = z.lazy(() => z.union([text, z.array(types), z.record(text, types)]));

const row = z.object({
  /** Null if the row is open or unsupported. */
  value: z.union([text, z.number()]).nullable(),
  confidence: z.enum([...confidences, "none"]),
  /** The reason of the value, or for being open; or `unsupported: ` and the behavior of the service. */
  because: text,
  evidence: z.array(z.object({ probe: text, saw: text })),
});

/** The result of a calibration: shapes and decisions, no value of the service's data. */
const schema = z.object({
  format: z.literal("offering-sandbox-calibration"),
  version: z.literal(1),
  host: text,
  /** `2026-11-21` */
  date: text,
  /** The version of this program. */
  program: text,
  requests: z.number(),
  /** How many 429s were waited out. */
  waited: z.number(),
  /** How many requests got no useful response: a 5xx, none, or a page in place of JSON. */
  failed: z.number().default(0),
  /** How many responses were too large to be read to the end. */
  too_large: z.number().default(0),
  /** Why the calibration ended early; null if it sent every probe. */
  ended: text.nullable(),
  keys: z.array(z.enum(keyKinds)),
  /** Rows by the id of the assumption. */
  rows: z.record(text, row),
  unsupported: z.array(z.object({ row: text, saw: text, nearest: z.union([text, z.number()]) })),
  deviations: z.array(z.object({ section: text, expected: text, saw: text })),
  seen: z.object({ investment_status: texts, step: texts, events: texts }),
  /** Shapes by the kind of response. */
  shapes: z.record(text, types),
});

export type CalibrationReport = z.infer<typeof schema>;
export type ReportedRow = z.infer<typeof row>;

/** Reads the text of a report. Throws a ValidationError for any other text. */
export function readReport(file: string, written: string): CalibrationReport {
  const content = parsedJson(written);
  if (content === undefined)
    throw new ValidationError(`${escaped(file)} is not JSON; expected the report of a calibration.`);
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join(".") ?? "";
  throw new ValidationError(
    `${escaped(file)} is not a report of a calibration${place === "" ? "" : `: look at ${escaped(place)}`}. Write one: offering-sandbox calibrate without --check.`,
  );
}

/** Decides every assumption from the responses of a session. */
export function reportOf({ seen, options, sent, waited, failed, ended }: Session, program: string): CalibrationReport {
  const kinds = kindsOfKeys(seen);
  const lists = everyList(seen);
  const report: CalibrationReport = {
    format: "offering-sandbox-calibration",
    version: 1,
    host: options.url.hostname,
    date: new Date().toISOString().slice(0, 10),
    program,
    requests: sent,
    waited,
    failed,
    too_large: probeIds.flatMap((id) => seen.all(id)).filter(({ isWhole }) => !isWhole).length,
    ended: ended?.reason ?? null,
    keys: options.keys.map((_, key) => kinds[key] ?? "unknown"),
    rows: {},
    unsupported: [],
    deviations: deviationsIn(seen),
    seen: {
      investment_status: capitals(lists.flatMap(({ statuses }) => statuses)),
      step: capitals(lists.flatMap(({ steps }) => steps)),
      events: capitals(seen.all("events").flatMap(({ events }) => events?.pairs ?? [])),
    },
    shapes: shapesIn(seen, kinds),
  };
  for (const { id, probes } of assumptions) {
    const evidence = probes.flatMap((one) => evidenceOf(one, seen));
    const verdict = verdictOn(id, seen);
    if (verdict.kind === "decided") {
      const { value, confidence, because } = verdict;
      report.rows[id] = { value, confidence, because, evidence };
    } else {
      const because = verdict.kind === "open" ? verdict.because : `unsupported: ${verdict.saw}`;
      report.rows[id] = { value: null, confidence: "none", because, evidence };
      if (verdict.kind === "unsupported")
        report.unsupported.push({ row: id, saw: verdict.saw, nearest: verdict.nearest ?? "" });
    }
  }
  return report;
}

/** A request and its distinct responses, in a line: `200 with 20`. */
function evidenceOf(id: ProbeId, seen: ProbeResponses): ReportedRow["evidence"] {
  const responses = seen.all(id).map(({ status, list, events, asked: { size } }) => {
    const count = list?.count ?? events?.count;
    const sized = size === undefined || id !== "sizes" ? "" : ` for ${size}`;
    return `${status}${count === undefined ? "" : ` with ${count}`}${sized}`;
  });
  const distinct = [...new Set(responses)].map((response) => {
    const times = responses.filter((other) => other === response).length;
    return times === 1 ? response : `${times} × ${response}`;
  });
  const { path, method = "GET" } = probe(id);
  return distinct.length === 0 ? [] : [{ probe: `${method} ${path}`, saw: distinct.slice(0, 20).join(", ") }];
}

function capitals(words: readonly string[]): string[] {
  return [...new Set(words)].filter(isCapitalWord).toSorted();
}

/** The names and types in each kind of response. */
function shapesIn(seen: ProbeResponses, kinds: readonly KeyKind[]): Record<string, Types> {
  const shapes: Record<string, Types> = {};
  for (const id of probeIds) {
    for (const { status, types: added, asked, events } of seen.all(id)) {
      const name = shapeName(id, status, kinds[asked.key ?? 0]);
      if (added === undefined || name === undefined || events?.count === 0) continue;
      const before = shapes[name];
      shapes[name] = before === undefined ? added : mergedTypes(before, added);
    }
  }
  return shapes;
}

function shapeName(id: ProbeId, status: number, kind: KeyKind = "unknown"): string | undefined {
  if (status >= 400) return `error_${status}`;
  if (status !== 200) return undefined;
  if (id === "investment" || id === "marketing") return `investment_${kind}`;
  return ["offering", "list", "status", "events"].includes(id) ? id : undefined;
}
