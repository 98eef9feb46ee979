import type { AssumptionId } from "../../assumptions/catalogue.ts";
import { coverSeeds } from "../../assumptions/vary.ts";
import type { Given } from "../../settings/values.ts";
import { printError } from "../output/terminal.ts";
import { Flaky, Search } from "./smallest.ts";
import { assumeFlags, commandLine, culpritLines, Ended, setInWords, VariedRuns } from "./varied-runs.ts";

/** A value of a row: `list.order=id`. */
type Item = `${AssumptionId}=${string | number}`;

/**
 * Runs a command as often as it takes for each pair of values to occur, `most` times at most, and names the values with which
 * it fails; later runs go without these. Returns its exit code.
 */
export async function coverRuns(
  given: readonly Given[],
  child: readonly string[],
  { rows, most }: { readonly rows: readonly string[] | undefined; readonly most: number | undefined },
): Promise<0 | 1> {
  const all = coverSeeds(rows);
  const seeds = all.slice(0, most);
  const part =
    seeds.length < all.length ? `, of the ${all.length} for every pair of values` : " for every pair of values";
  printError(`${seeds.length} runs${part}, after one without variation.`);
  using runs = new VariedRuns(given, child, { rows });
  const cover = new Cover(runs);
  try {
    const none = await runs.run("none varied", all[0]?.seed ?? "", []);
    if (none.fails || !none.report.isReached) {
      printError(none.fails ? "The command fails unvaried." : "Nothing varied: no request came.");
      return 1;
    }
    for (const { seed, values } of seeds)
      await cover.run(seed, values, `${seed}, ${cover.done + 1} of ${seeds.length}`);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
  const { done, search, seen, failures } = cover;
  const failed = failures > 0 ? `, ${failures} of which failed` : "";
  printError(`Survived ${search.survivors.size} of ${seen.size} values in ${done} of ${seeds.length} runs${failed}.`);
  const [first] = cover.culprits;
  if (first) printError(`One of them again:  ${commandLine("exec", assumeFlags(rowsOf(first)), { given, child })}`);
  return done === seeds.length && failures === 0 ? 0 : 1;
}

/** The runs of a cover, and what they have found. */
class Cover {
  /** Runs that are over, with the search for what failed in them. */
  done = 0;
  failures = 0;
  readonly culprits: (readonly Item[])[] = [];
  readonly seen = new Set<Item>();
  readonly search = new Search<Item>();
  readonly #runs: VariedRuns;

  constructor(runs: VariedRuns) {
    this.#runs = runs;
  }

  /** Runs with the values of a seed but for those that are known to fail, and names those that fail with it. Throws Ended. */
  async run(seed: string, values: ReadonlyMap<AssumptionId, string | number>, words: string): Promise<void> {
    const all = Array.from(values, ([id, value]): Item => `${id}=${value}`);
    const known = this.culprits.filter((set) => set.every((item) => all.includes(item))).flat();
    const only = known.length > 0 ? idsOf(all.filter((item) => !known.includes(item))) : undefined;
    const { fails, report } = await this.#runs.run(words, seed, only);
    const varied = [...report.rows].flatMap(([id, [value = ""]]): Item => `${id}=${value}`);
    for (const item of varied) this.seen.add(item);
    this.search.note(varied, fails);
    if (fails) await this.#nameCulprits(seed, varied);
    this.done += 1;
  }

  async #nameCulprits(seed: string, varied: readonly Item[]): Promise<void> {
    this.failures += 1;
    const trial = async (items: readonly Item[]): Promise<boolean> =>
      (await this.#runs.run(`${seed}, only ${setInWords(items, varied.length)}`, seed, idsOf(items))).fails;
    try {
      for await (const set of this.search.within(varied, trial)) {
        this.culprits.push(set);
        for (const line of culpritLines(rowsOf(set))) printError(line);
      }
    } catch (error) {
      if (!(error instanceof Flaky)) throw error;
      printError(`${seed} does not fail every time: the command depends on something else too.`);
    }
  }
}

function idsOf(items: readonly Item[]): AssumptionId[] {
  return [...rowsOf(items).keys()];
}

function rowsOf(items: readonly Item[]): ReadonlyMap<AssumptionId, readonly string[]> {
  return new Map(
    items.map((item) => {
      const at = item.indexOf("=");
      return [item.slice(0, at) as AssumptionId, [item.slice(at + 1)]];
    }),
  );
}
