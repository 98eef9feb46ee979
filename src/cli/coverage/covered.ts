import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { verdictExitCode, judgeOf, type Requirement } from "../../coverage/requirements.ts";
import { partEnding, type CoverageTally } from "../../coverage/tally.ts";
import { reportOf } from "../../coverage/report.ts";
import { reportLines } from "../../coverage/texts.ts";
import { escaped } from "../../model/text.ts";
import { makeWritableFolder } from "../../sandbox/made-folder.ts";
import { programName } from "../command.ts";
import { withVariables } from "../exec/variables.ts";
import { explain } from "../failure.ts";
import { replaceFile } from "../output/replace-file.ts";
import { printError } from "../output/terminal.ts";
import { addedUp } from "./parts.ts";
import { appendStepSummary } from "./step-summary.ts";

interface CoverageFlags {
  readonly require: readonly Requirement[];
  /** The folder for the report; the working directory without one. */
  readonly coverageDir: string | undefined;
}

/**
 * Runs a command with coverage in its sandboxes, those in processes of its own too; prints and writes the report. Returns the exit
 * code: the command's, or 3 for a bad verdict, or if no request came. `run` is given the folder for the sums of sandboxes.
 * Throws UnwritableFile before the command runs, and after one that ended with 0.
 */
export async function covered(
  { require: required, coverageDir }: CoverageFlags,
  run: (parts: string) => Promise<number>,
): Promise<number> {
  const judge = judgeOf(required);
  await makeWritableFolder(coverageDir ?? ".");
  const parts = await mkdtemp(join(tmpdir(), `${programName}-`));
  try {
    const code = await withVariables({ OFFERING_SANDBOX_COVERAGE_DIR: parts }, () => run(parts));
    try {
      const sum = await addedUp([parts]);
      const verdict = judge(reportOf(sum));
      const isEmpty = sum.requests === 0;
      const text = isEmpty ? ["Contract coverage: no request came."] : reportLines(verdict);
      const lines = text.map((line) => escaped(line));
      for (const line of lines) printError(line);
      if (!isEmpty) await writeReport(sum, coverageDir);
      await appendStepSummary(lines);
      return code !== 0 ? code : verdictExitCode(verdict);
    } catch (error) {
      if (code === 0) throw error;
      printError(explain(error));
      return code;
    }
  } finally {
    await rm(parts, { recursive: true, force: true });
  }
}

/** Throws UnwritableFile. */
async function writeReport(sum: CoverageTally, coverageDir: string | undefined): Promise<void> {
  const file = join(coverageDir ?? ".", "coverage.json");
  await replaceFile(file, `${JSON.stringify(reportOf(sum), null, 1)}\n`);
  if (coverageDir !== undefined) {
    const part = randomUUID();
    await replaceFile(join(coverageDir, `${part}${partEnding}`), `${JSON.stringify(sum.sums(part))}\n`);
  }
  printError(`Written: ${escaped(relative("", file))}`);
}
