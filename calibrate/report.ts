import { z } from "zod";
import { confidences } from "../src/assumptions/catalog.ts";
import { parsedJson } from "../src/text/json-text.ts";
import { ValidationError } from "../src/validation/errors.ts";
import { escaped } from "../src/text/text.ts";
import { mergeTypes, type Types } from "./responses/types.ts";
import { isCapitalWord } from "./responses/state-word.ts";
import { deviationsIn } from "./rows/deviations.ts";
import { type KeyKind, keyKinds, kindsOfKeys } from "./rows/keys.ts";
import { everyList } from "./rows/paging.ts";
import type { Observations } from "./rows/observations.ts";
import { assumptions, verdictOn } from "./rows/table.ts";
import { probe, type ProbeId, probeIds } from "./service/probes.ts";
import type { Session } from "./service/session.ts";

const string = z.string();
const strings = z.array(string);
const types: z.ZodType<Types> = z.lazy(() => z.union([string, z.array(types), z.record(string, types)]));

const row = z.object({
  /** Null if the row is undetermined or unsupported. */
  value: z.union([string, z.number()]).nullable(),
  confidence: z.enum([...confidences, "none"]),
  /** The reason for the value or for no value; or `unsupported: ` and the behavior of the service. */
  because: string,
  evidence: z.array(z.object({ probe: string, observed: string })),
});

/** The result of a calibration: shapes and decisions, without a value of the service's data. */
const schema = z.object({
  format: z.literal("offering-sandbox-calibration"),
  version: z.literal(1),
  host: string,
  /** `2026-11-21` */
  date: string,
  /** The version of this program. */
  program: string,
  requests: z.number(),
  /** How many 429s were waited out. */
  waited: z.number(),
  /** How many requests got no useful response: a 5xx, none, or a page in place of JSON. */
  failed: z.number().default(0),
  /** How many responses were too large to be read to the end. */
  too_large: z.number().default(0),
  /** Why the calibration ended early; null if it sent every probe. */
  ended: string.nullable(),
  keys: z.array(z.enum(keyKinds)),
  /** Rows by the id of the assumption. */
  rows: z.record(string, row),
  unsupported: z.array(z.object({ row: string, observed: string, nearest: z.union([string, z.number()]) })),
  deviations: z.array(z.object({ section: string, expected: string, observed: string })),
  observations: z.object({ investment_status: strings, step: strings, events: strings }),
  /** Shapes by the kind of response. */
  shapes: z.record(string, types),
});

export type CalibrationReport = z.infer<typeof schema>;
export type ReportedRow = z.infer<typeof row>;

/** Parses the text of a report. Throws a ValidationError if it is not a report. */
export function readReport(file: string, text: string): CalibrationReport {
  const content = parsedJson(text);
  if (content === undefined)
    throw new ValidationError(`${escaped(file)} is not JSON; expected the report of a calibration.`);
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.join(".") ?? "";
  throw new ValidationError(
    `${escaped(file)} is not a report of a calibration${path === "" ? "" : `: its member ${escaped(path)} is invalid`}. To write a report, run offering-sandbox calibrate without --check.`,
  );
}

/** Decides every assumption from the responses of a session. */
export function reportOf(
  { observations, options, requestCount, waitCount, failureCount, earlyEnd }: Session,
  program: string,
): CalibrationReport {
  const kinds = kindsOfKeys(observations);
  const lists = everyList(observations);
  const report: CalibrationReport = {
    format: "offering-sandbox-calibration",
    version: 1,
    host: options.url.hostname,
    date: new Date().toISOString().slice(0, 10),
    program,
    requests: requestCount,
    waited: waitCount,
    failed: failureCount,
    too_large: probeIds.flatMap((id) => observations.all(id)).filter(({ isWhole }) => !isWhole).length,
    ended: earlyEnd?.reason ?? null,
    keys: options.keys.map((_, key) => kinds[key] ?? "unknown"),
    rows: {},
    unsupported: [],
    deviations: deviationsIn(observations),
    observations: {
      investment_status: capitalWordsIn(lists.flatMap(({ statuses }) => statuses)),
      step: capitalWordsIn(lists.flatMap(({ steps }) => steps)),
      events: capitalWordsIn(observations.all("events").flatMap(({ events }) => events?.pairs ?? [])),
    },
    shapes: shapesIn(observations, kinds),
  };
  for (const { id, probes } of assumptions) {
    const evidence = probes.flatMap((probeId) => evidenceOf(probeId, observations));
    const verdict = verdictOn(id, observations);
    if (verdict.kind === "decided") {
      const { value, confidence, because } = verdict;
      report.rows[id] = { value, confidence, because, evidence };
    } else {
      const because = verdict.kind === "undetermined" ? verdict.because : `unsupported: ${verdict.observed}`;
      report.rows[id] = { value: null, confidence: "none", because, evidence };
      if (verdict.kind === "unsupported")
        report.unsupported.push({ row: id, observed: verdict.observed, nearest: verdict.nearest ?? "" });
    }
  }
  return report;
}

/** Returns a request with its distinct responses, such as `200 with 20`. */
function evidenceOf(id: ProbeId, observations: Observations): ReportedRow["evidence"] {
  const responses = observations.all(id).map(({ status, list, events, request: { size } }) => {
    const count = list?.count ?? events?.count;
    const sizeNote = size === undefined || id !== "sizes" ? "" : ` for ${size}`;
    return `${status}${count === undefined ? "" : ` with ${count}`}${sizeNote}`;
  });
  const distinctResponses = [...new Set(responses)].map((response) => {
    const times = responses.filter((otherResponse) => otherResponse === response).length;
    return times === 1 ? response : `${times} × ${response}`;
  });
  const { path, method = "GET" } = probe(id);
  return distinctResponses.length === 0
    ? []
    : [{ probe: `${method} ${path}`, observed: distinctResponses.slice(0, 20).join(", ") }];
}

function capitalWordsIn(words: readonly string[]): string[] {
  return [...new Set(words)].filter(isCapitalWord).toSorted();
}

/** Returns the names and types in each kind of response. */
function shapesIn(observations: Observations, kinds: readonly KeyKind[]): Record<string, Types> {
  const shapes: Record<string, Types> = {};
  for (const id of probeIds) {
    for (const { status, types: addedTypes, request, events } of observations.all(id)) {
      const name = shapeName(id, status, kinds[request.key ?? 0]);
      if (addedTypes === undefined || name === undefined || events?.count === 0) continue;
      const knownTypes = shapes[name];
      shapes[name] = knownTypes === undefined ? addedTypes : mergeTypes(knownTypes, addedTypes);
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
