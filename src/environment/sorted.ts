import { prefixLength } from "../model/order.ts";

/** Items in a chunk at most: few enough to move them quickly, enough to keep the number of chunks small. */
const maxChunkLength = 512;

/**
 * Items in a total order, in short chunks: adding or removing an item moves only its chunk. A copy shares each chunk until
 * one of the two changes it.
 */
export class Sorted<T> {
  readonly #compare: (one: T, other: T) => number;
  /** Never empty ones. */
  readonly #chunks: T[][];
  /** The chunks not shared with a copy. */
  readonly #unshared: Set<T[]>;

  private constructor(compare: (one: T, other: T) => number, chunks: T[][], unshared: Set<T[]>) {
    this.#compare = compare;
    this.#chunks = chunks;
    this.#unshared = unshared;
  }

  static of<T>(items: readonly T[], compare: (one: T, other: T) => number): Sorted<T> {
    const sorted = items.toSorted(compare);
    const chunks: T[][] = [];
    for (let from = 0; from < sorted.length; from += maxChunkLength / 2) {
      chunks.push(sorted.slice(from, from + maxChunkLength / 2));
    }
    return new Sorted(compare, chunks, new Set(chunks));
  }

  copy(): Sorted<T> {
    this.#unshared.clear();
    return new Sorted(this.#compare, [...this.#chunks], new Set());
  }

  get length(): number {
    let length = 0;
    for (const chunk of this.#chunks) length += chunk.length;
    return length;
  }

  get last(): T | undefined {
    return this.#chunks.at(-1)?.at(-1);
  }

  /** The items from one position up to, but not including, another. */
  slice(from: number, to: number): T[] {
    const items: T[] = [];
    let start = 0;
    for (const chunk of this.#chunks) {
      const end = start + chunk.length;
      if (start >= to) break;
      if (end > from) items.push(...chunk.slice(Math.max(0, from - start), to - start));
      start = end;
    }
    return items;
  }

  /** The position of the first item for which the predicate fails; it holds for a prefix. */
  position(before: (item: T) => boolean): number {
    // The chunks beginning within the prefix; all but the last of them are wholly in it.
    const chunks = prefixLength(this.#chunks, ([first]) => first !== undefined && before(first));
    let position = 0;
    for (let index = 0; index < chunks - 1; index++) position += this.#chunks[index]?.length ?? 0;
    return position + prefixLength(this.#chunks[chunks - 1] ?? [], before);
  }

  /** Sorts other items in the same order. */
  ordered(items: readonly T[]): T[] {
    return items.toSorted(this.#compare);
  }

  /** Replaces an item, at the place of the new one. `before` undefined adds one, `after` undefined removes one. */
  replace(before: T | undefined, after: T | undefined): void {
    if (before !== undefined && after !== undefined && this.#compare(before, after) === 0) {
      this.#edit(before, (chunk, at) => (chunk[at] = after));
      return;
    }
    if (before !== undefined) this.#edit(before, (chunk, at) => chunk.splice(at, 1));
    if (after !== undefined) this.#edit(after, (chunk, at) => chunk.splice(at, 0, after));
  }

  /** Edits the chunk of an item, at the place where the item is or belongs. */
  #edit(item: T, edit: (chunk: T[], at: number) => void): void {
    const chunks = this.#chunks;
    const index = Math.max(
      0,
      prefixLength(chunks, ([first]) => first !== undefined && this.#compare(first, item) <= 0) - 1,
    );
    const chunk = this.#unsharedChunk(index);
    edit(
      chunk,
      prefixLength(chunk, (other) => this.#compare(other, item) < 0),
    );
    if (chunk.length > maxChunkLength) {
      const rest = chunk.splice(maxChunkLength / 2);
      this.#unshared.add(rest);
      chunks.splice(index + 1, 0, rest);
    } else if (chunk.length === 0) {
      this.#unshared.delete(chunk);
      chunks.splice(index, 1);
    }
  }

  /** The chunk of this index, copied first if it is shared. */
  #unsharedChunk(index: number): T[] {
    const chunk = this.#chunks[index] ?? [];
    if (this.#unshared.has(chunk)) return chunk;
    const copy = [...chunk];
    this.#unshared.add(copy);
    this.#chunks[index] = copy;
    return copy;
  }
}
