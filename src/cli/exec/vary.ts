import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type AssumptionId, rowsToVary } from "../../assumptions/catalogue.ts";
import { messageOf, Mistake, UnwritableFile } from "../../mistakes/mistakes.ts";
import { type AssumptionUse, readUses } from "../../sandbox/exec-settings.ts";
import { makeWritableFolder } from "../../files/file.ts";
import { withCors } from "../../sandbox/config-file.ts";
import { text, texts, wholeNumberType } from "../../settings/kinds.ts";
import type { Settings, Values } from "../../settings/settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { programName } from "../command.ts";
import { appendStepSummary, replaceFile } from "../output/files.ts";
import { printError } from "../output/terminal.ts";
import { stopSignals } from "../serve/process.ts";
import { loadSettingsBeside, runBeside } from "./run-beside.ts";
import {
  type CommandLine,
  commandLine,
  type Outcome,
  type Reading,
  resultLine,
  summaryLines,
  withoutSecretWords,
} from "./vary-lines.ts";

/** Stands for all rows except those that vary only by name. */
const allRows = "all";

export const varyFlags = {
  vary: {
    kind: texts("rows", "ids of assumptions", /^[a-z_.]+$/),
    defaultInWords: "one run",
    bareText: allRows,
    help: "run the command again for each other reading of the assumptions on which its answers rested, or of these",
  },
  jobs: { kind: wholeNumberType(1, 64), default: 1, help: "runs of --vary at once" },
  report: { kind: text("file", "a file"), defaultInWords: "none", help: "report of --vary to write, as JSON" },
} as const satisfies Settings;

/**
 * Runs a command as it is, then once for each other reading of a row on which an answer depended, and names the
 * readings with which it fails. Returns the exit code. Throws Mistake for flags that exclude `--vary`.
 */
export async function vary(
  given: readonly TextValue[],
  child: readonly string[],
  { vary: named = [], jobs, report }: Values<typeof varyFlags>,
): Promise<number> {
  const rows = await undecidedRows(named.includes(allRows) ? undefined : named, given, jobs);
  if (report !== undefined) await expectWritable(report);
  const folder = await mkdtemp(join(tmpdir(), `${programName}-`));
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  // Each run listens to the signals too.
  process.setMaxListeners(jobs + 10);
  for (const signal of stopSignals) process.on(signal, abort);
  let begun = 0;
  let hasPassed = false;
  let uses: readonly AssumptionUse[] = [];
  let readings: readonly Reading[] = [];
  let unused: readonly AssumptionId[] = [];
  const outcomes: Outcome[] = [];
  // Others read a report and the page of a job: words of the command that look secret are concealed there.
  const shown = withoutSecretWords({ given, child });
  const end = async (exitCode: number, linesOf: (line: CommandLine) => readonly string[]): Promise<number> => {
    for (const line of linesOf({ given, child })) printError(line);
    const commandOf = (reading: Reading): string => commandLine(reading, shown);
    const { varyReport } = await import("./vary-report.ts");
    const found = varyReport({ child: shown.child, exitCode, hasPassed, uses, readings, outcomes, unused, commandOf });
    if (report !== undefined) {
      await replaceFile(report, `${JSON.stringify(found, null, 1)}\n`).catch((error: unknown) => {
        if (exitCode === 0) throw error;
        printError(messageOf(error));
      });
    }
    await appendStepSummary([
      ...outcomes.map((outcome, at) => resultLine(outcome, at + 1, readings)),
      ...linesOf(shown),
    ]);
    return exitCode;
  };
  const run = async (more: readonly TextValue[]): Promise<Run> => {
    const usesFile = join(folder, String(begun));
    const isSilent = begun > 0;
    begun += 1;
    const code = await runBeside([...given, ...more], child, { usesFile, isSilent, stop: stop.signal });
    return { code, uses: readUses(usesFile) };
  };
  try {
    const first = await run([]);
    ({ uses } = first);
    if (stop.signal.aborted) return await end(first.code || 1, () => []);
    if (first.code !== 0) return await end(first.code, () => ["The command fails as it is; mend that first."]);
    hasPassed = true;
    if (uses.length === 0)
      return await end(3, () => ["Nothing to vary: no request came whose answer depends on an assumption."]);
    readings = readingsOf(rows, uses);
    unused = rows.map(({ id }) => id).filter((id) => uses.every((use) => use.id !== id));
    printError(`Other readings of the rows on which its answers rested: ${readings.length}`);
    const queue = readings.values();
    const work = async (): Promise<void> => {
      for (const reading of queue) {
        const outcome = await outcomeOf(reading, run, stop.signal);
        if (!outcome) return;
        outcomes.push(outcome);
        printError(resultLine(outcome, outcomes.length, readings));
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    const isShown = outcomes.every(({ verdict }) => verdict === "passes" || verdict === "not met");
    return await end(isShown && outcomes.length === readings.length ? 0 : 1, (line) =>
      summaryLines(outcomes, { readings, unused, line }),
    );
  } finally {
    for (const signal of stopSignals) process.off(signal, abort);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws UnwritableFile for a file that cannot be written, or replaced. */
async function expectWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new UnwritableFile(file, new Error("it is a folder"));
  if (found === undefined || found.isFile()) await makeWritableFolder(dirname(file));
}

/** The rows to vary. Throws Mistake for a row that is both named and set, and for settings that runs cannot share. */
async function undecidedRows(
  ids: readonly string[] | undefined,
  given: readonly TextValue[],
  jobs: number,
): Promise<ReturnType<typeof rowsToVary>> {
  const { settings } = await loadSettingsBeside(given);
  const set = new Set(Object.keys(withCors(settings) ?? {}));
  const rows = rowsToVary(ids);
  const both = ids?.find((id) => set.has(id));
  if (both !== undefined)
    throw new Mistake(
      `--vary: ${both} is set by a flag, a variable or the config file, and stays; leave it out of one of them.`,
    );
  if (settings.db !== undefined)
    throw new Mistake(
      "--vary asks each reading of a new sandbox, and --db keeps the one before; leave out one of them.",
    );
  if (jobs > 1 && given.some(({ setting }) => setting === "port"))
    throw new Mistake(`--port is for one sandbox, and --jobs ${jobs} runs ${jobs} at once; leave out one of them.`);
  return rows.filter(({ id }) => !set.has(id));
}

/** The other readings of the rows on which an answer depended, unless a sandbox had decided the row itself. */
function readingsOf(rows: ReturnType<typeof rowsToVary>, uses: readonly AssumptionUse[]): Reading[] {
  return rows.flatMap(({ id, values }) => {
    const used = uses.filter((use) => use.id === id && !use.isDecided);
    return values.filter((value) => used.some((use) => use.value !== value)).map((value) => ({ id, value }));
  });
}

/** A finished run. */
interface Run {
  readonly code: number;
  readonly uses: readonly AssumptionUse[];
}

/** Runs the command with a reading, again if it fails. Returns undefined if a signal ended it. */
async function outcomeOf(
  reading: Reading,
  run: (more: readonly TextValue[]) => Promise<Run>,
  stop: AbortSignal,
): Promise<Outcome | undefined> {
  const { id, value } = reading;
  const start = performance.now();
  const ask = (): Promise<Run> => run([{ setting: "assumptions", text: `${id}=${value}`, place: "--vary" }]);
  const first = stop.aborted ? undefined : await ask();
  const second = first?.code === 0 || stop.aborted ? undefined : await ask();
  if (!first || stop.aborted) return undefined;
  const seconds = (performance.now() - start) / 1000;
  if (second) return { reading, seconds, verdict: second.code === 0 ? "flaky" : "fails" };
  const isMet = first.uses.some((use) => use.id === id && use.value === value);
  return { reading, seconds, verdict: isMet ? "passes" : "not met" };
}
