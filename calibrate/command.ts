import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { replaceFile } from "../src/cli/output/files.ts";
import { print, printError, printJson, printProgress } from "../src/cli/output/terminal.ts";
import { count } from "../src/cli/output/text.ts";
import { type Duration, formatDuration, readDuration } from "../src/time/duration.ts";
import { readTextFile } from "../src/files/file.ts";
import { ValidationError } from "../src/validation/errors.ts";
import { isLoopback } from "../src/text/origin.ts";
import { escaped, escapedData } from "../src/text/text.ts";
import { type Calibration, calibrate, type CalibrationOptions } from "./calibration.ts";
import { compareReports, lostRows } from "./compare.ts";
import { configText } from "./config.ts";
import { type KeyOptions, realKeys } from "./real-keys.ts";
import { readReport } from "./report.ts";
import { checkCode, comparisonLines, endLines, planLines, reportLines, verdictLine } from "./report-lines.ts";
import { type ExploreOptions, KeyRefusedError } from "./service/explore.ts";
import { planOf } from "./service/plan.ts";
import { consent, offeringId, serviceUrl } from "./target.ts";

/** The flags of the command, which src/cli/commands/calibrate.ts describes, and a variable. */
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
  readonly again: string;
}

/** Runs the command. Returns its exit code. Throws a ValidationError for wrong usage. */
export async function runCommand(options: CommandOptions, version: string): Promise<number> {
  const { out, report: reportFile, check, json } = options;
  const url = serviceUrl(options.url);
  const offering = offeringId(options.offering);
  const pace = readDuration(options.pace) ?? 0;
  if (pace < 500 && !isLoopback(url.hostname))
    throw new ValidationError("--pace: expected 500ms at least, because a key has 120 requests a minute.");
  if (options.dryRun) return showPlan(url, options, pace);
  if (!check) checkWritable({ out, report: reportFile });
  const earlier = existsSync(reportFile) ? readReport(reportFile, await readTextFile(reportFile)) : undefined;
  if (check && !earlier)
    throw new ValidationError(
      `--check needs the report of a calibration: there is no ${escaped(reportFile)}. Name one with --report, or calibrate without --check first.`,
    );
  const keys = await realKeys(options);
  if (!options.yes) await consent(url);

  const start = performance.now();
  const calibration = await interruptible({ ...options, url, offering, keys, pace, version });
  const seconds = (performance.now() - start) / 1000;
  if (!calibration) return 1;
  const { report, ended } = calibration;
  if (!calibration.responded) {
    printError(`${report.host} could not be asked: ${ended?.reason ?? "it failed"}. Nothing was written.`);
    return 1;
  }
  const ending = [...reportLines(report), ...endLines(calibration, seconds)];
  if (check && earlier) {
    const comparison = compareReports(earlier, report);
    const code = checkCode(comparison, report);
    if (json) printJson({ ...comparison, report });
    else printLines([...comparisonLines(comparison), ...ending, verdictLine(earlier, code)]);
    return code;
  }
  if (json) printJson(report);
  else printLines(ending);
  // A whole report is worth more than the beginning of one.
  const lost = earlier ? lostRows(earlier, report) : [];
  if (lost.length > 0) {
    const names = lost.map(({ name }) => name).join(", ");
    const files = `${escaped(out)} and ${escaped(reportFile)}`;
    printError(
      `${files} stay as they are: they hold more than this run has learnt (${names}). Name others to write it.`,
    );
    return 1;
  }
  const text = configText(out, report, options.again);
  const hasConfig = existsSync(out);
  if (!hasConfig) await replaceFile(out, text);
  await replaceFile(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  if (!json)
    print(
      hasConfig
        ? `Wrote ${escaped(reportFile)}. ${escaped(out)} stays as it is. Its members assume and calibrated, by this run:\n\n${text}`
        : `Wrote ${escaped(out)} and ${escaped(reportFile)}.`,
    );
  return ended?.failed ? 1 : 0;
}

function printLines(lines: readonly string[]): void {
  print(escapedData(lines).join("\n"));
}

/** Columns of the progress line, and how many requests pass between two lines outside a terminal. */
const [width, interval] = [50, 20];

/** Calibrates, and shows progress; prints a refused key and returns undefined. A signal ends the program. */
async function interruptible(
  options: CalibrationOptions & ExploreOptions & { readonly maxRequests: number },
): Promise<Calibration | undefined> {
  const { maxRequests } = planOf({ ...options, keys: options.keys.length });
  const isTerminal = process.stderr.isTTY;
  let requests = 0;
  const onProgress = (sent: number, waiting: number): void => {
    requests = sent;
    const pause = waiting > 0 ? `, then a pause of ${Math.round(waiting / 1000)} s` : "";
    const line = `${count(sent, "request")} of at most ${maxRequests}${pause}…`;
    if (isTerminal || pause !== "" || sent % interval === 0) printProgress(line.padEnd(isTerminal ? width : 0), false);
  };
  const interrupt = (signal: NodeJS.Signals): void => {
    clear();
    printError(`Interrupted after ${count(requests, "request")}. Nothing was written.`);
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  const clear = (): void => {
    if (isTerminal) printProgress("".padEnd(width), true);
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

function showPlan(url: URL, options: CommandOptions, pace: number): 0 {
  const { requests, maxRequests } = planOf({ ...options, keys: 2 });
  const rate = pace === 1000 ? "one a second" : `${formatDuration(pace)} apart`;
  if (options.json) {
    const planned = requests.map(({ maxRequests: max_requests, ...request }) => ({ ...request, max_requests }));
    printJson({ url: url.href, max_requests: maxRequests, requests: planned });
  } else print(planLines(url.host, maxRequests, requests, rate));
  return 0;
}

/** Throws a ValidationError, before anything is sent, if a file cannot be written. */
function checkWritable(files: { readonly out: string; readonly report: string }): void {
  if (resolve(files.out) === resolve(files.report))
    throw new ValidationError("--out and --report: expected two files, not one.");
  for (const [flag, file] of Object.entries(files)) {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
      throw new ValidationError(`--${flag}: ${escaped(file)} is a folder; expected a file.`);
    try {
      accessSync(dirname(resolve(file)), constants.W_OK);
    } catch {
      throw new ValidationError(`--${flag}: there is no folder for ${escaped(file)} in which a file can be written.`);
    }
  }
}
