import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { execSettings, loadSettingsBeside, runAlongside } from "../exec/run-alongside.ts";
import { ValidationError } from "../../validation/errors.ts";
import { onOrOff, text, texts, wholeNumberType } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type TextValue, readAll } from "../../settings/values.ts";

/** Stands for all rows except those that vary only by name. */
const allRows = "all";

const varyFlags = {
  vary: {
    kind: texts("rows", "ids of assumptions", /^[a-z_.]+$/),
    defaultText: "one run",
    bareText: allRows,
    help: "run the command again for each other reading of the assumptions on which its responses depended, or of these",
  },
  jobs: { kind: wholeNumberType(1, 64), default: 1, help: "runs of --vary at once" },
  report: { kind: text("file", "a file"), defaultText: "none", help: "report of --vary to write, as JSON" },
} as const satisfies Settings;

/** The flags that say what a coverage report must show. */
const verdictFlags = {
  require: {
    kind: texts("list", "ids, groups, a share such as 80%, no-risks, no-risks.ID, or no-undecided", /^[\w.%-]+$/),
    default: [],
    help: "behaviors that have to be covered, and risks not to run; exit code 3 otherwise; repeatable",
  },
} as const satisfies Settings;

const coverageFlags = {
  coverage: {
    kind: onOrOff,
    default: false,
    help: "show which errors of the service the command has covered, and how it reacted",
  },
  ...verdictFlags,
} as const satisfies Settings;

export const execCommand: Command = {
  name: "exec",
  summary: "Run a command with a sandbox of its own on a free port.",
  flags: { ...execSettings, ...varyFlags, ...coverageFlags },
  afterTerminator: "command",
  examples: [
    ["exec -- npm test", "with OFFERING_SANDBOX_BASE_URL and keys in its environment"],
    ["exec --scenario closing -- pytest", "with a scenario that the tests move on"],
    ["exec --scenario live-demo --clock now --speed 1 -- npm run dev", "a front end with a service whose data changes"],
    [
      "exec --coverage --require 80%,no-risks -- npm test",
      "with a report of all that the tests have covered: see coverage",
    ],
    ["exec --vary -- npm test", "what npm test relies on where the specification is silent"],
    ["exec --snapshot-dir snapshots -- npm test", "with a snapshot of each failed test, for replay"],
    ["exec -f my.json --log-level info -- make e2e", "your own fixture, each request logged to stderr"],
  ],
  async run({ given, afterTerminator: child }) {
    const flags = readAll({ ...varyFlags, ...coverageFlags }, given);
    const isGiven = (name: string): boolean => given.some(({ setting }) => setting === name);
    if (!flags.coverage && isGiven("require"))
      throw new ValidationError("--require is for the report of --coverage; expected --coverage too.");
    for (const name of flags.vary ? [] : ["jobs", "report"])
      if (isGiven(name)) throw new ValidationError(`--${name} is for the runs of --vary; expected --vary too.`);
    const execute = async (settings: readonly TextValue[]): Promise<number> => {
      if (!flags.vary) return runAlongside(settings, child);
      const { vary } = await import("../exec/vary.ts");
      return vary(settings, child, { ...flags, ids: flags.vary.includes(allRows) ? undefined : flags.vary });
    };
    if (!flags.coverage) return execute(given);
    const [{ covered }, { settings }] = await Promise.all([import("../exec/covered.ts"), loadSettingsBeside(given)]);
    return covered({ ...flags, coverageDir: settings.coverageDir }, (parts) =>
      execute([...given, { setting: "coverageDir", text: parts, place: "--coverage" }]),
    );
  },
};

const reportFlags = {
  ...verdictFlags,
  all: { kind: onOrOff, default: false, help: "of every environment of the sandbox, dropped ones too" },
} as const;

export const coverageCommand: Command = {
  name: "coverage",
  summary: "Show which errors of the service the clients have covered, and how they reacted.",
  operand: "[dir..]",
  flags: { ...reportFlags, ...connectionFlags },
  examples: [
    ["coverage", "of the running sandbox"],
    ["coverage job-1 job-2 --require 80%,no-risks", "of what exec --coverage-dir wrote; exit code 3 if not"],
  ],
  async run({ given, operands: folders }) {
    const { flags, connection } = readConnected(reportFlags, given);
    const { all, require: required } = flags;
    const { printCoverage } = await import("../exec/covered.ts");
    const read = async () => (await connect(connection)).coverage({ all });
    return printCoverage(required, connection.json, folders, read);
  },
};
