import { pipeline } from "node:stream/promises";
import { FileValidationError, ValidationError, formatDiagnostic } from "../../validation/errors.ts";
import { escaped, formatCount } from "../../text/text.ts";
import { onOrOff, text, integerKind } from "../../settings/kinds.ts";
import { startSettings } from "../../settings/start-settings.ts";
import { readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { jsonFlag } from "../connection.ts";
import { forceFlag, refuseExisting, replaceFile } from "../output/files.ts";
import { print, printError, printProgress } from "../output/terminal.ts";
import { assumptionSettings, currentAssumptions, loadSettings } from "../settings/load.ts";
import { printReport } from "./scenario.ts";

const checkFlags = { ...assumptionSettings, ...jsonFlag } as const;

const expandFlags = { seed: startSettings.seed } as const;

/** Prints progress to stderr: each percent in one line of a terminal, or a line for each ten percent elsewhere. */
function showProgress(title: string): (done: number, total: number) => void {
  const percentStep = process.stderr.isTTY ? 1 : 10;
  let lastPercent = -1;
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    const shownPercent = percent - (percent % percentStep);
    if (shownPercent <= lastPercent) return;
    lastPercent = shownPercent;
    printProgress(`${title} ${shownPercent} %`, shownPercent === 100);
  };
}

const outFlags = { out: { kind: text("file", "a file"), help: "file to write" }, ...forceFlag } as const;

const generateFlags = {
  offerings: { kind: integerKind(1, 1000), default: 1, help: "number of offerings" },
  investments: { kind: integerKind(0, 10_000_000), default: 100, help: "total number of investments" },
  seed: { kind: integerKind(0), default: 1, help: "seed for generated data" },
  ...outFlags,
} as const;

const responsesFlags = {
  keepOfferings: { kind: onOrOff, default: false, help: "copy the names of offerings" },
  ...outFlags,
} as const;

export const fixtureCommands: readonly Command[] = [
  {
    name: "fixture check",
    summary: "Check a fixture. Each error has its line and column.",
    operand: "file",
    flags: checkFlags,
    examples: [
      ["fixture check my.json", "errors, exit code 2; or warnings and a summary, exit code 0"],
      ["fixture check my.json --assume investment.statuses=any", "with statuses that the specification does not show"],
    ],
    async run({ operands: [file = ""], flagValues }) {
      const { settings } = await loadSettings(flagValues);
      const [{ checkFixture }, { scenarioFrom }] = await Promise.all([
        import("../../fixture/tools.ts"),
        import("../../control/scenarios.ts"),
      ]);
      const loadScenario = (nameOrFile: string): Promise<unknown> => scenarioFrom(nameOrFile, []);
      const investmentStatuses = currentAssumptions(settings)["investment.statuses"];
      const { errors, warnings, counts } = await checkFixture(file, { investmentStatuses, loadScenario });
      if (readAll(jsonFlag, flagValues).json) {
        const { diagnostics } = await import("../../scenario/parse.ts");
        return printReport(file, { errors: diagnostics(errors), warnings: diagnostics(warnings) });
      }
      if (!counts) throw new FileValidationError(errors);
      for (const warning of warnings) printError(`warning  ${formatDiagnostic(warning)}`);
      const formattedCounts = Object.entries(counts).map(([things, number]) =>
        formatCount(number, things.slice(0, -1)),
      );
      print(`${escaped(file)}: ${formattedCounts.join(", ")}`);
      return 0;
    },
  },
  {
    name: "fixture expand",
    summary: "Print a fixture with all missing values filled in.",
    operand: "file",
    flags: expandFlags,
    examples: [
      ["fixture expand my.json > completed.json", "the completed form of my.json"],
      ["fixture expand my.json --seed 7", "with another seed"],
    ],
    async run({ operands, flagValues }) {
      const { seed } = readAll(expandFlags, flagValues);
      const { expandFixture } = await import("../../fixture/tools.ts");
      await pipeline(await expandFixture(operands[0] ?? "", seed), process.stdout, { end: false });
    },
  },
  {
    name: "fixture generate",
    summary: "Write a fixture of any size.",
    flags: generateFlags,
    examples: [["fixture generate --offerings 3 --investments 100000 --seed 42 --out big.json", "a large fixture"]],
    async run({ flagValues }) {
      const { offerings, investments, seed, out, force } = readAll(generateFlags, flagValues);
      if (out === undefined) throw new ValidationError("fixture generate needs --out: a file to write.");
      const { generateFixture } = await import("../../fixture/tools.ts");
      const onProgress = showProgress(`Writing ${escaped(out)}`);
      await generateFixture({ offerings, investments, seed, out, force, onProgress });
    },
  },
  {
    name: "fixture from-responses",
    summary: "Print a fixture with the shape of saved responses of the service, and with invented people.",
    operand: "file..",
    flags: { ...responsesFlags, ...assumptionSettings },
    examples: [
      ["fixture from-responses investment.json events.json > my.json", "investments, lists, statuses and events"],
      ["fixture from-responses responses/*.json --out my.json", "one response in each file"],
    ],
    async run({ operands, flagValues }) {
      const { keepOfferings, out, force } = readAll(responsesFlags, flagValues);
      if (out !== undefined) refuseExisting(out, force);
      const { settings } = await loadSettings(flagValues);
      const { fixtureFromResponses } = await import("../../fixture/responses/from-responses.ts");
      const investmentStatuses = currentAssumptions(settings)["investment.statuses"];
      const { fixture, warnings } = await fixtureFromResponses(operands, { keepOfferings, investmentStatuses });
      for (const warning of warnings) printError(`warning  ${escaped(warning)}`);
      if (out === undefined) print(fixture);
      else await replaceFile(out, `${fixture}\n`);
    },
  },
];
