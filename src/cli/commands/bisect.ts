import type { AssumptionId } from "../../assumptions/catalogue.ts";
import { readSeed } from "../../assumptions/vary.ts";
import { Mistake } from "../../model/mistakes.ts";
import { quoted } from "../../model/text.ts";
import { oneOf, wholeNumber } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type Given, readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { execSettings } from "../exec/run-beside.ts";
import { Flaky, Search } from "../exec/smallest.ts";
import {
  assumeFlags,
  commandLine,
  culpritLines,
  Ended,
  setInWords,
  VariedRuns,
  type VariedRows,
} from "../exec/varied-runs.ts";
import { print } from "../output/terminal.ts";

const ownFlags = {
  by: {
    kind: oneOf(["exit", "output"]),
    default: "exit",
    words: "what fails: an exit code other than 0; with output, another stdout than without variation too",
  },
  mostRuns: { kind: wholeNumber(3, 10_000), default: 40, words: "runs after which to stop" },
} as const satisfies Settings;

const { vary: _vary, varySeed: _varySeed, casesDir: _casesDir, coverageDir: _coverageDir, ...execFlags } = execSettings;

export const bisectCommand: Command = {
  name: "bisect",
  summary: "Find the varied assumptions with which a command fails.",
  operand: "seed",
  flags: { ...execFlags, ...ownFlags },
  afterTerminator: "command",
  epilogue: "Exit codes: 0 named, 1 could not, or the command does not fail every time, 2 wrong usage.",
  examples: [
    ["bisect 7f3a91c2 -- npm test", "the seed that a failed test or exec --vary has printed"],
    ["bisect 7f3a91c2 --by output -- node report.js", "a command that fails no other way than by its output"],
  ],
  async run({ given, operands: [text = ""], afterTerminator: child }) {
    const seed = readSeed(text);
    if (seed === undefined) throw new Mistake(`expected a seed such as "7f3a91c2", not ${quoted(text)}.`);
    const isOwn = ({ setting }: Given): boolean => setting in ownFlags;
    const { by, mostRuns } = readAll(ownFlags, given.filter(isOwn));
    const others = given.filter((one) => !isOwn(one));
    using runs = new VariedRuns(others, child, { isSilent: true, most: mostRuns });
    const search = new Search<AssumptionId>();
    const flags: string[] = [];
    let isFlaky = false;
    try {
      const { rows, reason } = await failingRows(runs, seed, by === "output");
      if (reason !== undefined) {
        print(reason);
        return 1;
      }
      const trial = async (ids: readonly AssumptionId[]): Promise<boolean> =>
        (await runs.run(setInWords(ids, rows.size), seed, ids)).fails;
      search.note([...rows.keys()], true);
      for await (const ids of search.within([...rows.keys()], trial)) {
        const culprits = new Map(ids.map((id) => [id, rows.get(id) ?? []]));
        for (const line of culpritLines(culprits)) print(line);
        flags.push(...assumeFlags(culprits));
      }
    } catch (error) {
      isFlaky = error instanceof Flaky;
      if (isFlaky) print("The command does not fail every time: it depends on something else too.");
      else if (error instanceof Ended) {
        const { suspects } = search;
        print(
          `Ended after ${runs.count} runs.${suspects.length > 0 ? ` One or more of these: ${suspects.join(", ")}.` : ""}`,
        );
      } else throw error;
    }
    if (flags.length > 0) print(`${runs.count} runs.  ${commandLine("exec", flags, { given: others, child })}`);
    return flags.length > 0 && !isFlaky ? 0 : 1;
  },
};

/** Runs without variation, and with all of it. Returns the rows that failed, or why none can be named. Throws Ended. */
async function failingRows(
  runs: VariedRuns,
  seed: string,
  byOutput: boolean,
): Promise<{ readonly rows: VariedRows; readonly reason?: string }> {
  const none = await runs.run("none varied", seed, []);
  const { rows } = none.report;
  if (!none.report.isReached) return { rows, reason: "The command sent no request to a sandbox: nothing varied." };
  if (none.fails) return { rows, reason: "The command fails unvaried: no variation is the reason." };
  if (byOutput) {
    runs.expected = none.stdout;
    const isSteady = !(await runs.run("again", seed, [])).fails;
    if (!isSteady) return { rows, reason: "The command prints something else each time, unvaried too." };
  }
  const all = await runs.run("all varied", seed);
  if (all.report.rows.size === 0) return { rows, reason: "Nothing varied: each row is set or calibrated." };
  return all.fails ? all.report : { rows, reason: "The command passes with this seed." };
}
