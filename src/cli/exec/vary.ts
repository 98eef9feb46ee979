import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rowsToVary } from "../../assumptions/catalog.ts";
import { makeWritableFolder } from "../../files/file.ts";
import { ValidationError, FileWriteError } from "../../validation/errors.ts";
import { withCors } from "../../sandbox/config-file.ts";
import { type AssumptionUse, readUses } from "../../sandbox/exec-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import { programName } from "../command.ts";
import { printError } from "../output/terminal.ts";
import { stopSignals } from "../serve/process.ts";
import { loadSettingsBeside, runAlongside } from "./run-alongside.ts";
import { type Alternative, nameOf, type Outcome, reportIssues, resultLine, type Run } from "./vary-report.ts";

interface VaryOptions {
  /** The ids of the rows to vary; undefined for all except those that vary only by name. */
  readonly ids: readonly string[] | undefined;
  readonly jobs: number;
  /** The file for the report. */
  readonly report: string | undefined;
}

/**
 * Runs a command as it is, then once for each other value of a row on which a response depended, and names the values
 * with which it fails. Returns the exit code. Throws ValidationError for flags that exclude `--vary`.
 */
export async function vary(
  given: readonly TextValue[],
  child: readonly string[],
  { ids, jobs, report }: VaryOptions,
): Promise<number> {
  const rows = await undecidedRows(ids, given, jobs);
  if (report !== undefined) await expectWritable(report);
  const runs = await openRuns(given, child, jobs);
  try {
    const baseline = await runs.run();
    const isStopped = runs.stop.aborted;
    const variedRows = baseline.code === 0 && !isStopped && baseline.uses.length > 0 ? rows : [];
    const alternatives = alternativesOf(variedRows, baseline.uses);
    const unused = variedRows.map(({ id }) => id).filter((id) => baseline.uses.every((use) => use.id !== id));
    const outcomes = variedRows.length > 0 ? await outcomesOf(alternatives, runs, jobs) : [];
    return await reportIssues({ baseline, isStopped, alternatives, unused, outcomes }, { given, child }, report);
  } finally {
    await runs.close();
  }
}

/** Throws FileWriteError for a file that cannot be written, or replaced. */
async function expectWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new FileWriteError(file, new Error("it is a folder"));
  if (found === undefined || found.isFile()) await makeWritableFolder(dirname(file));
}

/**
 * The rows to vary. Throws ValidationError for a row that is both named and set, and for settings that runs cannot
 * share.
 */
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
    throw new ValidationError(
      `--vary: ${both} is set by a flag, a variable or the config file, and stays; leave it out of one of them.`,
    );
  if (settings.db !== undefined)
    throw new ValidationError(
      "--vary asks each reading of a new sandbox, and --db keeps the one before; omit one of them.",
    );
  if (jobs > 1 && given.some(({ setting }) => setting === "port"))
    throw new ValidationError(`--port is for one sandbox, and --jobs ${jobs} runs ${jobs} at once; omit one of them.`);
  return rows.filter(({ id }) => !set.has(id));
}

/** Prepares the runs of a command, which a signal stops. Only the first run shows its output. */
async function openRuns(given: readonly TextValue[], child: readonly string[], jobs: number) {
  const folder = await mkdtemp(join(tmpdir(), `${programName}-`));
  const controller = new AbortController();
  const { signal: stop } = controller;
  const abort = (): void => controller.abort();
  // Each run listens to the signals too.
  process.setMaxListeners(jobs + 10);
  for (const signal of stopSignals) process.on(signal, abort);
  let runCount = 0;
  return {
    stop,
    async run(this: void, alternative?: Alternative): Promise<Run> {
      const usesFile = join(folder, String(runCount));
      const isSilent = runCount > 0;
      runCount += 1;
      const varied = alternative ? [{ setting: "assumptions", text: nameOf(alternative), place: "--vary" }] : [];
      const code = await runAlongside([...given, ...varied], child, { usesFile, isSilent, stop });
      return { code, uses: readUses(usesFile) };
    },
    async close(): Promise<void> {
      for (const signal of stopSignals) process.off(signal, abort);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Runs = Awaited<ReturnType<typeof openRuns>>;

/** The other values of the rows on which a response depended, unless a sandbox had decided the row itself. */
function alternativesOf(rows: ReturnType<typeof rowsToVary>, uses: readonly AssumptionUse[]): Alternative[] {
  return rows.flatMap(({ id, values }) => {
    const undecided = uses.filter((use) => use.id === id && !use.isDecided);
    return values.filter((value) => undecided.some((use) => use.value !== value)).map((value) => ({ id, value }));
  });
}

/** Runs the command with each alternative, `jobs` of them at once, until a signal stops it. Prints each outcome. */
async function outcomesOf(alternatives: readonly Alternative[], runs: Runs, jobs: number): Promise<Outcome[]> {
  printError(`Other readings of the rows on which its responses depended: ${alternatives.length}`);
  const outcomes: Outcome[] = [];
  const queue = alternatives.values();
  const work = async (): Promise<void> => {
    for (const alternative of queue) {
      const outcome = await outcomeOf(alternative, runs);
      if (!outcome) return;
      outcomes.push(outcome);
      printError(resultLine(outcome, outcomes.length, alternatives));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return outcomes;
}

/** Runs the command with an alternative, again if it fails. Returns undefined if a signal ended it. */
async function outcomeOf(alternative: Alternative, { run, stop }: Runs): Promise<Outcome | undefined> {
  const start = performance.now();
  const first = stop.aborted ? undefined : await run(alternative);
  const second = first?.code === 0 || stop.aborted ? undefined : await run(alternative);
  if (!first || stop.aborted) return undefined;
  const seconds = (performance.now() - start) / 1000;
  if (second) return { alternative, seconds, verdict: second.code === 0 ? "flaky" : "fails" };
  const isUsed = first.uses.some(({ id, value }) => id === alternative.id && value === alternative.value);
  return { alternative, seconds, verdict: isUsed ? "passes" : "not used" };
}
