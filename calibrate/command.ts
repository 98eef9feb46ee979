import { type Duration, formatDuration, readDuration } from "../src/model/duration.ts";
import { Mistake } from "../src/model/mistakes.ts";
import { escaped, escapedData } from "../src/model/text.ts";
import { calibrate } from "./calibrate.ts";
import { compareReports } from "./compare.ts";
import { editedConfig } from "./config.ts";
import { earlierReport, type FilesToWrite, filesToWrite } from "./files.ts";
import { plannedRequests } from "./plan.ts";
import { realKeys } from "./real-keys.ts";
import { checkCode, comparisonLines, endLines, planLines, reportLines } from "./report-lines.ts";
import type { CalibrationReport } from "./report.ts";
import { consent, isLoopback, offeringId, serviceUrl } from "./target.ts";
import type { Terminal } from "./terminal.ts";

/** The flags of the command, which src/cli/commands/calibrate.ts describes, and a variable. */
export interface CommandOptions {
  readonly url: string | undefined;
  readonly offering: string | undefined;
  readonly key: readonly string[] | undefined;
  readonly keyFile: string | undefined;
  /** The environment variable that holds keys. */
  readonly keysVariable: string;
  readonly sample: number;
  readonly pace: Duration;
  readonly most: number;
  readonly exhaust: boolean;
  readonly withOptions: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly out: string;
  readonly report: string;
  readonly check: boolean;
  readonly json: boolean;
}

/** Runs the command. Returns its exit code. Throws a Mistake for wrong usage. */
export async function runCommand(options: CommandOptions, terminal: Terminal, version: string): Promise<number> {
  const url = serviceUrl(options.url);
  const offering = offeringId(options.offering);
  const pace = readDuration(options.pace) ?? 0;
  if (pace < 500 && !isLoopback(url))
    throw new Mistake("--pace: expected 500ms at least, because a key has 120 requests a minute.");
  if (options.dryRun) {
    showPlan(url, options, pace, terminal);
    return 0;
  }
  const earlier = options.check ? await earlierReport(options.report, terminal) : undefined;
  const files = options.check ? undefined : await filesToWrite(options, terminal);
  const keys = await realKeys(options, terminal);
  await consent(url, options, terminal);
  const run = async (onProgress: (sent: number, waiting: number) => void) =>
    calibrate({ ...options, url, offering, keys, pace, version, onProgress });
  return finish(run, options, earlier, files, terminal);
}

/** Columns of the line that shows progress. */
const width = 50;

/** Calibrates, prints and writes. Returns the exit code. */
async function finish(
  run: (onProgress: (sent: number, waiting: number) => void) => ReturnType<typeof calibrate>,
  { json, out, report: reportFile }: CommandOptions,
  earlier: CalibrationReport | undefined,
  files: FilesToWrite | undefined,
  terminal: Terminal,
): Promise<number> {
  const { print, printError, count } = terminal;
  const progress = (line: string, isLast = false): void => {
    if (process.stderr.isTTY) terminal.printProgress(line.padEnd(width), isLast);
  };
  const start = performance.now();
  let requests = 0;
  const interrupt = (): void => {
    progress("", true);
    printError(`Interrupted after ${count(requests, "request")}. Nothing was written.`);
    process.exit(130);
  };
  process.once("SIGINT", interrupt);
  const done = await run((sent, waiting) => {
    requests = sent;
    const pause = waiting > 0 ? `, then a pause of ${Math.round(waiting / 1000)} s` : "";
    progress(`${count(sent, "request")}${pause}…`);
  }).catch((error: unknown) => {
    if (error instanceof Error && error.name === "KeyRefused") return error.message;
    throw error;
  });
  process.off("SIGINT", interrupt);
  progress("", true);
  if (typeof done === "string") {
    printError(done);
    return 1;
  }
  const { report, answered, ended } = done;
  if (!answered) {
    printError(`${report.host} gave no answer for the offering: ${ended?.reason ?? "it failed"}.`);
    return 1;
  }
  const comparison = earlier && compareReports(earlier, report);
  const seconds = (performance.now() - start) / 1000;
  if (json) print(JSON.stringify(comparison ? { ...comparison, report } : report, null, 2));
  else
    print(
      escapedData([
        ...reportLines(report, terminal),
        ...(earlier && comparison ? comparisonLines(earlier, comparison, report, terminal) : []),
        ...endLines(done, seconds, terminal),
      ]).join("\n"),
    );
  if (comparison) return checkCode(comparison, report);
  // A whole report is worth more than the beginning of one.
  if (ended && files?.report && compareReports(files.report, report).missing.length > 0) {
    printError(`${escaped(reportFile)} and ${escaped(out)} stay as they are: they hold more than this run has asked.`);
    return 1;
  }
  await terminal.replaceFile(out, editedConfig(out, files?.config, report));
  await terminal.replaceFile(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  if (!json) print(`Wrote ${escaped(out)} and ${escaped(reportFile)}.`);
  return ended?.failed ? 1 : 0;
}

function showPlan(url: URL, options: CommandOptions, pace: number, terminal: Terminal): void {
  const plan = plannedRequests({ ...options, keys: 2 });
  const total = (requests: typeof plan): number => requests.reduce((sum, request) => sum + request.most, 0);
  const limited = total(plan.filter(({ id }) => !/^(window|limited)_/.test(id)));
  const all = Math.min(options.most, limited) + total(plan) - limited;
  if (options.json) terminal.print(JSON.stringify({ url: url.href, most: all, requests: plan }, null, 2));
  else {
    const rate = pace === 1000 ? "one a second" : `${formatDuration(pace)} apart`;
    terminal.print(planLines(url.host, all, plan, rate, terminal));
  }
}
