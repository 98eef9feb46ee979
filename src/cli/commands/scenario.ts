import { mistakeLine } from "../../mistakes/mistakes.ts";
import { escaped } from "../../text/text.ts";
import type { Remark } from "../../scenario/parse.ts";
import { readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { jsonFlag } from "../connection.ts";
import { print, printError, printJson, style } from "../output/terminal.ts";
import { count, indent, textWidth, wrap } from "../output/text.ts";

interface Remarks {
  readonly mistakes: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/** Prints what a check found in a file, as `POST …/scenarios/check` answers. Returns the exit code. */
export function printReport(file: string, { mistakes, warnings }: Remarks): 0 | 2 {
  printJson({ file, mistakes, warnings });
  return mistakes.length > 0 ? 2 : 0;
}

export const scenarioCommands: readonly Command[] = [
  {
    name: "scenario list",
    summary: "List the scenarios that ship.",
    flags: jsonFlag,
    examples: [
      ["scenario list", "each with its description"],
      ["scenario list --json", "for programs"],
    ],
    async run({ given }) {
      const { shippedScenarios } = await import("../../scenario/load.ts");
      const scenarios = await shippedScenarios();
      if (readAll(jsonFlag, given).json) {
        const listed = scenarios.map(({ name, description, steps }) => ({ name, description, steps: steps.length }));
        return printJson(listed);
      }
      for (const { name, description } of scenarios) {
        print([style("bold", name), ...indent(wrap(description, textWidth - 2)), ""].join("\n"));
      }
    },
  },
  {
    name: "scenario check",
    summary: "Check a scenario; every mistake with line and column.",
    operand: "file",
    flags: jsonFlag,
    examples: [
      ["scenario check my.yaml", "mistakes, exit code 2; or warnings and a summary, exit code 0"],
      ["scenario check my.yaml --json", "the same for programs"],
    ],
    async run({ operands: [nameOrFile = ""], given }) {
      const [{ scenarioFile }, { readTextFile }, { examineScenario, parseScenario }] = await Promise.all([
        import("../../scenario/load.ts"),
        import("../../files/file.ts"),
        import("../../scenario/parse.ts"),
      ]);
      const file = await scenarioFile(nameOrFile);
      const text = await readTextFile(file);
      if (readAll(jsonFlag, given).json) return printReport(file, examineScenario(text, file));
      const { scenario, warnings } = parseScenario(text, file);
      for (const warning of warnings) printError(`warning  ${mistakeLine(warning)}`);
      const { steps, repeat } = scenario;
      const played = repeat ? `, played ${repeat.count} times` : "";
      print(`${escaped(nameOrFile)}: ${count(steps.length, "step")}${played}`);
      return 0;
    },
  },
  {
    name: "scenario show",
    summary: "Show a scenario's steps, and its states over time.",
    operand: "name or file",
    flags: {},
    examples: [
      ["scenario show closing", "a scenario that ships"],
      ["scenario show my.yaml", "your own"],
    ],
    async run({ operands: [nameOrFile = ""] }) {
      const [{ loadScenario }, { scenarioTable }] = await Promise.all([
        import("../../scenario/load.ts"),
        import("../output/scenario-table.ts"),
      ]);
      print(scenarioTable(await loadScenario(nameOrFile)));
    },
  },
];
