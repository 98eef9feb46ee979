import type { JournalEntry, RequestFilter, RequestList } from "../control.ts";
import { belowBase, matchesPath } from "../model/fault.ts";
import { parseIsoDate } from "../model/instant.ts";

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** A journal as plain data. */
export interface JournalContent extends RequestList {
  /** The id of the latest entry, kept or not; 0 for none. */
  readonly last: number;
}

/** The latest requests to an environment. */
export class Journal {
  readonly #capacity: number;
  /**
   * A ring: the entry with id n is at n % capacity. Each entry object is reused, because a new object for each request,
   * alive for a thousand others, would cost the garbage collector a copy.
   */
  #ring: Writable<JournalEntry>[] = [];
  #last = 0;
  #clearedTo = 0;

  constructor(capacity: number, { data, dropped, last }: JournalContent = { data: [], dropped: 0, last: 0 }) {
    this.#capacity = capacity;
    this.#last = last;
    this.#clearedTo = last - data.length - dropped;
    for (const entry of data) this.#ring[entry.id % capacity] = structuredClone(entry);
  }

  /** The plain data from which an equal journal can be made. */
  get content(): JournalContent {
    return { ...this.list({}), last: this.#last };
  }

  record(entry: Omit<JournalEntry, "id">): void {
    const id = ++this.#last;
    const place = (this.#ring[id % this.#capacity] ??= { id, ...entry });
    Object.assign(place, entry).id = id;
  }

  /** The requests that match a filter, oldest first; the latest ones if `limit` is given. */
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
  // As in faults, a pattern begins at the origin or at the base address.
  if (path !== undefined && !matchesPath(belowBase(path), belowBase(entry.path.split("?")[0] ?? ""))) return false;
  return since === undefined || Date.parse(entry.date) >= (parseIsoDate(since)?.milliseconds ?? 0);
}
