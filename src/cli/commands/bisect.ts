import type { AssumptionId } from "../../assumptions/catalogue.ts";
import { readSeed } from "../../assumptions/vary.ts";
import { Mistake } from "../../model/mistakes.ts";
import { quoted } from "../../model/text.ts";
import { oneOf, wholeNumber } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { type Given, readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { execSettings, runBeside } from "../exec/run-beside.ts";
import { smallest, without } from "../exec/smallest.ts";
import { again, inItsWords, reported, type RunReport, type VariedRows } from "../exec/varied-runs.ts";
import { print, printError } from "../output/terminal.ts";

const ownFlags = {
  by: {
    kind: oneOf(["exit", "output"]),
    default: "exit",
    words: "what fails: an exit code other than 0; with output, another stdout than without variation too",
  },
  mostRuns: { kind: wholeNumber(3, 10_000), default: 40, words: "runs after which to stop" },
} as const satisfies Settings;

const { vary: _vary, varySeed: _varySeed, casesDir: _casesDir, coverageDir: _coverageDir, ...execFlags } = execSettings;

/** Ends a search: by Ctrl-C, or after the last run. */
class Ended extends Error {}

interface Run {
  readonly fails: boolean;
  readonly stdout: string;
  readonly report: RunReport;
}

/** Runs a command, each time with some of the rows that a seed varies. */
class Bisection {
  runs = 0;
  interrupted = false;
  /** The values of the rows in the runs so far. */
  rows: VariedRows = new Map();
  /** The stdout without variation; undefined if it does not count. */
  expected: string | undefined;
  readonly #given: readonly Given[];
  readonly #child: readonly string[];
  readonly #seed: string;
  readonly #most: number;

  constructor(given: readonly Given[], child: readonly string[], seed: string, most: number) {
    this.#given = given;
    this.#child = child;
    this.#seed = seed;
    this.#most = most;
  }

  /** Runs with these rows varied; undefined: all. Throws Ended. */
  async run(words: string, only?: readonly AssumptionId[]): Promise<Run> {
    if (this.interrupted || this.runs === this.#most) throw new Ended();
    this.runs += 1;
    const variables = {
      OFFERING_SANDBOX_VARY_SEED: this.#seed,
      ...(only && { OFFERING_SANDBOX_VARY_ONLY: only.join(",") || "none" }),
    };
    let stdout = "";
    const listen = (chunk: Buffer): void => void (stdout += chunk.toString("latin1"));
    const { result: code, report } = await reported(variables, () => runBeside(this.#given, this.#child, listen));
    if (this.interrupted) throw new Ended();
    const fails = code !== 0 || (this.expected !== undefined && stdout !== this.expected);
    printError(`${this.runs}. ${words}: ${fails ? "fails" : "passes"}`);
    return { fails, stdout, report };
  }

  async fails(rows: readonly AssumptionId[]): Promise<boolean> {
    const words = rows.length > 3 ? `${rows.length} of ${this.rows.size}` : rows.join(", ");
    return (await this.run(words, rows)).fails;
  }
}

export const bisectCommand: Command = {
  name: "bisect",
  summary: "Find the varied assumptions with which a command fails.",
  operand: "seed",
  flags: { ...execFlags, ...ownFlags },
  afterTerminator: "command",
  epilogue: "Exit codes: 0 named, 1 could not, 2 wrong usage.",
  examples: [
    ["bisect 7f3a91c2 -- npm test", "the seed that a failed test or exec --vary has printed"],
    ["bisect 7f3a91c2 --by output -- node report.js", "a command that fails no other way than by its output"],
  ],
  async run({ given, operands: [text = ""], afterTerminator: child }) {
    const seed = readSeed(text);
    if (seed === undefined) throw new Mistake(`expected a seed such as "7f3a91c2.k4", not ${quoted(text)}.`);
    const isOwn = ({ setting }: Given): boolean => setting in ownFlags;
    const { by, mostRuns } = readAll(ownFlags, given.filter(isOwn));
    const others = given.filter((one) => !isOwn(one));
    const bisection = new Bisection(others, child, seed, mostRuns);
    const interrupt = (): void => void (bisection.interrupted = true);
    process.on("SIGINT", interrupt);
    try {
      const reason = await reasonAgainst(bisection, by === "output");
      if (reason !== undefined) {
        print(reason);
        return 1;
      }
      return await nameCulprits(bisection, (flags) => again("exec", others, flags, child));
    } finally {
      process.off("SIGINT", interrupt);
    }
  },
};

/** Runs without variation, and twice with all of it. Returns why no row can be named; undefined if one can. */
async function reasonAgainst(bisection: Bisection, byOutput: boolean): Promise<string | undefined> {
  try {
    const none = await bisection.run("none varied", []);
    if (!none.report.isReached) return "The command sent no request to a sandbox: nothing varied.";
    if (none.fails) return "The command fails unvaried: no variation is the reason.";
    if (byOutput) {
      bisection.expected = none.stdout;
      if ((await bisection.run("again", [])).fails) return "The command prints something else each time, unvaried too.";
    }
    const all = await bisection.run("all varied");
    bisection.rows = all.report.rows;
    if (all.report.rows.size === 0) return "Nothing varied: each row is set or calibrated.";
    if (!all.fails) return "The command passes with this seed.";
    if (!(await bisection.run("again")).fails)
      return "The command does not fail every time: it depends on something else too.";
    return undefined;
  } catch (error) {
    if (error instanceof Ended) return `Ended after ${bisection.runs} runs: nothing is known yet.`;
    throw error;
  }
}

/** Names the smallest set that fails, and then the next one without it. Returns the exit code. */
async function nameCulprits(bisection: Bisection, command: (flags: readonly string[]) => string): Promise<0 | 1> {
  let left: readonly AssumptionId[] = [...bisection.rows.keys()];
  let suspects = left;
  const flags: string[] = [];
  const fails = async (rows: readonly AssumptionId[]): Promise<boolean> => {
    const failed = await bisection.fails(rows);
    if (failed) suspects = rows;
    return failed;
  };
  try {
    do {
      const culprits = await smallest(left, fails);
      for (const [at, id] of culprits.entries()) {
        const values = bisection.rows.get(id) ?? [];
        print(`Fails with   ${inItsWords(id, values)}${at > 0 ? "   together with the one above" : ""}`);
        flags.push("--assume", `${id}=${values[0]}`);
      }
      left = without(left, culprits);
      suspects = [];
    } while (left.length > 0 && (await fails(left)));
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    const known = suspects.length > 0 ? ` One or more of these too: ${suspects.join(", ")}.` : "";
    print(`Ended after ${bisection.runs} runs.${known}`);
  }
  if (flags.length === 0) return 1;
  print(`${bisection.runs} runs.  ${command(flags)}`);
  return 0;
}
