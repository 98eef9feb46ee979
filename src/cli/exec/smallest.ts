/** Whether a command fails with exactly these items. It may depend on chance. */
export type Trial<Item> = (items: readonly Item[]) => Promise<boolean>;

/** A set of items failed once and passed once. */
export class Flaky extends Error {}

/**
 * Finds the smallest sets of items with which a command fails. It remembers each answer, and takes the parts of a passing set as
 * passing. One answer by chance misleads it to no set: what it rests on is asked once more.
 */
export class Search<Item> {
  readonly #passed: ReadonlySet<Item>[] = [new Set()];
  readonly #failed: ReadonlySet<Item>[] = [];
  readonly #failedTwice: ReadonlySet<Item>[] = [];
  /** The last set that failed, of which no part is named yet. */
  suspects: readonly Item[] = [];

  /** The items that have been in a passing set. */
  get survivors(): ReadonlySet<Item> {
    return new Set(this.#passed.flatMap((set) => [...set]));
  }

  /** Remembers the answer to a set. */
  note(items: readonly Item[], fails: boolean): void {
    (fails ? this.#failed : this.#passed).push(new Set(items));
    if (fails) this.suspects = items;
  }

  /**
   * Yields a smallest set within items that have failed, then one within the others, until these pass. A yielded set failed
   * twice, and passed without any one of its items. Throws Flaky, and as `trial`.
   */
  async *within(items: readonly Item[], trial: Trial<Item>): AsyncGenerator<readonly Item[]> {
    for (let left = items; await this.#fails(left, trial);) {
      const found = await this.#smallest(left, trial);
      this.suspects = [];
      yield items.filter((item) => found.includes(item));
      left = without(left, found);
    }
  }

  /** Each round finds, by halving, the last item of the shortest failing beginning: the others before it may be needed too. */
  async #smallest(items: readonly Item[], trial: Trial<Item>): Promise<readonly Item[]> {
    const needed: Item[] = [];
    let left = items;
    do {
      if (needed.length > 0) await this.#expectFailing([...needed, ...left], trial);
      let [passing, failing] = [0, left.length];
      while (failing - passing > 1) {
        const middle = Math.floor((passing + failing) / 2);
        if (await this.#fails([...needed, ...left.slice(0, middle)], trial)) failing = middle;
        else passing = middle;
      }
      needed.push(...left.slice(failing - 1, failing));
      left = left.slice(0, failing - 1);
    } while (!(await this.#fails([...needed], trial)));
    // A set that passed, with these in it, may have done so by chance, or because one item hides what another does.
    for (const item of needed) {
      const others = without(needed, [item]);
      if (others.length === 0 || !(await trial(others))) continue;
      this.note(others, true);
      return this.#smallest(others, trial);
    }
    await this.#expectFailing(needed, trial);
    return needed;
  }

  async #fails(items: readonly Item[], trial: Trial<Item>): Promise<boolean> {
    if (this.#failed.some((set) => isSame(set, items))) return true;
    if (this.#passed.some((set) => items.every((item) => set.has(item)))) return false;
    const fails = await trial(items);
    this.note(items, fails);
    return fails;
  }

  /** Asks once more. Throws Flaky. */
  async #expectFailing(items: readonly Item[], trial: Trial<Item>): Promise<void> {
    if (this.#failedTwice.some((set) => isSame(set, items))) return;
    if (!(await trial(items))) throw new Flaky();
    this.#failedTwice.push(new Set(items));
  }
}

function isSame<Item>(set: ReadonlySet<Item>, items: readonly Item[]): boolean {
  return set.size === items.length && items.every((item) => set.has(item));
}

function without<Item>(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  return items.filter((item) => !others.includes(item));
}
