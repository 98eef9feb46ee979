import { escapedData } from "../../model/text.ts";
import { onOrOff } from "../../settings/kinds.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { verdictFlags } from "../coverage/flags.ts";
import { print, printJson } from "../output/terminal.ts";

const reportFlags = {
  ...verdictFlags,
  all: { kind: onOrOff, default: false, help: "of every environment of the sandbox, dropped ones too" },
} as const;

export const coverageCommand: Command = {
  name: "coverage",
  summary: "Tell which errors of the service the clients have met, and how they reacted.",
  operand: "[dir..]",
  flags: { ...reportFlags, ...connectionFlags },
  examples: [
    ["coverage", "of the running sandbox"],
    ["coverage job-1 job-2 --require 80%,no-risks", "of what exec --coverage-dir wrote; exit code 3 if not"],
  ],
  async run({ given, operands: folders }) {
    const { flags, connection } = readConnected(reportFlags, given);
    const { all, require: required } = flags;
    const [{ verdictExitCode, judgeOf }, { addedUp }, { reportOf }, { reportLines }, { appendStepSummary }] =
      await Promise.all([
        import("../../coverage/requirements.ts"),
        import("../coverage/parts.ts"),
        import("../../coverage/report.ts"),
        import("../../coverage/texts.ts"),
        import("../coverage/step-summary.ts"),
      ]);
    const judge = judgeOf(required);
    const isHere = folders.length > 0;
    const report = isHere ? reportOf(await addedUp(folders)) : await (await connect(connection)).coverage({ all });
    const verdict = judge(report);
    if (connection.json) printJson(report);
    else {
      const lines = reportLines(escapedData(verdict));
      print(lines.join("\n"));
      await appendStepSummary(lines);
    }
    return verdictExitCode(verdict);
  },
};
