import { onOrOff, texts } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";

/** The flags that say what a coverage report must show. */
export const verdictFlags = {
  require: {
    kind: texts("list", "ids, groups, a share such as 80%, no-risks, no-risks.ID, or no-undecided", /^[\w.%-]+$/),
    default: [],
    help: "behaviours that have to be met, and risks not to run; exit code 3 otherwise; repeatable",
  },
} as const satisfies Settings;

const reportFlags = {
  ...verdictFlags,
  all: { kind: onOrOff, default: false, help: "of every environment of the sandbox, dropped ones too" },
} as const;

export const coverageCommand: Command = {
  name: "coverage",
  summary: "Show which errors of the service the clients have met, and how they reacted.",
  operand: "[dir..]",
  flags: { ...reportFlags, ...connectionFlags },
  examples: [
    ["coverage", "of the running sandbox"],
    ["coverage job-1 job-2 --require 80%,no-risks", "of what exec --coverage-dir wrote; exit code 3 if not"],
  ],
  async run({ given, operands: folders }) {
    const { flags, connection } = readConnected(reportFlags, given);
    const { all, require: required } = flags;
    const { printCoverage, reportOfFolders } = await import("../exec/covered.ts");
    return printCoverage(required, connection.json, async () =>
      folders.length > 0 ? reportOfFolders(folders) : (await connect(connection)).coverage({ all }),
    );
  },
};
