import type { Command } from "../command.ts";
import { style } from "../log/style.ts";
import { wrap } from "../log/wrap.ts";
import { onOrOff } from "../settings/kinds.ts";
import { flagValues } from "../settings/read-values.ts";

const flags = { json: { kind: onOrOff, default: false, describe: "print JSON" } } as const;

/** Lists the scenarios that ship. */
export const scenarioList: Command = {
  summary: "List the scenarios that ship.",
  flags,
  examples: [
    ["scenario list", "each with what happens in it"],
    ["scenario list --json", "for programs"],
  ],
  async run({ given }) {
    const { shippedScenarios } = await import("../../scenario/load-scenarios.ts");
    const scenarios = await shippedScenarios();
    if (flagValues(flags, given).json) {
      const listed = scenarios.map(({ name, description, steps }) => ({ name, description, steps: steps.length }));
      console.log(JSON.stringify(listed, null, 2));
      return 0;
    }
    const width = Math.min(process.stdout.columns ?? 100, 100) - 2;
    for (const { name, description } of scenarios) {
      console.log([style("bold", name), ...wrap(description, width).map((line) => `  ${line}`), ""].join("\n"));
    }
    return 0;
  },
};
