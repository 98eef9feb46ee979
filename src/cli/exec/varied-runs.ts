import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssumptionId, catalogue } from "../../assumptions/catalogue.ts";
import type { Row } from "../../assumptions/row.ts";
import { flagOf } from "../../settings/settings.ts";
import { startSettings } from "../../settings/start-settings.ts";
import type { Given } from "../../settings/values.ts";
import { programName } from "../command.ts";
import { printError } from "../output/terminal.ts";
import { stopSignals } from "../serve/process.ts";
import { runBeside } from "./run-beside.ts";
import { withVariables } from "./variables.ts";

/** The values of rows that varied, in one environment or several. */
export type VariedRows = ReadonlyMap<AssumptionId, readonly (string | number)[]>;

/** The report of a run's sandboxes, those in processes of its command too. */
interface RunReport {
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

/** Ends a search: one of the signals to stop, or the last run. */
export class Ended extends Error {}

/** Runs of one command, each with some of the rows that a seed varies. Until it is disposed of, signals end it. */
export class VariedRuns {
  count = 0;
  /** The stdout without which a run fails; undefined if it does not count. */
  expected: string | undefined;
  readonly #run: (onOutput?: (chunk: Buffer) => void) => Promise<number>;
  readonly #rows: readonly string[] | undefined;
  readonly #isSilent: boolean;
  readonly #most: number;
  readonly #stop = new AbortController();
  readonly #onSignal = (): void => this.#stop.abort();

  /** `most`: runs at most. `isSilent`: whether the output of the command is read, not shown. */
  constructor(
    given: readonly Given[],
    child: readonly string[],
    {
      rows,
      isSilent = false,
      most = Infinity,
    }: { rows?: readonly string[] | undefined; isSilent?: boolean; most?: number },
  ) {
    this.#run = (onOutput) => runBeside(given, child, { onOutput, stop: this.#stop.signal });
    this.#rows = rows;
    this.#isSilent = isSilent;
    this.#most = most;
    for (const signal of stopSignals) process.on(signal, this.#onSignal);
  }

  [Symbol.dispose](): void {
    for (const signal of stopSignals) process.off(signal, this.#onSignal);
  }

  /** Runs with these rows varied; undefined: all. Throws Ended, also for a run that a signal has ended. */
  async run(words: string, seed: string, only?: readonly AssumptionId[]) {
    if (this.#stop.signal.aborted || this.count === this.#most) throw new Ended();
    const variables = {
      OFFERING_SANDBOX_VARY_SEED: seed,
      ...(this.#rows && { OFFERING_SANDBOX_VARY_ROWS: this.#rows.join(",") }),
      ...(only && { OFFERING_SANDBOX_VARY_ONLY: only.join(",") || "none" }),
    };
    let stdout = "";
    const listen = (chunk: Buffer): void => void (stdout += chunk.toString("latin1"));
    const { result: code, report } = await reported(variables, () => this.#run(this.#isSilent ? listen : undefined));
    if (this.#stop.signal.aborted) throw new Ended();
    this.count += 1;
    const fails = code !== 0 || (this.expected !== undefined && stdout !== this.expected);
    printError(`${this.count}. ${words}: ${fails ? "fails" : "passes"}`);
    return { fails, stdout, report };
  }
}

/** A set of rows or values for a line of progress: by name, or by number. */
export function setInWords(items: readonly string[], of: number): string {
  return items.length > 3 ? `${items.length} of ${of}` : items.join(", ");
}

/** A line for each of the rows that fail together, each with its values. */
export function culpritLines(rows: VariedRows): string[] {
  return [...rows].map(
    ([id, values], at) => `Fails with   ${inItsWords(id, values)}${at > 0 ? "   together with the one above" : ""}`,
  );
}

/** Flags that set these rows to their first values. */
export function assumeFlags(rows: VariedRows): string[] {
  return [...rows].flatMap(([id, [value]]) => ["--assume", `${id}=${value}`]);
}

/** `list.order=id, errors.body=empty, … 11 more` */
export function briefly(rows: VariedRows, most = 4): string {
  const texts = [...rows].map(([id, values]) => `${id}=${values.join("|")}`);
  const more = texts.length - most;
  return more > 1 ? `${texts.slice(0, most).join(", ")}, … ${more} more` : texts.join(", ");
}

/** A value with its section, question and meaning: `list.first_page=0   (8: First page's number; counted from 0)`. */
function inItsWords(id: AssumptionId, values: readonly (string | number)[]): string {
  const row: Row | undefined = catalogue.find((one) => one.id === id);
  const meanings = values.flatMap((value) => row?.values[value] ?? []);
  const words = [`${row?.section}: ${row?.question}`, ...meanings].join("; ");
  const others = values.slice(1).map((value) => ` or ${value}`);
  return `${id}=${values[0]}${others.join("")}   (${words})`;
}

/** Set anew by a command line to paste, or a token, which a log would show. */
const notPasted = new Set("vary varySeed varyCover by mostRuns casesDir coverageDir adminToken openToken".split(" "));

/** A command line to paste: some flags, those given but for a few, then the command of `exec`. */
export function commandLine(
  command: string,
  flags: readonly string[],
  { given, child }: { readonly given: readonly Given[]; readonly child: readonly string[] },
): string {
  const kept = given
    .filter(({ setting }) => !notPasted.has(setting))
    .map(({ setting, text }) => {
      const known = Object.entries(startSettings).find(([name]) => name === setting)?.[1];
      return `--${known ? flagOf(setting, known) : setting}=${text}`;
    });
  return [programName, command, ...flags, ...kept, "--", ...child].map(shellWord).join(" ");
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
