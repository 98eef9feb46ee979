/** A queue of items with keys. An item is taken from the front, or by its key, without searching the others. */
export class KeyedQueue<Item> {
  readonly #keyOf: (item: Item) => unknown;
  readonly #left = new Set<Item>();
  readonly #byKey = new Map<unknown, Set<Item>>();

  constructor(keyOf: (item: Item) => unknown, items: Iterable<Item>) {
    this.#keyOf = keyOf;
    for (const item of items) {
      this.#left.add(item);
      const key = keyOf(item);
      this.#byKey.set(key, (this.#byKey.get(key) ?? new Set<Item>()).add(item));
    }
  }

  /** The items not taken yet. */
  get left(): Item[] {
    return [...this.#left];
  }

  delete(item: Item): void {
    this.#left.delete(item);
    this.#byKey.get(this.#keyOf(item))?.delete(item);
  }

  /** Takes the first item; undefined if none is left. */
  take(): Item | undefined {
    return this.#takeFrom(this.#left);
  }

  /** Takes the first item with this key. */
  takeByKey(key: unknown): Item | undefined {
    return this.#takeFrom(this.#byKey.get(key) ?? []);
  }

  #takeFrom(items: Iterable<Item>): Item | undefined {
    const [first] = items;
    if (first !== undefined) this.delete(first);
    return first;
  }
}
