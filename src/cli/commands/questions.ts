import { readTextFile } from "../../files/file.ts";
import { escaped, escapedData } from "../../text/text.ts";
import { Mistake } from "../../mistakes/mistakes.ts";
import type { Command } from "../command.ts";
import { print } from "../output/terminal.ts";

export const questionsCommand: Command = {
  name: "questions",
  summary: "Print the open questions of the specification, to send to its vendor.",
  operand: "[report]",
  flags: {},
  examples: [
    ["questions", "all of them, as Markdown"],
    ["questions report.json", "those on which the command of exec --vary --report report.json relies"],
  ],
  async run({ operands: [file] }) {
    const { questionsText, readVaryReport } = await import("../exec/vary-report.ts");
    const report = file === undefined ? undefined : escapedData(readVaryReport(await readTextFile(file), file));
    if (report?.passed === false)
      throw new Mistake(
        `${escaped(file ?? "")} is of a command that failed as it was, so it does not show on what a client relies; mend the command and write the report again.`,
      );
    print(questionsText(report).trimEnd());
  },
};
