import type { AssumptionId } from "../../assumptions/catalogue.ts";
import { coverSeeds } from "../../assumptions/vary.ts";
import type { Given } from "../../settings/values.ts";
import { printError } from "../output/terminal.ts";
import { runBeside } from "./run-beside.ts";
import { again, inItsWords, reported, type RunReport } from "./varied-runs.ts";

interface CoverRun {
  readonly seed: string;
  readonly fails: boolean;
  readonly rows: RunReport["rows"];
}

/**
 * Runs a command as often as it takes for each pair of values to occur, `most` times at most, and names what it failed with.
 * Returns its exit code.
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
  const named = rows && { OFFERING_SANDBOX_VARY_ROWS: rows.join(",") };
  const run = async (seed: string, only?: string): Promise<CoverRun & RunReport> => {
    const variables = { ...named, OFFERING_SANDBOX_VARY_SEED: seed, ...(only && { OFFERING_SANDBOX_VARY_ONLY: only }) };
    const { result: code, report } = await reported(variables, () => runBeside(given, child));
    return { seed, fails: code !== 0, ...report };
  };
  const none = await run(seeds[0] ?? "", "none");
  if (none.fails || !none.isReached) {
    printError(none.fails ? "The command fails unvaried." : "Nothing varied: no request came.");
    return 1;
  }
  let interrupted = false;
  const interrupt = (): void => void (interrupted = true);
  process.on("SIGINT", interrupt);
  const runs: CoverRun[] = [];
  for (const seed of seeds) {
    const one = await run(seed);
    if (interrupted) break;
    runs.push(one);
    printError(`${runs.length} of ${seeds.length}, ${seed}: ${one.fails ? "fails" : "passes"}`);
  }
  const failed = runs.filter(({ fails }) => fails);
  const survived = new Set(runs.filter(({ fails }) => !fails).flatMap(valuesOf));
  const alone = async (seed: string, id: AssumptionId): Promise<boolean> => (await run(seed, id)).fails;
  if (!interrupted) for await (const line of culprits(failed, survived, alone)) printError(line);
  process.off("SIGINT", interrupt);
  printError(`Survived ${survived.size} of ${new Set(runs.flatMap(valuesOf)).size} values in ${runs.length} runs.`);
  const [first] = failed;
  if (first) printError(`One of them in detail:  ${again("bisect", given, [first.seed], child)}`);
  return runs.length === seeds.length && failed.length === 0 ? 0 : 1;
}

function valuesOf({ rows }: CoverRun): string[] {
  return [...rows].flatMap(([id, values]) => values.map((value) => `${id}=${value}`));
}

/**
 * Names values that fail by themselves, tried one at a time: first those of the most failing runs, and none that has passed,
 * until each run is explained. What passes is added to `survived`.
 */
async function* culprits(
  failed: readonly CoverRun[],
  survived: Set<string>,
  fails: (seed: string, id: AssumptionId) => Promise<boolean>,
): AsyncGenerator<string> {
  let left = failed;
  while (left.length > 0) {
    const inRuns = (text: string): number => left.filter((one) => valuesOf(one).includes(text)).length;
    const open = [...new Set(left.flatMap(valuesOf))].filter((text) => !survived.has(text));
    const [best] = open.toSorted((one, other) => inRuns(other) - inRuns(one));
    const run = left.find((one) => best !== undefined && valuesOf(one).includes(best));
    if (best === undefined || !run) {
      yield `Fails only with several together: ${left.map(({ seed }) => seed).join(", ")}`;
      return;
    }
    const id = best.slice(0, best.indexOf("=")) as AssumptionId;
    if (await fails(run.seed, id)) {
      yield `Fails with   ${inItsWords(id, [best.slice(id.length + 1)])}`;
      left = left.filter((one) => !valuesOf(one).includes(best));
    } else {
      survived.add(best);
    }
  }
}
