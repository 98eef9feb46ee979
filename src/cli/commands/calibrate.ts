import { shellWord } from "../../text/curl.ts";
import { version } from "../../package.ts";
import { durationKind, onOrOff, text as textKind, integerKind } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type TextValue, readAll } from "../../settings/values.ts";
import { type Command, programName } from "../command.ts";
import { checkVariables, realKeysVariable } from "../../settings/variables.ts";

const headings = { service: "Service:", requests: "Requests:", result: "Result:" } as const;

const calibrateFlags = {
  url: {
    group: headings.service,
    kind: textKind("address", "an address that ends in /api/v1"),
    help: "base address of the real service, which ends in /api/v1",
  },
  offering: {
    group: headings.service,
    kind: textKind("id", "the id of an offering"),
    help: "id of the offering that the keys are for",
  },
  keyFile: {
    group: headings.service,
    kind: textKind("file", "a file"),
    help: "file with a key on each line (or OFFERING_SANDBOX_REAL_KEYS)",
  },
  sample: {
    group: headings.requests,
    kind: { ...integerKind(1, 40), secret: true },
    default: 12,
    help: "investments to read",
  },
  pace: {
    group: headings.requests,
    kind: { ...durationKind, secret: true },
    default: "1s",
    help: "time from one request to the next",
  },
  "max-requests": {
    group: headings.requests,
    kind: { ...integerKind(1, 1000), secret: true },
    default: 100,
    help: "maximum number of requests",
  },
  withOptions: {
    group: headings.requests,
    kind: onOrOff,
    default: false,
    help: "also send one OPTIONS request, to learn about other methods",
  },
  yes: { group: headings.requests, kind: onOrOff, default: false, help: "do not ask for confirmation of the host" },
  dryRun: { group: headings.requests, kind: onOrOff, default: false, help: "list the requests and send nothing" },
  out: {
    group: headings.result,
    kind: textKind("file", "a file"),
    default: "offering-sandbox.config.yaml",
    help: "config file to write; an existing file is not changed, and the members for it are printed",
  },
  report: {
    group: headings.result,
    kind: textKind("file", "a file"),
    default: "offering-sandbox.calibration.json",
    help: "report to write, or to check against",
  },
  check: {
    group: headings.result,
    kind: onOrOff,
    default: false,
    help: "write nothing; exit with 3 if the service differs from the report",
  },
  json: { group: headings.result, kind: onOrOff, default: false, help: "print JSON" },
} as const satisfies Settings;

/** Flags that do not change the requests. */
const localFlags = new Set(["out", "check", "json", "dryRun"]);

/** Formats the command that sends the same requests and checks the report. It does not contain a key. */
function formatCheckCommand(flagValues: readonly TextValue[]): string {
  const flags = flagValues.flatMap(({ setting, text: value, place }) => {
    if (localFlags.has(setting) || value === "false") return [];
    return value === "true" ? place : `${place} ${shellWord(value)}`;
  });
  return [`${programName} calibrate --check`, ...flags].join(" ");
}

export const calibrateCommand: Command = {
  name: "calibrate",
  summary: "Find out which assumptions hold for a real service, and write a config file.",
  flags: calibrateFlags,
  takesKeys: true,
  epilogue:
    "Sends at most 100 GET requests (--max-requests), usually about 50, one at a time. Stores no name, number, date, id or other string of the service. Exit codes: 0 written, or checked and equal; 1 no response, or a key refused; 2 wrong usage; 3 checked, and different.",
  examples: [
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --dry-run", "lists the requests"],
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --key-file keys.txt", "writes config and report"],
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --check", "3 if the service has changed"],
  ],
  async run({ flagValues }) {
    const errors: string[] = [];
    checkVariables(process.env, errors);
    const {
      "max-requests": maxRequests,
      sample: sampleSize,
      ...settings
    } = readAll(calibrateFlags, flagValues, errors);
    const { runCommand } = await import("../../../calibrate/command.ts");
    return runCommand(
      {
        ...settings,
        maxRequests,
        sampleSize,
        keysVariable: realKeysVariable,
        checkCommand: formatCheckCommand(flagValues),
      },
      version,
    );
  },
};
