/** How many items a run may have: so few that moving them is nothing, so many that there are few runs. */
const longestRun = 512;

/**
 * Items in an order that tells any two of them apart, cut into short runs, so that one comes or goes without all others
 * being moved. A copy shares each run until one of the two changes it.
 */
export class Sorted<T> {
  readonly #compare: (one: T, other: T) => number;
  /** None is empty. */
  readonly #runs: T[][];
  /** Those of the runs that no copy shares. */
  readonly #own: Set<T[]>;

  private constructor(compare: (one: T, other: T) => number, runs: T[][], own: Set<T[]>) {
    this.#compare = compare;
    this.#runs = runs;
    this.#own = own;
  }

  /** Items that come in any order. */
  static of<T>(items: readonly T[], compare: (one: T, other: T) => number): Sorted<T> {
    const sorted = items.toSorted(compare);
    const runs: T[][] = [];
    for (let from = 0; from < sorted.length; from += longestRun / 2) {
      runs.push(sorted.slice(from, from + longestRun / 2));
    }
    return new Sorted(compare, runs, new Set(runs));
  }

  copy(): Sorted<T> {
    this.#own.clear();
    return new Sorted(this.#compare, [...this.#runs], new Set());
  }

  get length(): number {
    let length = 0;
    for (const run of this.#runs) length += run.length;
    return length;
  }

  get last(): T | undefined {
    return this.#runs.at(-1)?.at(-1);
  }

  /** The items from one position up to another, which is left out. */
  slice(from: number, to: number): T[] {
    const items: T[] = [];
    let start = 0;
    for (const run of this.#runs) {
      const end = start + run.length;
      if (start >= to) break;
      if (end > from) items.push(...run.slice(Math.max(0, from - start), to - start));
      start = end;
    }
    return items;
  }

  /** The position of the first item that does not come `before`; all that do are at the beginning. */
  position(before: (item: T) => boolean): number {
    // The runs that begin with such an item; all but the last of them have no others.
    const runs = countFirst(this.#runs, ([first]) => first !== undefined && before(first));
    let position = 0;
    for (let index = 0; index < runs - 1; index++) position += this.#runs[index]?.length ?? 0;
    return position + countFirst(this.#runs[runs - 1] ?? [], before);
  }

  /** Other items in the same order. */
  ordered(items: readonly T[]): T[] {
    return items.toSorted(this.#compare);
  }

  /** Puts `after` where it belongs in place of `before`, wherever that was; undefined stands for no item. */
  replace(before: T | undefined, after: T | undefined): void {
    if (before !== undefined && after !== undefined && this.#compare(before, after) === 0) {
      this.#edit(before, (run, at) => (run[at] = after));
      return;
    }
    if (before !== undefined) this.#edit(before, (run, at) => run.splice(at, 1));
    if (after !== undefined) this.#edit(after, (run, at) => run.splice(at, 0, after));
  }

  /** Edits the run in which an item is or belongs, at its place. */
  #edit(item: T, edit: (run: T[], at: number) => void): void {
    const runs = this.#runs;
    const index = Math.max(
      0,
      countFirst(runs, ([first]) => first !== undefined && this.#compare(first, item) <= 0) - 1,
    );
    const run = this.#ownRun(index);
    edit(
      run,
      countFirst(run, (other) => this.#compare(other, item) < 0),
    );
    if (run.length > longestRun) {
      const rest = run.splice(longestRun / 2);
      this.#own.add(rest);
      runs.splice(index + 1, 0, rest);
    } else if (run.length === 0) {
      this.#own.delete(run);
      runs.splice(index, 1);
    }
  }

  /** The run of this index, as one that may be edited. */
  #ownRun(index: number): T[] {
    const run = this.#runs[index] ?? [];
    if (this.#own.has(run)) return run;
    const own = [...run];
    this.#own.add(own);
    this.#runs[index] = own;
    return own;
  }
}

/** How many items at the beginning of a list are as said; none behind them is. */
function countFirst<T>(items: readonly T[], asSaid: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Always there: `middle` is below `high`.
    if (asSaid(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
