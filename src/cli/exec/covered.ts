import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { CoverageReport } from "../../public/coverage-report.ts";
import { judgeOf } from "../../coverage/report.ts";
import { readSums } from "../../coverage/sums.ts";
import { CoverageCounts, partEnding } from "../../coverage/counts.ts";
import { readTextFile, unreadable, makeWritableFolder } from "../../files/file.ts";
import { codeOf, ValidationError } from "../../validation/errors.ts";
import { escaped } from "../../text/text.ts";
import { programName } from "../command.ts";
import { explain } from "../output/text.ts";
import { appendStepSummary, replaceFile } from "../output/files.ts";
import { print, printError, printJson } from "../output/terminal.ts";

interface CoverageFlags {
  readonly require: readonly string[];
  /** The folder for the report; the working directory without one. */
  readonly coverageDir: string | undefined;
}

/**
 * Runs a command whose sandboxes write their counts to a folder, and then prints and writes one report of them all.
 * `run` gets the path of that folder. Returns the exit code of the command or, if that is 0, 3 for a missed requirement
 * or if no request came. Throws FileWriteError before the command runs. A later error is thrown only if the command
 * ended with 0; otherwise it is printed.
 */
export async function covered(
  { require: required, coverageDir }: CoverageFlags,
  run: (parts: string) => Promise<number>,
): Promise<number> {
  const judge = judgeOf(required);
  await makeWritableFolder(coverageDir ?? process.cwd());
  const parts = await mkdtemp(join(tmpdir(), `${programName}-`));
  try {
    const code = await run(parts);
    try {
      const sum = await addedUp([parts]);
      const verdict = judge(sum.report());
      const isEmpty = sum.requests === 0;
      const lines = isEmpty ? ["Contract coverage: no request came."] : verdict.lines;
      for (const line of lines) printError(line);
      if (!isEmpty) await writeReport(sum, coverageDir);
      await appendStepSummary(lines);
      return code !== 0 ? code : verdict.exitCode;
    } catch (error) {
      if (code === 0) throw error;
      printError(explain(error));
      return code;
    }
  } finally {
    await rm(parts, { recursive: true, force: true });
  }
}

/** Throws FileWriteError. */
async function writeReport(sum: CoverageCounts, coverageDir: string | undefined): Promise<void> {
  const file = join(coverageDir ?? ".", "coverage.json");
  await replaceFile(file, `${JSON.stringify(sum.report(), null, 1)}\n`);
  if (coverageDir !== undefined) {
    const part = randomUUID();
    await replaceFile(join(coverageDir, `${part}${partEnding}`), `${JSON.stringify(sum.sums(part))}\n`);
  }
  printError(`Written: ${escaped(relative("", file))}`);
}

/** Prints the report of folders, or else of `read`, and its verdict. Returns the exit code. Throws as `addedUp`. */
export async function printCoverage(
  required: readonly string[],
  isJson: boolean,
  folders: readonly string[],
  read: () => Promise<CoverageReport>,
): Promise<number> {
  const judge = judgeOf(required);
  const report = folders.length > 0 ? (await addedUp(folders)).report() : await read();
  const { lines, exitCode } = judge(report);
  if (isJson) printJson(report);
  else {
    print(lines.join("\n"));
    await appendStepSummary(lines);
  }
  return exitCode;
}

/**
 * Adds up what processes wrote to folders; each process counts once, however often its file is there. Throws
 * FileReadError, FileValidationError, and ValidationError for a path that is not a folder.
 */
async function addedUp(folders: readonly string[]): Promise<CoverageCounts> {
  const sum = new CoverageCounts();
  const known = new Set<string>();
  for (const file of (await Promise.all(folders.map(partsIn))).flat()) {
    const sums = readSums(await readTextFile(file), file);
    if (!known.has(sums.part)) sum.add(CoverageCounts.of(sums));
    known.add(sums.part);
  }
  return sum;
}

async function partsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(partEnding)).map((name) => join(folder, name));
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") throw unreadable(folder, error);
    throw new ValidationError(
      `${escaped(folder)} is not a folder; expected one that exec --coverage-dir or coverageDir wrote to.`,
    );
  }
}
