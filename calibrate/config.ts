import { Document, isMap, isScalar, parseDocument, Scalar, type YAMLMap } from "yaml";
import { assume } from "../src/assumptions/assume.ts";
import { isMembers } from "../src/model/members.ts";
import { Mistake } from "../src/model/mistakes.ts";
import { escaped } from "../src/model/text.ts";
import type { CalibrationReport, ReportedRow } from "./report.ts";

/** The member of a config file that says what was calibrated, when, and with which confidence. */
interface Calibrated {
  readonly date: string;
  readonly host: string;
  readonly confidence: Readonly<Record<string, string>>;
}

/** The parts of a report that config files get. */
type Writable = Pick<CalibrationReport, "rows" | "ended" | "date" | "host" | "requests">;

/** The names that the setting has in config files. */
const assumeNames = ["assume", "assumptions"];

/**
 * Returns the text of a config file with the rows that a report has decided, and otherwise as it was: only `calibrated` and the
 * rows in `assume` that a calibration decides are changed. Throws a Mistake for a file that cannot be edited.
 *
 * @param before the text of the file; undefined if there is none
 */
export function editedConfig(file: string, before: string | undefined, report: Writable): string {
  return file.endsWith(".json") ? editedJson(file, before, report) : editedYaml(file, before, report);
}

/**
 * The rows that a config file gets: those of high and medium confidence. Low confidence is the absence of evidence, so that
 * variation may vary the row; but where its value is not the convention, the answers speak against that.
 */
export function pinnedRows({ rows }: Pick<CalibrationReport, "rows">): [id: string, row: ReportedRow][] {
  const conventional: Readonly<Record<string, unknown>> = assume("conventional");
  return Object.entries(rows).filter(
    ([id, { value, confidence }]) =>
      confidence === "high" || confidence === "medium" || (confidence === "low" && value !== conventional[id]),
  );
}

/** `earlier` is the confidence in the rows of an earlier calibration: what was not asked again stays as it was. */
function calibratedOf(report: Writable, earlier: Calibrated["confidence"]): Calibrated {
  const confidence = Object.fromEntries(pinnedRows(report).map(([id, row]) => [id, row.confidence]));
  const { date, host, ended } = report;
  return { date, host, confidence: ended === null ? confidence : { ...earlier, ...confidence } };
}

/** Rows that an earlier calibration has decided and this one has not, though it asked everything. */
function forgotten(earlier: Calibrated["confidence"], report: Writable): string[] {
  const pinned = new Set(pinnedRows(report).map(([id]) => id));
  return report.ended === null ? Object.keys(earlier).filter((id) => !pinned.has(id)) : [];
}

/** Throws a Mistake for a config file that no report can be written into. */
export function checkConfig(file: string, before: string | undefined): void {
  editedConfig(file, before, { rows: {}, ended: "", date: "", host: "", requests: 0 });
}

function editedYaml(file: string, before: string | undefined, report: Writable): string {
  const document: Document = before === undefined ? new Document({}) : parseDocument(before, { prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const place = `${escaped(file)}:${(before ?? "").slice(0, error.pos[0]).split("\n").length}`;
    const wrong = error.code === "DUPLICATE_KEY" ? "a duplicate key" : `not YAML: ${error.message.replace(/\.?$/, "")}`;
    throw new Mistake(`${place}: ${wrong}. Mend it, or name another file with --out.`);
  }
  if (document.contents === null) document.contents = document.createNode({});
  if (!isMap(document.contents))
    throw new Mistake(`${escaped(file)} holds no settings: expected names with values. Name another file with --out.`);
  const name = assumeNames.find((known) => document.has(known)) ?? "assume";
  if (!document.has(name)) document.set(name, document.createNode({}));
  const assumed = document.get(name);
  if (!isMap(assumed))
    throw new Mistake(
      `${escaped(file)}: ${name} is no map of ids and values; write it as one, or name another file with --out.`,
    );
  const earlier = confidenceIn(document.toJS());
  for (const id of forgotten(earlier, report)) assumed.delete(id);
  for (const [id, row] of pinnedRows(report)) pin(assumed, id, row);
  const heading = ` Calibrated ${report.date} against ${report.host}, ${report.requests} requests. Again: offering-sandbox calibrate --check`;
  const own = /^ Calibrated \S+ against .*$/m;
  const beginning = document.commentBefore ?? "";
  const isOurs = before === undefined || own.test(beginning);
  if (isOurs) document.commentBefore = own.test(beginning) ? beginning.replace(own, heading) : heading;
  document.delete("calibrated");
  const key = new Scalar("calibrated");
  key.commentBefore = [...(isOurs ? [] : [heading]), ...unpinned(report)].join("\n");
  document.contents.items.push(document.createPair(key, calibratedOf(report, earlier)));
  return document.toString({ lineWidth: 0 });
}

/** The confidence that settings have of an earlier calibration. */
function confidenceIn(settings: unknown): Calibrated["confidence"] {
  const calibrated = isMembers(settings) ? settings["calibrated"] : undefined;
  const confidence = isMembers(calibrated) ? calibrated["confidence"] : undefined;
  return isMembers(confidence) ? (confidence as Calibrated["confidence"]) : {};
}

/** Sets a row, with the reason as its comment in place of an earlier reason; other comments stay. */
function pin(assumed: YAMLMap, id: string, { value, confidence, because }: ReportedRow): void {
  const before = assumed.get(id, true);
  const kept = isScalar(before) ? before : undefined;
  const scalar = new Scalar(value);
  const comment = kept?.comment ?? "";
  scalar.comment = comment === "" || /^ (?:high|medium|low): /.test(comment) ? ` ${confidence}: ${because}` : comment;
  if (kept?.commentBefore != null) scalar.commentBefore = kept.commentBefore;
  assumed.set(id, scalar);
}

/** A line for each row that is not pinned, and why. */
function unpinned(report: Writable): string[] {
  const pinned = new Set(pinnedRows(report).map(([id]) => id));
  return Object.entries(report.rows).flatMap(([id, { value, confidence, because }]) => {
    if (confidence === "none") return ` ${id}: ${because.startsWith("outside") ? because : `open: ${because}`}`;
    return pinned.has(id) ? [] : ` ${id}: not pinned, low: ${value}, ${because}`;
  });
}

function editedJson(file: string, before: string | undefined, report: Writable): string {
  let found: unknown = {};
  try {
    if (before !== undefined) found = JSON.parse(before);
  } catch {
    throw new Mistake(`${escaped(file)} is not JSON. Mend it, or name another file with --out.`);
  }
  if (!isMembers(found))
    throw new Mistake(`${escaped(file)} holds no settings: expected an object. Name another file with --out.`);
  const settings = found;
  const name = assumeNames.find((known) => known in settings) ?? "assume";
  const assumed = settings[name] ?? {};
  if (!isMembers(assumed))
    throw new Mistake(`${escaped(file)}: ${name} is no object of ids and values; write it as one.`);
  const earlier = confidenceIn(settings);
  const gone = new Set(forgotten(earlier, report));
  const rows = {
    ...Object.fromEntries(Object.entries(assumed).filter(([id]) => !gone.has(id))),
    ...Object.fromEntries(pinnedRows(report).map(([id, { value }]) => [id, value])),
  };
  return `${JSON.stringify({ ...settings, [name]: rows, calibrated: calibratedOf(report, earlier) }, null, 2)}\n`;
}
