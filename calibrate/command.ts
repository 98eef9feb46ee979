import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { replaceFile } from "../src/cli/output/files.ts";
import { print, printError, printJson, printProgress } from "../src/cli/output/terminal.ts";
import { type Duration, formatDuration, readDuration } from "../src/time/duration.ts";
import { readTextFile } from "../src/files/file.ts";
import { ValidationError } from "../src/validation/errors.ts";
import { isLoopback } from "../src/text/origin.ts";
import { escaped, escapedData, formatCount } from "../src/text/text.ts";
import { type Calibration, calibrate, type CalibrationOptions } from "./calibration.ts";
import { compareReports, lostRows } from "./compare.ts";
import { formatConfig } from "./config.ts";
import { type KeyOptions, readKeys } from "./real-keys.ts";
import { type CalibrationReport, readReport } from "./report.ts";
import { exitCodeOf, formatComparison, formatEnd, formatPlan, formatReport, formatVerdict } from "./report-lines.ts";
import { type ExploreOptions, KeyRefusedError } from "./service/explore.ts";
import { planOf } from "./service/plan.ts";
import { requireConsent, offeringId, serviceUrl } from "./target.ts";

/** The flags of the command, which src/cli/commands/calibrate.ts describes, and the variable with the keys. */
export interface CommandOptions extends KeyOptions, ExploreOptions {
  readonly url: string | undefined;
  readonly offering: string | undefined;
  readonly pace: Duration;
  readonly maxRequests: number;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly out: string;
  readonly report: string;
  readonly check: boolean;
  readonly json: boolean;
  /** The command that checks the report, without a key. */
  readonly checkCommand: string;
}

/** Runs the command. Returns its exit code. Throws a ValidationError for wrong usage. */
export async function runCommand(options: CommandOptions, version: string): Promise<number> {
  const { out, report: reportFile, check, json } = options;
  const url = serviceUrl(options.url);
  const offering = offeringId(options.offering);
  const paceMs = readDuration(options.pace) ?? 0;
  if (paceMs < 500 && !isLoopback(url.hostname))
    throw new ValidationError("--pace: expected at least 500ms, because a key has 120 requests a minute.");
  if (options.dryRun) return showPlan(url, options, paceMs);
  if (!check) checkWritable({ out, report: reportFile });
  const earlierReport = existsSync(reportFile) ? readReport(reportFile, await readTextFile(reportFile)) : undefined;
  if (check && !earlierReport)
    throw new ValidationError(
      `--check needs the report of a calibration: there is no ${escaped(reportFile)}. Name the report with --report, or calibrate without --check first.`,
    );
  const keys = await readKeys(options);
  if (!options.yes) await requireConsent(url);

  const startedAt = performance.now();
  const calibration = await calibrateUntilInterrupted({ ...options, url, offering, keys, paceMs, version });
  const seconds = (performance.now() - startedAt) / 1000;
  if (!calibration) return 1;
  const { report, earlyEnd } = calibration;
  if (!calibration.hasResponded) {
    const reason = earlyEnd?.reason ?? "it sent no useful response";
    printError(`${report.host} could not be calibrated: ${reason}. Nothing was written.`);
    return 1;
  }
  const endingLines = [...formatReport(report), ...formatEnd(calibration, seconds)];
  if (check && earlierReport) return printComparison(earlierReport, report, endingLines, json);
  if (json) printJson(report);
  else printLines(endingLines);
  const isWritten = await writeFiles(earlierReport, report, options);
  return isWritten && !earlyEnd?.isFailure ? 0 : 1;
}

/** Prints the differences from an earlier report. Returns the exit code. */
function printComparison(
  earlierReport: CalibrationReport,
  report: CalibrationReport,
  endingLines: readonly string[],
  json: boolean,
): number {
  const comparison = compareReports(earlierReport, report);
  const code = exitCodeOf(comparison, report);
  if (json) printJson({ ...comparison, report });
  else printLines([...formatComparison(comparison), ...endingLines, formatVerdict(earlierReport, code)]);
  return code;
}

/** Writes the report, and the config file if there is none. Writes nothing and returns false if the earlier report
 * decides a row that the report does not. */
async function writeFiles(
  earlierReport: CalibrationReport | undefined,
  report: CalibrationReport,
  { out, report: reportFile, json, checkCommand }: CommandOptions,
): Promise<boolean> {
  const [outName, reportName] = [escaped(out), escaped(reportFile)];
  const lostDecisions = earlierReport ? lostRows(earlierReport, report) : [];
  if (lostDecisions.length > 0) {
    const names = lostDecisions.map(({ name }) => name).join(", ");
    const reason = `they decide rows that this run does not (${names}). To write this run, name other files.`;
    printError(`${outName} and ${reportName} stay as they are: ${reason}`);
    return false;
  }
  const text = formatConfig(out, report, checkCommand);
  const hasConfig = existsSync(out);
  if (!hasConfig) await replaceFile(out, text);
  await replaceFile(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  const configNote = `${outName} stays as it is. Its members assume and calibrated, by this run:\n\n${text}`;
  if (!json) print(hasConfig ? `Wrote ${reportName}. ${configNote}` : `Wrote ${outName} and ${reportName}.`);
  return true;
}

function printLines(lines: readonly string[]): void {
  print(escapedData(lines).join("\n"));
}

/** The columns of the progress line, and the number of requests for each line outside a terminal. */
const [progressWidth, requestsPerLine] = [50, 20];

/** Calibrates and shows progress. Returns undefined after it has printed a refused key. A signal ends the program. */
async function calibrateUntilInterrupted(
  options: CalibrationOptions & ExploreOptions & { readonly maxRequests: number },
): Promise<Calibration | undefined> {
  const { maxRequests } = planOf({ ...options, keyCount: options.keys.length });
  const isTerminal = process.stderr.isTTY;
  let requestCount = 0;
  const onProgress = (sentCount: number, waitMs: number): void => {
    requestCount = sentCount;
    const pauseText = waitMs > 0 ? `, then a pause of ${Math.round(waitMs / 1000)} s` : "";
    const line = `${formatCount(sentCount, "request")} of at most ${maxRequests}${pauseText}…`;
    if (isTerminal || pauseText !== "" || sentCount % requestsPerLine === 0)
      printProgress(line.padEnd(isTerminal ? progressWidth : 0), false);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    clear();
    printError(`Interrupted after ${formatCount(requestCount, "request")}. Nothing was written.`);
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  const clear = (): void => {
    if (isTerminal) printProgress("".padEnd(progressWidth), true);
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await calibrate({ ...options, onProgress });
  } catch (error) {
    if (!(error instanceof KeyRefusedError)) throw error;
    printError(error.message);
    return undefined;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    clear();
  }
}

function showPlan(url: URL, options: CommandOptions, paceMs: number): 0 {
  const { requests, maxRequests } = planOf({ ...options, keyCount: 2 });
  const rate = paceMs === 1000 ? "one a second" : `${formatDuration(paceMs)} apart`;
  if (options.json) {
    const requestData = requests.map(({ maxRequests: max_requests, ...request }) => ({ ...request, max_requests }));
    printJson({ url: url.href, max_requests: maxRequests, requests: requestData });
  } else print(formatPlan(url.host, maxRequests, requests, rate));
  return 0;
}

/** Throws a ValidationError if a file cannot be written. Called before the first request. */
function checkWritable(files: { readonly out: string; readonly report: string }): void {
  if (resolve(files.out) === resolve(files.report))
    throw new ValidationError("--out and --report: expected two different files.");
  for (const [flag, file] of Object.entries(files)) {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new ValidationError(`--${flag}: ${escaped(file)} is a folder; expected a file.`);
    try {
      accessSync(dirname(resolve(file)), constants.W_OK);
    } catch {
      throw new ValidationError(`--${flag}: there is no writable folder for ${escaped(file)}.`);
    }
  }
}
