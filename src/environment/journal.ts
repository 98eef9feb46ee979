import type { JournalEntry, RequestFilter, RequestList } from "../control.ts";
import { belowBase, matchesPath } from "../model/fault.ts";
import { parseIsoDate } from "../model/instant.ts";

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** What was asked of an environment: the last so many requests. */
export class Journal {
  readonly #capacity: number;
  /**
   * A ring: the entry with id n stands at n % capacity, written over the one before it. A new object for every request,
   * that lives as long as a thousand others, would have to be moved each time garbage is collected.
   */
  #ring: Writable<JournalEntry>[] = [];
  #last = 0;
  #clearedTo = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  record(entry: Omit<JournalEntry, "id">): void {
    const id = ++this.#last;
    const place = (this.#ring[id % this.#capacity] ??= { id, ...entry });
    Object.assign(place, entry).id = id;
  }

  /** The requests that a filter lets through, oldest first. */
  list({ limit, ...filter }: RequestFilter): RequestList {
    const first = Math.max(this.#clearedTo, this.#last - this.#capacity) + 1;
    const data: JournalEntry[] = [];
    for (let id = this.#last; id >= first && data.length < (limit ?? Infinity); id--) {
      const entry = this.#ring[id % this.#capacity];
      if (entry && matches(entry, filter)) data.push({ ...entry, hints: [...entry.hints] });
    }
    return { data: data.toReversed(), dropped: first - 1 - this.#clearedTo };
  }

  clear(): void {
    this.#ring = [];
    this.#clearedTo = this.#last;
  }
}

function matches(entry: JournalEntry, { path, status, key_id, since }: Omit<RequestFilter, "limit">): boolean {
  if (status !== undefined && entry.status !== status) return false;
  if (key_id !== undefined && entry.key_id !== key_id) return false;
  // As in faults, a pattern may begin at the origin or at the base address.
  if (path !== undefined && !matchesPath(belowBase(path), belowBase(entry.path.split("?")[0] ?? ""))) return false;
  return since === undefined || Date.parse(entry.date) >= (parseIsoDate(since)?.milliseconds ?? 0);
}
