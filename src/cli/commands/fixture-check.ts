import { FileMistakes, mistakeLine } from "../../model/file-mistakes.ts";
import type { Command } from "../command.ts";
import { count } from "../show/count.ts";
import { assumptionFlags, assumptionsInForce } from "../settings/assumptions-in-force.ts";
import { loadSettings } from "../settings/load-settings.ts";

/** Checks a fixture and says what is in it. */
export const fixtureCheck: Command = {
  summary: "Check a fixture; every mistake with line and column.",
  operand: "file",
  flags: assumptionFlags,
  examples: [
    ["fixture check my.json", "mistakes, exit code 2; or warnings and a summary, exit code 0"],
    ["fixture check my.json --assume investment.statuses=any", "with statuses that the specification does not show"],
  ],
  async run({ operands: [file = ""], given }) {
    const { settings } = await loadSettings(given);
    const { checkFixture } = await import("../../fixture/check-fixture.ts");
    const investmentStatuses = assumptionsInForce(settings)["investment.statuses"];
    const { mistakes, warnings, holds } = await checkFixture(file, { investmentStatuses });
    if (!holds) throw new FileMistakes(mistakes);
    for (const warning of warnings) console.error(`warning  ${mistakeLine(warning)}`);
    const counts = Object.entries(holds).map(([things, number]) => count(number, things.slice(0, -1)));
    console.log(`${file}: ${counts.join(", ")}`);
    return 0;
  },
};
