import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { CoverageReport } from "../../public/coverage-report.ts";
import { judgeOf } from "../../coverage/report.ts";
import { readCounts } from "../../coverage/sums.ts";
import { CoverageCounts, partSuffix } from "../../coverage/counts.ts";
import { readTextFile, unreadable, makeWritableFolder } from "../../files/file.ts";
import { codeOf, ValidationError } from "../../validation/errors.ts";
import { escaped } from "../../text/text.ts";
import { programName } from "../command.ts";
import { formatError } from "../output/text.ts";
import { appendStepSummary, replaceFile } from "../output/files.ts";
import { print, printError, printJson } from "../output/terminal.ts";

interface CoverageFlags {
  readonly require: readonly string[];
  /** The folder for the report. @default the working directory */
  readonly coverageDir: string | undefined;
}

/**
 * Runs a command whose sandboxes write their counts to a folder, then prints and writes a report of all counts. `run`
 * gets the path of that folder. Returns the exit code of the command or, if that is 0, 3 for a missed requirement or
 * without any request. Throws FileWriteError before the command runs. A later error is thrown only if the exit code of
 * the command is 0; otherwise it is printed.
 */
export async function runCovered(
  { require: required, coverageDir }: CoverageFlags,
  run: (parts: string) => Promise<number>,
): Promise<number> {
  const judge = judgeOf(required);
  await makeWritableFolder(coverageDir ?? process.cwd());
  const partsFolder = await mkdtemp(join(tmpdir(), `${programName}-`));
  try {
    const code = await run(partsFolder);
    try {
      const counts = await addParts([partsFolder]);
      const verdict = judge(counts.report());
      const isEmpty = counts.requests === 0;
      const lines = isEmpty ? ["Contract coverage: no request came."] : verdict.lines;
      for (const line of lines) printError(line);
      if (!isEmpty) await writeReport(counts, coverageDir);
      await appendStepSummary(lines);
      return code !== 0 ? code : verdict.exitCode;
    } catch (error) {
      if (code === 0) throw error;
      printError(formatError(error));
      return code;
    }
  } finally {
    await rm(partsFolder, { recursive: true, force: true });
  }
}

/** Writes the report, and with a folder also the counts. Throws FileWriteError. */
async function writeReport(counts: CoverageCounts, coverageDir: string | undefined): Promise<void> {
  const file = join(coverageDir ?? ".", "coverage.json");
  await replaceFile(file, `${JSON.stringify(counts.report(), null, 1)}\n`);
  if (coverageDir !== undefined) {
    const part = randomUUID();
    await replaceFile(join(coverageDir, `${part}${partSuffix}`), `${JSON.stringify(counts.serialize(part))}\n`);
  }
  printError(`Written: ${escaped(relative("", file))}`);
}

/** Prints the report of folders, by default of `readReport`. Returns the exit code. Throws like `addParts`. */
export async function printCoverage(
  required: readonly string[],
  isJson: boolean,
  folders: readonly string[],
  readReport: () => Promise<CoverageReport>,
): Promise<number> {
  const judge = judgeOf(required);
  const report = folders.length > 0 ? (await addParts(folders)).report() : await readReport();
  const { lines, exitCode } = judge(report);
  if (isJson) printJson(report);
  else {
    print(lines.join("\n"));
    await appendStepSummary(lines);
  }
  return exitCode;
}

/**
 * Adds the counts that processes wrote to folders. Copies of a file count once. Throws FileReadError,
 * FileValidationError, and ValidationError for a path that is not a folder.
 */
async function addParts(folders: readonly string[]): Promise<CoverageCounts> {
  const counts = new CoverageCounts();
  const knownParts = new Set<string>();
  for (const file of (await Promise.all(folders.map(partsIn))).flat()) {
    const sums = readCounts(await readTextFile(file), file);
    if (!knownParts.has(sums.part)) counts.add(CoverageCounts.of(sums));
    knownParts.add(sums.part);
  }
  return counts;
}

async function partsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(partSuffix)).map((name) => join(folder, name));
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") throw unreadable(folder, error);
    throw new ValidationError(
      `${escaped(folder)} is not a folder; expected a folder to which exec --coverage-dir or coverageDir wrote.`,
    );
  }
}
