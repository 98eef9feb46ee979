import { writeFile } from "node:fs/promises";
import { codeOf, Mistake, UnwritableFile } from "../../model/mistakes.ts";
import { escaped, isLabel, labelExpected } from "../../model/text.ts";
import { onOrOff, text } from "../../settings/kinds.ts";
import { timelineFilter } from "../../settings/queries.ts";
import type { Command } from "../command.ts";
import { connect, connectionFlags, readConnected } from "../connection.ts";
import { print, printError, printJson } from "../output/terminal.ts";

const recordFlags = {
  from: timelineFilter.from,
  investment_id: {
    ...timelineFilter.investment_id,
    defaultInWords: "the only one that was changed by hand",
    words: "the investment to record",
  },
  name: { kind: text("name", labelExpected, isLabel), defaultInWords: "recorded", help: "the name of the scenario" },
  force: { kind: onOrOff, default: false, help: "overwrite an existing file" },
} as const;

export const recordCommand: Command = {
  name: "scenario record",
  summary: "Write what you did by hand as a scenario.",
  operand: "[file]",
  flags: { ...recordFlags, ...connectionFlags },
  examples: [
    ["scenario record mine.yaml", "for scenario check and scenario play"],
    ["scenario record --investment at-signers --from 2026-01-15", "prints it: one investment's, from an instant on"],
  ],
  async run({ given, operands: [file] }) {
    const { flags, connection } = readConnected(recordFlags, given);
    const { force, ...order } = flags;
    const sandbox = await connect(connection);
    const recorded = await sandbox.scenarios.record(order);
    if (file !== undefined) await writeScenario(file, recorded.text, force);
    if (connection.json) return printJson(recorded);
    for (const warning of recorded.warnings) printError(`warning  ${escaped(warning)}`);
    print(
      file === undefined ? escaped(recorded.text.trimEnd(), "lines") : `The scenario was written to ${escaped(file)}.`,
    );
  },
};

/** Throws Mistake if the file exists and `force` is false, UnwritableFile if it cannot be written. */
async function writeScenario(file: string, content: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, content, { flag: force ? "w" : "wx" });
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new Mistake(`${file} exists already; use --force to overwrite it.`);
    throw new UnwritableFile(file, error);
  }
}
