import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { execSettings, loadExecSettings, runAlongside } from "../exec/run-alongside.ts";
import { ValidationError } from "../../validation/errors.ts";
import { onOrOff, text, texts, integerKind } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type TextValue, readAll } from "../../settings/values.ts";

/** The value for all rows except those that vary only by name. */
const allRows = "all";

const varyFlags = {
  vary: {
    kind: texts("rows", "ids of assumptions", /^[a-z_.]+$/),
    defaultText: "one run",
    bareText: allRows,
    help: "run the command again with each alternative value of the assumptions on which its responses depended, or of these",
  },
  jobs: { kind: integerKind(1, 64), default: 1, help: "number of simultaneous runs of --vary" },
  report: { kind: text("file", "a file"), defaultText: "none", help: "report of --vary to write, as JSON" },
} as const satisfies Settings;

/** The flags for the requirements of a coverage report. */
const verdictFlags = {
  require: {
    kind: texts("list", "ids, groups, a share such as 80%, no-risks, no-risks.ID, or no-undecided", /^[\w.%-]+$/),
    default: [],
    help: "behaviors to cover, and risks to avoid; exit code 3 otherwise; repeatable",
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
  summary: "Run a command with its own sandbox on a free port.",
  flags: { ...execSettings, ...varyFlags, ...coverageFlags },
  afterTerminator: "command",
  examples: [
    ["exec -- npm test", "with OFFERING_SANDBOX_BASE_URL and keys in its environment"],
    ["exec --scenario closing -- pytest", "with a scenario that the tests play"],
    ["exec --scenario live-demo --clock now --speed 1 -- npm run dev", "a front end with a service whose data changes"],
    [
      "exec --coverage --require 80%,no-risks -- npm test",
      "with a report of what the tests have covered: see coverage",
    ],
    ["exec --vary -- npm test", "finds the assumptions that npm test relies on"],
    ["exec --snapshot-dir snapshots -- npm test", "with a snapshot of each failed test, for replay"],
    ["exec -f my.json --log-level info -- make e2e", "your own fixture, each request logged to stderr"],
  ],
  async run({ flagValues, afterTerminator: child }) {
    const flags = readAll({ ...varyFlags, ...coverageFlags }, flagValues);
    const isSet = (name: string): boolean => flagValues.some(({ setting }) => setting === name);
    if (!flags.coverage && isSet("require"))
      throw new ValidationError("--require is for the report of --coverage; add --coverage.");
    for (const name of flags.vary ? [] : ["jobs", "report"])
      if (isSet(name)) throw new ValidationError(`--${name} is for the runs of --vary; add --vary.`);
    const runCommand = async (settings: readonly TextValue[]): Promise<number> => {
      if (!flags.vary) return runAlongside(settings, child);
      const { vary } = await import("../exec/vary.ts");
      return vary(settings, child, { ...flags, ids: flags.vary.includes(allRows) ? undefined : flags.vary });
    };
    if (!flags.coverage) return runCommand(flagValues);
    const [{ runCovered }, { settings }] = await Promise.all([
      import("../exec/covered.ts"),
      loadExecSettings(flagValues),
    ]);
    return runCovered({ ...flags, coverageDir: settings.coverageDir }, (parts) =>
      runCommand([...flagValues, { setting: "coverageDir", text: parts, place: "--coverage" }]),
    );
  },
};

const reportFlags = {
  ...verdictFlags,
  all: { kind: onOrOff, default: false, help: "of every environment of the sandbox, including deleted environments" },
} as const;

export const coverageCommand: Command = {
  name: "coverage",
  summary: "Show which errors of the service the clients have covered, and how they reacted.",
  operand: "[dir..]",
  flags: { ...reportFlags, ...connectionFlags },
  examples: [
    ["coverage", "of the running sandbox"],
    [
      "coverage job-1 job-2 --require 80%,no-risks",
      "of the files of exec --coverage-dir; exit code 3 if a requirement is not met",
    ],
  ],
  async run({ flagValues, operands: folders }) {
    const { flags, connection } = readConnected(reportFlags, flagValues);
    const { all, require: required } = flags;
    const { printCoverage } = await import("../exec/covered.ts");
    const readReport = async () => (await connect(connection)).coverage({ all });
    return printCoverage(required, connection.json, folders, readReport);
  },
};
