import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { reportJUnit, reportLines } from "../../coverage/texts.ts";
import { escaped } from "../../model/text.ts";
import { makeWritableFolder } from "../../sandbox/made-folder.ts";
import { programName } from "../command.ts";
import { withVariables } from "../exec/variables.ts";
import { explain } from "../failure.ts";
import { replaceFile } from "../output/replace-file.ts";
import { printError } from "../output/terminal.ts";
import { mergedReport } from "./reports.ts";
import { type Judge, judgeOf, type VerdictFlags } from "./verdict.ts";

interface CoveredFlags extends VerdictFlags {
  /** The folder for the reports; the working directory without one. */
  readonly coverageDir: string | undefined;
}

/**
 * Runs a command with coverage in its sandboxes, those in processes of its own too; prints and writes the report. Returns the exit
 * code: the command's, or 3 for a bad verdict, or if no request came. `run` is given the folder for the reports of sandboxes.
 * Throws UnwritableFile before the command runs, and after one that ended with 0.
 */
export async function covered(
  { coverageDir, ...flags }: CoveredFlags,
  run: (parts: string) => Promise<number>,
): Promise<number> {
  const judge = await judgeOf(flags);
  await makeWritableFolder(coverageDir ?? ".");
  const parts = await mkdtemp(join(tmpdir(), `${programName}-`));
  try {
    const code = await withVariables({ OFFERING_SANDBOX_COVERAGE_DIR: parts }, () => run(parts));
    try {
      const judged = await tell(parts, coverageDir, judge);
      return code === 0 ? judged : code;
    } catch (error) {
      if (code === 0) throw error;
      printError(explain(error));
      return code;
    }
  } finally {
    await rm(parts, { recursive: true, force: true });
  }
}

/** Prints and writes the report of the sandboxes. Returns the exit code of the verdict. Throws UnwritableFile. */
async function tell(parts: string, coverageDir: string | undefined, judge: Judge): Promise<0 | 3> {
  const verdict = judge.judge(await mergedReport([parts]));
  const { report } = verdict;
  for (const line of report.requests > 0 ? reportLines(verdict) : ["Contract coverage: no request came."]) {
    printError(escaped(line));
  }
  if (report.requests > 0) {
    const folder = coverageDir ?? ".";
    const json = `${JSON.stringify(report, null, 1)}\n`;
    const written = { "coverage.json": json, "coverage.xml": reportJUnit(verdict) };
    for (const [name, content] of Object.entries(written)) await replaceFile(join(folder, name), content);
    // Of a name that no other job has: a folder may be shared.
    if (coverageDir !== undefined) {
      await replaceFile(join(folder, `${process.pid}-${randomUUID().slice(0, 8)}.json`), json);
    }
    const files = Object.keys(written).map((name) => relative("", join(folder, name)));
    printError(`Written: ${escaped(files.join(", "))}`);
  }
  return judge.close(verdict);
}
