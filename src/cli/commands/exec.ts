import { ownSeed } from "../../assumptions/vary.ts";
import type { Command } from "../command.ts";
import { verdictFlags } from "../coverage/flags.ts";
import { coverRuns } from "../exec/cover-runs.ts";
import { execSettings, loadSettingsBeside, runBeside } from "../exec/run-beside.ts";
import { briefly, commandLine, reported } from "../exec/varied-runs.ts";
import { printError } from "../output/terminal.ts";
import { Mistake } from "../../model/mistakes.ts";
import { onOrOff, wholeNumber } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type Given, readAll } from "../../settings/values.ts";

const coverFlags = {
  varyCover: {
    kind: onOrOff,
    default: false,
    words: "run the command as often as it takes for each pair of varied values to occur",
  },
  mostRuns: {
    kind: wholeNumber(1, 999),
    defaultInWords: "all it takes",
    words: "runs of --vary-cover at most, without those that find a reason",
  },
} as const satisfies Settings;

const coverageFlags = {
  coverage: { kind: onOrOff, default: false, words: "tell which behaviours of the service the command has met" },
  ...verdictFlags,
} as const satisfies Settings;

export const execCommand: Command = {
  name: "exec",
  summary: "Run a command with a sandbox of its own on a free port.",
  flags: { ...execSettings, ...coverFlags, ...coverageFlags },
  afterTerminator: "command",
  examples: [
    ["exec -- npm test", "with OFFERING_SANDBOX_BASE_URL and keys in its environment"],
    ["exec --scenario closing -- pytest", "with a scenario that the tests move on"],
    ["exec --scenario live-demo --clock now --speed 1 -- npm run dev", "a front end with a service whose data changes"],
    [
      "exec --coverage --require 80%,no-risks -- npm test",
      "with a report of all that the tests have met: see coverage",
    ],
    ["exec --cases cases -- npm test", "with a file for each failed test that replays it: see replay"],
    ["exec -f my.json --log-level info -- make e2e", "your own fixture, each request logged to stderr"],
  ],
  async run({ given: all, afterTerminator: child }) {
    const [ofCoverage, rest] = [all.filter(isOfCoverage), all.filter((one) => !isOfCoverage(one))];
    const { coverage, ...flags } = readAll(coverageFlags, ofCoverage);
    if (!coverage && ofCoverage.some(({ setting }) => setting !== "coverage")) {
      throw new Mistake("There are flags for the report of --coverage; expected --coverage too.");
    }
    if (!coverage) return execute(rest, child);
    const [{ covered }, { settings }] = await Promise.all([
      import("../coverage/covered.ts"),
      loadSettingsBeside(withoutCover(rest)),
    ]);
    return covered({ ...flags, coverageDir: settings.coverageDir }, (parts) => {
      const own = rest.filter(({ setting }) => setting !== "coverageDir");
      return execute([...own, { setting: "coverageDir", text: parts, place: "--coverage" }], child);
    });
  },
};

function isOfCoverage({ setting }: Given): boolean {
  return setting in coverageFlags;
}

function withoutCover(all: readonly Given[]): Given[] {
  return all.filter(({ setting }) => !(setting in coverFlags));
}

async function execute(all: readonly Given[], child: readonly string[]): Promise<number> {
  const given = withoutCover(all);
  const { settings } = await loadSettingsBeside(given);
  const { vary, varySeed, varyRows } = settings;
  const { varyCover, mostRuns } = readAll(
    coverFlags,
    all.filter(({ setting }) => setting in coverFlags),
  );
  if (varyCover) return coverRuns(given, child, { rows: varyRows, most: mostRuns });
  const seed = vary === false ? undefined : (varySeed ?? (vary ? ownSeed() : undefined));
  if (seed === undefined) return runBeside(given, child);
  const variables = {
    OFFERING_SANDBOX_VARY_SEED: seed,
    ...(varyRows && { OFFERING_SANDBOX_VARY_ROWS: varyRows.join(",") }),
  };
  const { result: code, report } = await reported(variables, () => runBeside(given, child));
  if (!report.isReached) printError("Nothing varied: no request came.");
  else if (report.rows.size === 0) printError("Nothing varied: each row is set or calibrated, or the seed keeps it.");
  else if (code !== 0) {
    printError(`Varied by seed ${seed}: ${briefly(report.rows)}`);
    printError(`The same again:      ${commandLine("exec", ["--vary-seed", seed], { given, child })}`);
    printError(`Which value it was:  ${commandLine("bisect", [seed], { given, child })}`);
  }
  return code;
}
