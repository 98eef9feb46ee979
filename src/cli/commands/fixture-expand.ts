import { pipeline } from "node:stream/promises";
import type { Command } from "../command.ts";
import { flagValues } from "../settings/read-values.ts";
import { startSettings } from "../settings/start-settings.ts";

const flags = { seed: startSettings.seed } as const;

/** Prints a fixture with everything in it that it leaves out. */
export const fixtureExpand: Command = {
  summary: "Print a fixture with all that it leaves out filled in.",
  operand: "file",
  flags,
  examples: [
    ["fixture expand my.json > completed.json", "everything that my.json leaves out, filled in"],
    ["fixture expand my.json --seed 7", "filled in otherwise"],
  ],
  async run({ operands, given }) {
    const { seed } = flagValues(flags, given);
    const { expandFixture } = await import("../../fixture/expand-fixture.ts");
    await pipeline(await expandFixture(operands[0] ?? "", { seed }), process.stdout, { end: false });
    return 0;
  },
};
