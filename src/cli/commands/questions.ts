import { readTextFile } from "../../model/file.ts";
import { escapedData } from "../../model/text.ts";
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
    print(questionsText(report).trimEnd());
  },
};
