import { type Document, isMap, isScalar, parseDocument, Scalar, type YAMLMap } from "yaml";
import type { AssumptionId } from "../src/assumptions/catalogue.ts";
import { isMembers, type Members } from "../src/model/members.ts";
import { Mistake } from "../src/model/mistakes.ts";
import { escaped } from "../src/model/text.ts";
import type { CalibrationReport, ReportedRow } from "./report.ts";
import { conventional } from "./rows/row.ts";

/** The parts of a report for a config file. */
type Decisions = Pick<CalibrationReport, "rows" | "ended" | "failed" | "date" | "host" | "requests">;

/**
 * Returns true for a row of high or medium confidence: the config file gets it. Low confidence is the absence of evidence, so
 * variation may vary the row, except where its value is not the convention: the answers speak against that one.
 */
export function isPinned([id, { value, confidence }]: readonly [id: string, row: ReportedRow]): boolean {
  return confidence === "low" ? value !== conventional[id as AssumptionId] : confidence !== "none";
}

/** Throws a Mistake for a config file that cannot be edited. */
export function checkConfig(file: string, before: string | undefined): void {
  readConfig(file, before);
}

/**
 * Returns the text of a config file, YAML or JSON, with the decided rows of a report in `assume`, and the member `calibrated`. All
 * else stays. Throws a Mistake for a file that cannot be edited.
 *
 * @param before the text of the file; undefined if there is none
 * @param again the command that checks the report
 */
export function editedConfig(file: string, before: string | undefined, report: Decisions, again: string): string {
  const { document, settings, assumed } = readConfig(file, before);
  const { date, host } = report;
  const isWhole = report.ended === null && report.failed === 0;
  const rows = Object.entries(report.rows).filter(isPinned);
  const earlier = confidenceIn(document.toJS());
  // All was asked and answered again: an earlier decision without a new one is open now.
  if (isWhole) for (const id of Object.keys(earlier)) if (!rows.some(([pinned]) => pinned === id)) assumed.delete(id);
  for (const [id, row] of rows) pin(assumed, id, row);
  const confidence = Object.fromEntries(rows.map(([id, row]) => [id, row.confidence]));
  const calibrated = { date, host, confidence: isWhole ? confidence : { ...earlier, ...confidence } };
  const key = new Scalar("calibrated");
  addComments(document, key, before === undefined, report, again);
  document.delete("calibrated");
  settings.items.push(document.createPair(key, calibrated));
  return file.endsWith(".json") ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString({ lineWidth: 0 });
}

function readConfig(file: string, before = ""): { document: Document; settings: YAMLMap; assumed: YAMLMap } {
  const name = escaped(file);
  const remedy = "or name another file with --out.";
  const document: Document = parseDocument(before, { prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const line = before.slice(0, error.pos[0]).split("\n").length;
    const reason = `not ${file.endsWith(".json") ? "JSON" : "YAML"}: ${error.message.replace(/\.?$/, "")}`;
    throw new Mistake(
      `${name}:${line}: ${error.code === "DUPLICATE_KEY" ? "a duplicate key" : reason}. Mend it, ${remedy}`,
    );
  }
  document.contents ??= document.createNode({});
  const settings = document.contents;
  if (!isMap(settings)) throw new Mistake(`${name} holds no settings: expected names with values. Mend it, ${remedy}`);
  const member = ["assume", "assumptions"].find((known) => settings.has(known)) ?? "assume";
  if (!settings.has(member)) settings.set(member, document.createNode({}));
  const assumed = settings.get(member);
  if (!isMap(assumed)) throw new Mistake(`${name}: ${member} is no map of ids and values; write it as one, ${remedy}`);
  return { document, settings, assumed };
}

/** The confidence in the rows of an earlier calibration. */
function confidenceIn(settings: unknown): Members {
  const calibrated = isMembers(settings) ? settings["calibrated"] : undefined;
  const confidence = isMembers(calibrated) ? calibrated["confidence"] : undefined;
  return isMembers(confidence) ? confidence : {};
}

/** Sets a row, with the reason as its comment in place of an earlier reason; other comments stay. */
function pin(assumed: YAMLMap, id: string, { value, confidence, because }: ReportedRow): void {
  const before = assumed.get(id, true);
  const comment = isScalar(before) ? (before.comment ?? "") : "";
  const scalar = new Scalar(value);
  scalar.comment = comment === "" || /^ (?:high|medium|low): /.test(comment) ? ` ${confidence}: ${because}` : comment;
  if (isScalar(before) && before.commentBefore != null) scalar.commentBefore = before.commentBefore;
  assumed.set(id, scalar);
}

/** Adds a heading at the top of our own file, or above `calibrated` in another one, and there the rows that are not pinned. */
function addComments(
  document: Document,
  calibrated: Scalar,
  isNew: boolean,
  { date, host, requests, rows }: Decisions,
  again: string,
): void {
  const heading = ` Calibrated ${date} against ${host}, ${requests} requests.\n Again: ${again}`;
  const earlier = /^ Calibrated \S+ against .*(\n Again: .*)?$/m;
  const top = document.commentBefore ?? "";
  const isOurs = isNew || earlier.test(top);
  if (isOurs) document.commentBefore = isNew ? heading : top.replace(earlier, () => heading);
  const unpinned = Object.entries(rows).flatMap(([id, row]) => {
    const { value, confidence, because } = row;
    if (confidence === "none") return ` ${id}: ${because.startsWith("outside: ") ? because : `open: ${because}`}`;
    return isPinned([id, row]) ? [] : ` ${id}: not pinned, low: ${value}, ${because}`;
  });
  calibrated.commentBefore = [...(isOurs ? [] : [heading]), ...unpinned].join("\n");
}
