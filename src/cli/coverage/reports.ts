import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CoverageReport } from "../../control.ts";
import { readReport } from "../../coverage/read-report.ts";
import { Tally, tallyOf } from "../../coverage/tally.ts";
import { readTextFile, unreadable } from "../../model/file.ts";
import { codeOf, Mistake } from "../../model/mistakes.ts";
import { escaped } from "../../model/text.ts";
import { configOptions, presentConfig } from "../../sandbox/config-file.ts";

/** Reads one report. Throws UnreadableFile and FileMistakes. */
export async function reportIn(file: string): Promise<CoverageReport> {
  return readReport(await readTextFile(file), file);
}

/**
 * Adds up the reports in folders; each process counts once, however often it is there. Throws UnreadableFile, FileMistakes, and
 * Mistake for a folder that is not there, or a report with only a part of what was counted already.
 */
export async function mergedReport(folders: readonly string[]): Promise<CoverageReport> {
  const files = (await Promise.all(folders.map(reportFiles))).flat();
  const reports = await Promise.all(files.map(async (file) => ({ file, report: await reportIn(file) })));
  const sums = new Tally();
  const exceptions = { ...(await exceptionsHere()) };
  // A report of several processes stands beside those of single ones.
  for (const { file, report } of reports.toSorted(
    (one, other) => one.report.parts.length - other.report.parts.length,
  )) {
    const known = report.parts.filter((part) => sums.parts.has(part));
    for (const { id, reason } of report.excepted) exceptions[id] ??= reason;
    if (known.length === 0) sums.add(tallyOf(report));
    else if (known.length < report.parts.length) {
      throw new Mistake(
        `${escaped(file)} has processes of other reports here, and some that they lack; expected either all or none.`,
      );
    }
  }
  return sums.report(exceptions);
}

/** Those of the nearest config file. */
async function exceptionsHere(): Promise<Readonly<Record<string, string>>> {
  const file = presentConfig();
  return file === undefined ? {} : ((await configOptions(file)).coverage?.except ?? {});
}

/** The JSON files of a folder; a file itself. Throws Mistake if there is neither, and UnreadableFile. */
async function reportFiles(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const files = entries.filter((one) => one.name.endsWith(".json") && !one.isDirectory());
    return files.map(({ name }) => join(path, name)).toSorted();
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return [path];
    if (codeOf(error) !== "ENOENT") throw unreadable(path, error);
    throw new Mistake(`${escaped(path)} is not there; expected a folder with reports, or a report.`);
  }
}
