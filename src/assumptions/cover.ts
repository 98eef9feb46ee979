/** A row, and the values that it is to have. */
interface CoveredRow {
  readonly id: string;
  readonly values: readonly (string | number)[];
}

/** Places of values among those of their rows, one for each row. */
type Run = readonly number[];

const known = new WeakMap<readonly CoveredRow[], readonly Run[]>();

/**
 * Returns runs, few of them, in which each pair of values of two rows occurs together: a greedy covering array, the same each
 * time. Early runs have most of the pairs.
 */
export function coveringRuns(rows: readonly CoveredRow[]): readonly Run[] {
  const cached = known.get(rows);
  if (cached) return cached;
  const missing = new Set(
    rows.flatMap((_, row) => rows.slice(0, row).flatMap((__, other) => pairsOf(rows, row, other))),
  );
  const runs: Run[] = [];
  for (const pair of missing) {
    // The loop goes on with the first pair that no run has.
    const run = rows.map(() => -1);
    const [row = 0, value = 0, other = 0, otherValue = 0] = pair.split(" ").map(Number);
    run[row] = value;
    run[other] = otherValue;
    for (const [at, { values }] of rows.entries())
      if (run[at] === -1) run[at] = bestValue(at, values.length, run, missing);
    for (const one of pairsIn(run)) missing.delete(one);
    runs.push(run);
  }
  known.set(rows, runs);
  return runs;
}

/** The value with the most missing pairs, with the values that the run has already. */
function bestValue(row: number, count: number, run: Run, missing: ReadonlySet<string>): number {
  let [best, most] = [0, -1];
  for (let value = 0; value < count; value++) {
    const gain = run.filter((other, at) => other !== -1 && missing.has(pairOf(row, value, at, other))).length;
    if (gain > most) [best, most] = [value, gain];
  }
  return best;
}

function pairsOf(rows: readonly CoveredRow[], row: number, other: number): string[] {
  return (rows[row]?.values ?? []).flatMap((_, value) =>
    (rows[other]?.values ?? []).map((__, otherValue) => pairOf(row, value, other, otherValue)),
  );
}

/** The later row first. */
function pairOf(row: number, value: number, other: number, otherValue: number): string {
  return row > other ? `${row} ${value} ${other} ${otherValue}` : `${other} ${otherValue} ${row} ${value}`;
}

function pairsIn(run: Run): string[] {
  return run.flatMap((value, row) =>
    run.slice(0, row).map((otherValue, other) => pairOf(row, value, other, otherValue)),
  );
}
