import type { CalibrationOptions } from "../../calibrate/calibrate.ts";
import type { CalibrationReport } from "../../calibrate/report.ts";
import { formatDuration, readDuration } from "../../model/duration.ts";
import { listed, Mistake } from "../../model/mistakes.ts";
import { escaped, escapedData } from "../../model/text.ts";
import { duration, onOrOff, text, texts, wholeNumber } from "../../settings/kinds.ts";
import type { Settings, Values } from "../../settings/settings.ts";
import { readValues } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import type { Places } from "../calibrate/files.ts";
import { print, printError, printProgress } from "../output/terminal.ts";
import { count } from "../output/text.ts";
import { checkVariables } from "../settings/load.ts";

const what = "What to ask:";
const how = "How:";
const result = "Result:";

const flags = {
  url: {
    group: what,
    kind: text("address", "an address that ends in /api/v1"),
    words: "base address of the real service, which ends in /api/v1",
  },
  offering: {
    group: what,
    kind: text("id", "the id of an offering"),
    words: "id of the offering that the keys are for",
  },
  key: {
    group: what,
    kind: { ...texts("key", 'a key as it was issued, without "Bearer" and spaces', /^\S+$/), secret: true },
    words: "a key; repeatable, but lists of processes show it",
  },
  keyFile: {
    group: what,
    kind: text("file", "a file"),
    words: "file with a key on each line (or OFFERING_SANDBOX_REAL_KEYS)",
  },
  sample: { group: how, kind: { ...wholeNumber(1, 40), secret: true }, default: 12, words: "investments to read" },
  pace: { group: how, kind: { ...duration, secret: true }, default: "1s", words: "time from one request to the next" },
  most: {
    group: how,
    kind: { ...wholeNumber(1, 1000), secret: true },
    default: 100,
    words: "most requests, those of --exhaust not counted",
  },
  exhaust: {
    group: how,
    kind: onOrOff,
    default: false,
    words: "use up one key for a minute, to learn about the limit",
  },
  withOptions: {
    group: how,
    kind: onOrOff,
    default: false,
    words: "send one OPTIONS too, to learn about other methods",
  },
  yes: { group: how, kind: onOrOff, default: false, words: "do not ask, whatever the host is called" },
  dryRun: { group: how, kind: onOrOff, default: false, words: "send nothing, and list what would be sent" },
  out: {
    group: result,
    kind: text("file", "a file"),
    default: "offering-sandbox.config.yaml",
    words: "config file to write; what else is in it stays",
  },
  report: {
    group: result,
    kind: text("file", "a file"),
    default: "offering-sandbox.calibration.json",
    words: "report to write, or to check against",
  },
  check: {
    group: result,
    kind: onOrOff,
    default: false,
    words: "write nothing; exit with 3 if the service is not as in the report",
  },
  json: { group: result, kind: onOrOff, default: false, words: "print JSON" },
} as const satisfies Settings;

type Flags = Values<typeof flags>;

export const calibrate: Command = {
  name: "calibrate",
  summary: "Ask a real service which assumptions hold, and write a config file.",
  flags,
  takesKeys: true,
  epilogue:
    "Sends GET requests, some 55, one at a time. Keeps no name, number, date, id or text of the service. Exit codes: 0 written, or checked and equal; 1 no answer, or a key refused; 2 wrong usage; 3 checked, and not equal.",
  examples: [
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --dry-run", "what would be sent"],
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --key-file keys.txt", "writes config and report"],
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --check", "3 if the service has changed"],
  ],
  async run({ given }) {
    const mistakes: string[] = [];
    checkVariables(process.env, mistakes);
    const read = readValues(flags, [given], mistakes);
    if (mistakes.length > 0) throw new Mistake(listed(mistakes));
    const { serviceUrl, offeringId, isLoopback, consent } = await import("../calibrate/target.ts");
    const url = serviceUrl(read.url);
    const offering = offeringId(read.offering);
    const pace = readDuration(read.pace) ?? 0;
    if (pace < 500 && !isLoopback(url))
      throw new Mistake("--pace: expected 500ms at least, because a key has 120 requests a minute.");
    if (read.dryRun) return showPlan(url, read, pace);
    const { earlierReport, placesToWrite } = await import("../calibrate/files.ts");
    const checked = read.check ? await earlierReport(read.report) : undefined;
    const places = read.check ? undefined : await placesToWrite(read.out, read.report);
    const { realKeys } = await import("../calibrate/real-keys.ts");
    const keys = await realKeys({ keys: read.key, keyFile: read.keyFile });
    await consent(url, read);
    return ask({ url, offering, keys, pace }, read, checked, places);
  },
};

/** Columns of the line that shows progress. */
const width = 50;

/** Calibrates, prints and writes. Returns the exit code. */
async function ask(
  service: Pick<CalibrationOptions, "url" | "offering" | "keys" | "pace">,
  { sample, most, exhaust, withOptions, json, out, report: reportFile }: Flags,
  checked: CalibrationReport | undefined,
  places: Places | undefined,
): Promise<number> {
  const [{ calibrate: calibrated }, { editedConfig }, { compareReports }, lines] = await Promise.all([
    import("../../calibrate/calibrate.ts"),
    import("../../calibrate/config.ts"),
    import("../../calibrate/compare.ts"),
    import("../calibrate/result.ts"),
  ]);
  const start = performance.now();
  const onProgress = (sent: number, waiting: number): void => {
    requests = sent;
    const pause = waiting > 0 ? `, then a pause of ${Math.round(waiting / 1000)} s` : "";
    if (process.stderr.isTTY) printProgress(`${count(sent, "request")}${pause}…`.padEnd(width), false);
  };
  let requests = 0;
  const interrupt = (): void => {
    if (process.stderr.isTTY) printProgress("".padEnd(width), true);
    printError(`Interrupted after ${count(requests, "request")}. Nothing was written.`);
    process.exit(130);
  };
  process.once("SIGINT", interrupt);
  const done = await calibrated({ ...service, sample, most, exhaust, withOptions, onProgress }).catch(
    (error: unknown) => {
      if (error instanceof Error && error.name === "KeyRefused") return error.message;
      throw error;
    },
  );
  process.off("SIGINT", interrupt);
  if (process.stderr.isTTY) printProgress("".padEnd(width), true);
  if (typeof done === "string") {
    printError(done);
    return 1;
  }
  const { report, answered, ended } = done;
  if (!answered) {
    printError(`${report.host} gave no answer for the offering: ${ended?.reason ?? "it failed"}.`);
    return 1;
  }
  const comparison = checked && compareReports(checked, report);
  const seconds = (performance.now() - start) / 1000;
  if (json) print(JSON.stringify(comparison ? { ...comparison, report } : report, null, 2));
  else
    print(
      escapedData([
        ...lines.reportLines(report),
        ...(checked && comparison ? lines.comparisonLines(checked, comparison, report) : []),
        ...lines.endLines(done, seconds),
      ]).join("\n"),
    );
  if (comparison) return lines.checkCode(comparison, report);
  // A whole report is worth more than the beginning of one.
  if (ended && places?.report && compareReports(places.report, report).missing.length > 0) {
    printError(`${escaped(reportFile)} and ${escaped(out)} stay as they are: they hold more than this run has asked.`);
    return 1;
  }
  const { replaceFile } = await import("../output/replace-file.ts");
  await replaceFile(out, editedConfig(out, places?.config, report));
  await replaceFile(reportFile, `${JSON.stringify(report, null, 2)}\n`);
  if (!json) print(`Wrote ${escaped(out)} and ${escaped(reportFile)}.`);
  return ended?.failed ? 1 : 0;
}

async function showPlan(url: URL, { sample, most, exhaust, withOptions, json }: Flags, pace: number): Promise<void> {
  const [{ plannedRequests }, { planLines }] = await Promise.all([
    import("../../calibrate/plan.ts"),
    import("../calibrate/result.ts"),
  ]);
  const plan = plannedRequests({ sample, keys: 2, exhaust, withOptions });
  const limited = plan
    .filter(({ id }) => !/^(window|limited)_/.test(id))
    .reduce((sum, request) => sum + request.most, 0);
  const beyond = plan.reduce((sum, request) => sum + request.most, 0) - limited;
  const all = Math.min(most, limited) + beyond;
  if (json) print(JSON.stringify({ url: url.href, most: all, requests: plan }, null, 2));
  else print(planLines(url.host, all, plan, pace === 1000 ? "one a second" : `${formatDuration(pace)} apart`));
}
