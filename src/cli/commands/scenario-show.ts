import { loadScenario } from "../../scenario/load-scenarios.ts";
import type { Command } from "../command.ts";
import { scenarioTable } from "../scenario/scenario-table.ts";

/** Shows what happens in a scenario, and when. */
export const scenarioShow: Command = {
  summary: "Show a scenario's steps, and its states over time.",
  operand: "name or file",
  flags: {},
  examples: [
    ["scenario show closing", "one that ships"],
    ["scenario show my.yaml", "your own"],
  ],
  async run({ operands: [nameOrFile = ""] }) {
    const scenario = await loadScenario(nameOrFile);
    console.log(scenarioTable(scenario, Math.min(process.stdout.columns ?? 100, 100)));
    return 0;
  },
};
