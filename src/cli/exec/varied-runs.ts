import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssumptionId, catalogue } from "../../assumptions/catalogue.ts";
import type { Row } from "../../assumptions/row.ts";
import { flagOf } from "../../settings/settings.ts";
import { startSettings } from "../../settings/start-settings.ts";
import type { Given } from "../../settings/values.ts";
import { programName } from "../command.ts";
import { withVariables } from "./variables.ts";

/** The values of rows that varied, in one environment or several. */
export type VariedRows = ReadonlyMap<AssumptionId, readonly (string | number)[]>;

/** The report of a run's sandboxes, those in processes of its command too. */
export interface RunReport {
  /** False if no request came. */
  readonly isReached: boolean;
  readonly rows: VariedRows;
}

/** Acts with variables set for the sandboxes of this process and of those below it. Returns the result with their report. */
export async function reported<Result>(
  variables: Readonly<Record<string, string>>,
  act: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly report: RunReport }> {
  const folder = mkdtempSync(join(tmpdir(), `${programName}-`));
  const file = join(folder, "varied");
  try {
    const result = await withVariables({ ...variables, OFFERING_SANDBOX_VARY_REPORT: file }, act);
    return { result, report: readReport(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string): RunReport {
  const lines = ((): string[] => {
    try {
      return readFileSync(file, "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  })();
  const rows = new Map<AssumptionId, (string | number)[]>();
  for (const line of lines) {
    for (const [id, value] of Object.entries(JSON.parse(line) as Record<AssumptionId, string | number>)) {
      const values = rows.get(id as AssumptionId) ?? [];
      rows.set(id as AssumptionId, values.includes(value) ? values : [...values, value]);
    }
  }
  return { isReached: lines.length > 0, rows };
}

/** `list.order=id, errors.body=empty, … 11 more` */
export function briefly(rows: VariedRows, most = 4): string {
  const texts = [...rows].map(([id, values]) => `${id}=${values.join("|")}`);
  const more = texts.length - most;
  return more > 1 ? `${texts.slice(0, most).join(", ")}, … ${more} more` : texts.join(", ");
}

/** A value with its section, question and meaning: `list.first_page=0   (8: First page's number; counted from 0)`. */
export function inItsWords(id: AssumptionId, values: readonly (string | number)[]): string {
  const row: Row | undefined = catalogue.find((one) => one.id === id);
  const meanings = values.flatMap((value) => row?.values[value] ?? []);
  const words = [`${row?.section}: ${row?.question}`, ...meanings].join("; ");
  const others = values.slice(1).map((value) => ` or ${value}`);
  return `${id}=${values[0]}${others.join("")}   (${words})`;
}

/** A command line to paste: the flags of this one without some, then others, then the command. */
export function again(
  command: string,
  given: readonly Given[],
  flags: readonly string[],
  child: readonly string[],
  without: readonly string[] = ["vary", "varySeed", "varyCover", "by", "mostRuns", "casesDir", "coverageDir"],
): string {
  const kept = given
    .filter(({ setting }) => !without.includes(setting))
    .map(({ setting, text }) => {
      const known = Object.entries(startSettings).find(([name]) => name === setting)?.[1];
      return `--${known ? flagOf(setting, known) : setting}=${text}`;
    });
  return [programName, command, ...flags, ...kept, "--", ...child].map(shellWord).join(" ");
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
