import { catalogue, type AssumptionId, type Assumptions } from "../../assumptions/catalogue.ts";
import type { Row } from "../../assumptions/row.ts";
import type { Command } from "../command.ts";
import { assumptionFlags, assumptionsInForce } from "../settings/assumptions-in-force.ts";
import { onOrOff } from "../settings/kinds.ts";
import { loadSettings } from "../settings/load-settings.ts";
import { flagValues } from "../settings/read-values.ts";

const own = { json: { kind: onOrOff, default: false, describe: "print JSON" } } as const;

/** Prints the catalogue of assumptions with the values that a sandbox started here would have in force. */
export const assumptions: Command = {
  summary: "Show what is assumed where the specification is silent.",
  flags: { ...assumptionFlags, ...own },
  examples: [
    ["assumptions", "the catalogue, the values in force marked *"],
    ["assumptions --profile minimal", "the same under the profile minimal"],
    ["assumptions --json", "for programs"],
  ],
  async run({ given }) {
    const { settings } = await loadSettings(given);
    const inForce = assumptionsInForce(settings);
    if (flagValues(own, given).json) {
      console.log(JSON.stringify(rowsWithValues(inForce), null, 2));
      return 0;
    }
    const { assumptionTable } = await import("../assumption-table.ts");
    console.log(assumptionTable(inForce, Math.min(process.stdout.columns ?? 100, 100)));
    return 0;
  },
};

function rowsWithValues(inForce: Assumptions): object[] {
  const rows: readonly (Row & { readonly id: AssumptionId })[] = catalogue;
  return rows.map(({ id, question, section, values, accepts, conventional, minimal }) => ({
    id,
    question,
    section,
    value: inForce[id],
    values,
    accepts,
    conventional,
    minimal,
  }));
}
