import { mistakeLine } from "../../model/file-mistakes.ts";
import type { Command } from "../command.ts";

/** Checks a scenario and says what is in it. */
export const scenarioCheck: Command = {
  summary: "Check a scenario; every mistake with line and column.",
  operand: "file",
  flags: {},
  examples: [["scenario check my.yaml", "mistakes, exit code 2; or warnings and a summary, exit code 0"]],
  async run({ operands: [nameOrFile = ""] }) {
    const [{ scenarioFile }, { readTextFile }, { parseScenario }] = await Promise.all([
      import("../../scenario/load-scenarios.ts"),
      import("../../fixture/read-text-file.ts"),
      import("../../scenario/parse-scenario.ts"),
    ]);
    const file = await scenarioFile(nameOrFile);
    const { scenario, warnings } = parseScenario(await readTextFile(file), file);
    for (const warning of warnings) console.error(`warning  ${mistakeLine(warning)}`);
    const { steps, repeat } = scenario;
    const played = repeat ? `, played ${repeat.count} times` : "";
    console.log(`${nameOrFile}: ${steps.length === 1 ? "1 step" : `${steps.length} steps`}${played}`);
    return 0;
  },
};
