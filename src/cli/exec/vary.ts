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
import { loadExecSettings, runAlongside } from "./run-alongside.ts";
import {
  type Alternative,
  formatAlternative,
  type Outcome,
  reportResult,
  formatOutcome,
  type Run,
} from "./vary-report.ts";

interface VaryOptions {
  /** The ids of the rows to vary; undefined for all rows except those that vary only by name. */
  readonly ids: readonly string[] | undefined;
  readonly jobs: number;
  /** The file for the report. */
  readonly report: string | undefined;
}

/**
 * Runs a command without variation, then once for each alternative value of a row on which a response depended, and
 * reports the values with which it fails. Returns the exit code. Throws ValidationError for flags that exclude
 * `--vary`.
 */
export async function vary(
  flagValues: readonly TextValue[],
  child: readonly string[],
  { ids, jobs, report }: VaryOptions,
): Promise<number> {
  const rows = await undecidedRows(ids, flagValues, jobs);
  if (report !== undefined) await checkWritable(report);
  const runs = await openRuns(flagValues, child, jobs);
  try {
    const baseline = await runs.run();
    const isStopped = runs.stop.aborted;
    const alternativeValues = baseline.code === 0 && !isStopped && baseline.uses.length > 0 ? rows : [];
    const alternatives = alternativesOf(alternativeValues, baseline.uses);
    const unused = alternativeValues.map(({ id }) => id).filter((id) => baseline.uses.every((use) => use.id !== id));
    const outcomes = alternativeValues.length > 0 ? await runAlternatives(alternatives, runs, jobs) : [];
    return await reportResult({ baseline, isStopped, alternatives, unused, outcomes }, { flagValues, child }, report);
  } finally {
    await runs.close();
  }
}

/** Throws FileWriteError if a file can be neither written nor replaced. */
async function checkWritable(file: string): Promise<void> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isDirectory()) throw new FileWriteError(file, new Error("it is a folder"));
  if (status === undefined || status.isFile()) await makeWritableFolder(dirname(file));
}

/** Returns the rows to vary. Throws ValidationError for a row that is set, and for settings that runs cannot share. */
async function undecidedRows(
  ids: readonly string[] | undefined,
  flagValues: readonly TextValue[],
  jobs: number,
): Promise<ReturnType<typeof rowsToVary>> {
  const { settings } = await loadExecSettings(flagValues);
  const decidedIds = new Set(Object.keys(withCors(settings) ?? {}));
  const rows = rowsToVary(ids);
  const conflictingId = ids?.find((id) => decidedIds.has(id));
  if (conflictingId !== undefined)
    throw new ValidationError(
      `--vary: ${conflictingId} is set by a flag, a variable or the config file, so it cannot vary; remove it there or from --vary.`,
    );
  if (settings.db !== undefined)
    throw new ValidationError(
      "--vary starts a new sandbox for each value, but --db restores the environments of the previous run; omit one of them.",
    );
  if (jobs > 1 && flagValues.some(({ setting }) => setting === "port"))
    throw new ValidationError(
      `--port is for one sandbox, and --jobs ${jobs} runs ${jobs} sandboxes at once; omit one of them.`,
    );
  return rows.filter(({ id }) => !decidedIds.has(id));
}

/** Prepares the runs of a command, which a signal stops. Only the first run shows its output. */
async function openRuns(flagValues: readonly TextValue[], child: readonly string[], jobs: number) {
  const folder = await mkdtemp(join(tmpdir(), `${programName}-`));
  const controller = new AbortController();
  const { signal: stop } = controller;
  const abort = (): void => controller.abort();
  // Each run adds listeners for the signals.
  process.setMaxListeners(jobs + 10);
  for (const signal of stopSignals) process.on(signal, abort);
  let runCount = 0;
  return {
    stop,
    async run(this: void, alternative?: Alternative): Promise<Run> {
      const usesFile = join(folder, String(runCount));
      const isSilent = runCount > 0;
      runCount += 1;
      const varied = alternative
        ? [{ setting: "assumptions", text: formatAlternative(alternative), place: "--vary" }]
        : [];
      const code = await runAlongside([...flagValues, ...varied], child, { usesFile, isSilent, stop });
      return { code, uses: readUses(usesFile) };
    },
    async close(): Promise<void> {
      for (const signal of stopSignals) process.off(signal, abort);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Runs = Awaited<ReturnType<typeof openRuns>>;

/** Returns the alternative values of the rows on which a response depended, unless the sandbox itself set the row. */
function alternativesOf(rows: ReturnType<typeof rowsToVary>, uses: readonly AssumptionUse[]): Alternative[] {
  return rows.flatMap(({ id, values }) => {
    const undecided = uses.filter((use) => use.id === id && !use.isDecided);
    return values.filter((value) => undecided.some((use) => use.value !== value)).map((value) => ({ id, value }));
  });
}

/** Runs the command with each alternative, `jobs` at once, until a signal stops it. Prints each outcome. */
async function runAlternatives(alternatives: readonly Alternative[], runs: Runs, jobs: number): Promise<Outcome[]> {
  printError(`Alternative values of the assumptions on which its responses depended: ${alternatives.length}`);
  const outcomes: Outcome[] = [];
  const queue = alternatives.values();
  const runQueue = async (): Promise<void> => {
    for (const alternative of queue) {
      const outcome = await runAlternative(alternative, runs);
      if (!outcome) return;
      outcomes.push(outcome);
      printError(formatOutcome(outcome, outcomes.length, alternatives));
    }
  };
  await Promise.all(Array.from({ length: jobs }, runQueue));
  return outcomes;
}

/** Runs the command with an alternative, twice if it fails. Returns undefined if a signal ended it. */
async function runAlternative(alternative: Alternative, { run, stop }: Runs): Promise<Outcome | undefined> {
  const startedAt = performance.now();
  const firstRun = stop.aborted ? undefined : await run(alternative);
  const secondRun = firstRun?.code === 0 || stop.aborted ? undefined : await run(alternative);
  if (!firstRun || stop.aborted) return undefined;
  const seconds = (performance.now() - startedAt) / 1000;
  if (secondRun) return { alternative, seconds, verdict: secondRun.code === 0 ? "flaky" : "fails" };
  const isUsed = firstRun.uses.some(({ id, value }) => id === alternative.id && value === alternative.value);
  return { alternative, seconds, verdict: isUsed ? "passes" : "not used" };
}
