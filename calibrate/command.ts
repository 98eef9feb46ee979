import { type Duration, formatDuration, readDuration } from "../src/model/duration.ts";
import { Mistake } from "../src/model/mistakes.ts";
import { escaped, escapedData } from "../src/model/text.ts";
import { type Calibration, calibrate, type CalibrationOptions } from "./calibration.ts";
import { compareReports } from "./compare.ts";
import { editedConfig } from "./config.ts";
import { earlierReport, filesToWrite } from "./files.ts";
import { type KeyOptions, realKeys } from "./real-keys.ts";
import { checkCode, comparisonLines, endLines, planLines, reportLines, verdictLine } from "./report-lines.ts";
import { type ExploreOptions, KeyRefused } from "./service/explore.ts";
import { planOf } from "./service/plan.ts";
import { consent, isLoopback, offeringId, serviceUrl } from "./target.ts";
import type { Terminal } from "./terminal.ts";

/** The flags of the command, which src/cli/commands/calibrate.ts describes, and a variable. */
export interface CommandOptions extends KeyOptions, ExploreOptions {
  readonly url: string | undefined;
  readonly offering: string | undefined;
  readonly pace: Duration;
  readonly most: number;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly out: string;
  readonly report: string;
  readonly check: boolean;
  readonly json: boolean;
  /** The command that checks the report, without a key. */
  readonly again: string;
}

/** Runs the command. Returns its exit code. Throws a Mistake for wrong usage. */
export async function runCommand(options: CommandOptions, terminal: Terminal, version: string): Promise<number> {
  const { out, report: reportFile, check, json } = options;
  const url = serviceUrl(options.url);
  const offering = offeringId(options.offering);
  const pace = readDuration(options.pace) ?? 0;
  if (pace < 500 && !isLoopback(url))
    throw new Mistake("--pace: expected 500ms at least, because a key has 120 requests a minute.");
  if (options.dryRun) return showPlan(url, options, pace, terminal);
  const earlier = check ? await earlierReport(reportFile, terminal) : undefined;
  const files = check ? undefined : await filesToWrite(options, terminal);
  const keys = await realKeys(options, terminal);
  await consent(url, options, terminal);

  const start = performance.now();
  const calibration = await interruptible({ ...options, url, offering, keys, pace, version }, terminal);
  const seconds = (performance.now() - start) / 1000;
  if (!calibration) return 1;
  const { report, ended } = calibration;
  if (!calibration.answered) {
    terminal.printError(`${report.host} could not be asked: ${ended?.reason ?? "it failed"}. Nothing was written.`);
    return 1;
  }
  const comparison = earlier && compareReports(earlier, report);
  const code = comparison ? checkCode(comparison, report) : 0;
  const lines = [
    ...(comparison ? comparisonLines(comparison, terminal) : []),
    ...reportLines(report, terminal),
    ...endLines(calibration, seconds, terminal),
    ...(earlier ? [verdictLine(earlier, code)] : []),
  ];
  terminal.print(
    json ? JSON.stringify(comparison ? { ...comparison, report } : report, null, 2) : escapedData(lines).join("\n"),
  );
  if (comparison) return code;
  // A whole report is worth more than the beginning of one, or than one without data.
  const hasData = Object.keys(report.shapes).some((name) => name.startsWith("investment_"));
  if (
    (ended || report.failed > 0 || !hasData) &&
    files?.report &&
    compareReports(files.report, report).missing.length > 0
  ) {
    terminal.printError(
      `${escaped(reportFile)} and ${escaped(out)} stay as they are: they hold more than this run has learnt.`,
    );
    return 1;
  }
  await terminal.replaceFile(out, editedConfig(out, files?.config, report, options.again));
  await terminal.replaceFile(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  if (!json) terminal.print(`Wrote ${escaped(out)} and ${escaped(reportFile)}.`);
  return ended?.failed ? 1 : 0;
}

/** Columns of the progress line, and how many requests pass between two lines outside a terminal. */
const [width, interval] = [50, 20];

/** Calibrates, and shows how far it is; undefined after a key was refused, which is printed. A signal ends the program. */
async function interruptible(
  options: CalibrationOptions & ExploreOptions & { readonly most: number },
  terminal: Terminal,
): Promise<Calibration | undefined> {
  const { printError, printProgress, count } = terminal;
  const { most } = planOf({ ...options, keys: options.keys.length });
  const isTerminal = process.stderr.isTTY;
  let requests = 0;
  const onProgress = (sent: number, waiting: number): void => {
    requests = sent;
    const pause = waiting > 0 ? `, then a pause of ${Math.round(waiting / 1000)} s` : "";
    const line = `${count(sent, "request")} of at most ${most}${pause}…`;
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
    if (!(error instanceof KeyRefused)) throw error;
    printError(error.message);
    return undefined;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    clear();
  }
}

function showPlan(url: URL, options: CommandOptions, pace: number, terminal: Terminal): 0 {
  const { requests, most } = planOf({ ...options, keys: 2 });
  const rate = pace === 1000 ? "one a second" : `${formatDuration(pace)} apart`;
  terminal.print(
    options.json
      ? JSON.stringify({ url: url.href, most, requests }, null, 2)
      : planLines(url.host, most, requests, rate, terminal),
  );
  return 0;
}
