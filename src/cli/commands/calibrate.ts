import { shellWord } from "../../text/curl.ts";
import { version } from "../../package.ts";
import { durationType, onOrOff, text as textKind, wholeNumberType } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type TextValue, readAll } from "../../settings/values.ts";
import { type Command, programName } from "../command.ts";
import { checkVariables, realKeysVariable } from "../../settings/variables.ts";

const what = "What to ask:";
const how = "How:";
const result = "Result:";

const calibrateFlags = {
  url: {
    group: what,
    kind: textKind("address", "an address that ends in /api/v1"),
    help: "base address of the real service, which ends in /api/v1",
  },
  offering: {
    group: what,
    kind: textKind("id", "the id of an offering"),
    help: "id of the offering that the keys are for",
  },
  keyFile: {
    group: what,
    kind: textKind("file", "a file"),
    help: "file with a key on each line (or OFFERING_SANDBOX_REAL_KEYS)",
  },
  sample: { group: how, kind: { ...wholeNumberType(1, 40), secret: true }, default: 12, help: "investments to read" },
  pace: {
    group: how,
    kind: { ...durationType, secret: true },
    default: "1s",
    help: "time from one request to the next",
  },
  "max-requests": {
    group: how,
    kind: { ...wholeNumberType(1, 1000), secret: true },
    default: 100,
    help: "maximum of requests",
  },
  withOptions: {
    group: how,
    kind: onOrOff,
    default: false,
    help: "send one OPTIONS too, to learn about other methods",
  },
  yes: { group: how, kind: onOrOff, default: false, help: "do not ask to confirm the host" },
  dryRun: { group: how, kind: onOrOff, default: false, help: "send nothing, and list what would be sent" },
  out: {
    group: result,
    kind: textKind("file", "a file"),
    default: "offering-sandbox.config.yaml",
    help: "config file to write; one that is there stays, and what it would hold is printed",
  },
  report: {
    group: result,
    kind: textKind("file", "a file"),
    default: "offering-sandbox.calibration.json",
    help: "report to write, or to check against",
  },
  check: {
    group: result,
    kind: onOrOff,
    default: false,
    help: "write nothing; exit with 3 if the service is not as in the report",
  },
  json: { group: result, kind: onOrOff, default: false, help: "print JSON" },
} as const satisfies Settings;

/** Flags that do not change the requests. */
const localFlags = new Set(["out", "check", "json", "dryRun"]);

/** The command that sends the same requests and checks the report. It does not contain a key. */
function checkCommand(given: readonly TextValue[]): string {
  const flags = given.flatMap(({ setting, text: value, place }) => {
    if (localFlags.has(setting) || value === "false") return [];
    return value === "true" ? place : `${place} ${shellWord(value)}`;
  });
  return [`${programName} calibrate --check`, ...flags].join(" ");
}

export const calibrateCommand: Command = {
  name: "calibrate",
  summary: "Ask a real service which assumptions hold, and write a config file.",
  flags: calibrateFlags,
  takesKeys: true,
  epilogue:
    "Sends at most 100 GET requests (--max-requests), usually some 50, one at a time. Keeps no name, number, date, id or text of the service. Exit codes: 0 written, or checked and equal; 1 no response, or a key refused; 2 wrong usage; 3 checked, and not equal.",
  examples: [
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --dry-run", "what would be sent"],
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --key-file keys.txt", "writes config and report"],
    ["calibrate --url https://demo.example.com/api/v1 --offering <id> --check", "3 if the service has changed"],
  ],
  async run({ given }) {
    const errors: string[] = [];
    checkVariables(process.env, errors);
    const { "max-requests": maxRequests, ...read } = readAll(calibrateFlags, given, errors);
    const { runCommand } = await import("../../../calibrate/command.ts");
    return runCommand({ ...read, maxRequests, keysVariable: realKeysVariable, again: checkCommand(given) }, version);
  },
};
