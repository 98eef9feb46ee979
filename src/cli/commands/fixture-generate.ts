import { Mistake } from "../../model/mistake.ts";
import type { Command } from "../command.ts";
import { progress } from "../log/progress.ts";
import { onOrOff, text, wholeNumber } from "../settings/kinds.ts";
import { flagValues } from "../settings/read-values.ts";

const flags = {
  offerings: { kind: wholeNumber(1, 1000), default: 1, describe: "how many offerings" },
  investments: { kind: wholeNumber(0, 10_000_000), default: 100, describe: "how many investments, over all offerings" },
  seed: { kind: wholeNumber(0), default: 1, describe: "seed of everything that is generated" },
  out: { kind: text("file", "a file"), describe: "file to write" },
  force: { kind: onOrOff, default: false, describe: "write over the file if there is one" },
} as const;

/** Writes a completed fixture of any size. */
export const fixtureGenerate: Command = {
  summary: "Write a fixture of any size.",
  flags,
  examples: [["fixture generate --offerings 3 --investments 100000 --seed 42 --out big.json", "a large one"]],
  async run({ given }) {
    const { offerings, investments, seed, out, force } = flagValues(flags, given);
    if (out === undefined) throw new Mistake("fixture generate needs --out: a file to write.");
    const { generateFixture } = await import("../../fixture/generate-fixture.ts");
    await generateFixture({ offerings, investments, seed, out, force, onProgress: progress(`Writing ${out}`) });
    return 0;
  },
};
