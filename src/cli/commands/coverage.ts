import { escapedData } from "../../model/text.ts";
import { onOrOff } from "../../settings/kinds.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { verdictFlags } from "../coverage/flags.ts";
import { print, printJson } from "../output/terminal.ts";

const coverageFlags = {
  ...verdictFlags,
  all: { kind: onOrOff, default: false, words: "of every environment of the sandbox, dropped ones too" },
} as const;

export const coverageCommand: Command = {
  name: "coverage",
  summary: "Tell which behaviours of the service the clients have met, and how they reacted.",
  operand: "[dir..]",
  flags: { ...coverageFlags, ...connectionFlags },
  examples: [
    ["coverage", "of the running sandbox"],
    [
      "coverage job-1 job-2 --require 80%,no-risks",
      "of the reports that exec --coverage-dir wrote; exit code 3 if not",
    ],
    ["coverage reports --not-below coverage.json", "nothing that was met before may be lost"],
  ],
  async run({ given, operands: folders }) {
    const { flags, connection } = readConnected(coverageFlags, given);
    const { all, ...verdictOptions } = flags;
    const [{ judgeOf }, { mergedReport }, { reportLines }] = await Promise.all([
      import("../coverage/verdict.ts"),
      import("../coverage/reports.ts"),
      import("../../coverage/texts.ts"),
    ]);
    const judge = await judgeOf(verdictOptions);
    const report =
      folders.length > 0 ? await mergedReport(folders) : await (await connect(connection)).coverage({ all });
    const verdict = judge.judge(report);
    if (connection.json) printJson(report);
    else print(reportLines(escapedData(verdict)).join("\n"));
    return judge.close(verdict);
  },
};
