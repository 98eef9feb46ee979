import { randomUUID } from "node:crypto";
import type { Assumptions } from "../assumptions/catalog.ts";
import { matchesPath } from "../model/fault.ts";
import { formatInstant, readInstant } from "../time/instant.ts";
import type { RecordedRequest, RequestFilter, StatusClass, WaitingRequest } from "../public/requests.ts";

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** The members of an entry that the journal fills itself. */
type JournalField = "id" | "recorded_at" | "elapsed_ms" | "as_of";

/** A new entry, whose members the service sets at once. The journal stores its lists, so they must not change later. */
export type NewEntry = Writable<Omit<RecordedRequest, JournalField>> & Pick<RecordedRequest, "id" | "elapsed_ms">;

/** An entry in the ring. Strings that only a reader needs are formatted when it is read. */
interface StoredEntry extends Writable<Omit<RecordedRequest, "recorded_at">> {
  /** The milliseconds since the epoch. */
  recorded_at: number;
}

/** A journal as plain data. */
export interface JournalData {
  /** The entries, oldest first. */
  readonly data: readonly RecordedRequest[];
  /** The number of older entries that were dropped. */
  readonly dropped: number;
  /** The id of the latest entry, even of a dropped one; 0 without any. */
  readonly last: number;
  /** The changes of assumptions between entries, oldest first. */
  readonly assumed?: readonly EarlierValues[] | undefined;
  /** The `series` of the journal, if it continues that of another process. */
  readonly series?: string | undefined;
}

/** The values before a change of assumptions that came after the entry with the id `last`. */
interface EarlierValues {
  readonly last: number;
  readonly values: Partial<Assumptions>;
}

/** The latest requests to an environment. */
export class Journal {
  readonly #capacity: number;
  readonly #startedAt: number;
  /**
   * A ring: the entry with the id n is at n % capacity. Each entry object is reused: a new object for each request,
   * which stays alive for a thousand further requests, would cost the garbage collector a copy.
   */
  #ring: StoredEntry[] = [];
  #lastId = 0;
  #clearedId = 0;
  #series: string;
  #assumptionChanges: readonly EarlierValues[];

  /** `time` is the `limitTime` at which the journal begins or continues. */
  constructor(capacity: number, journalData: JournalData, time: number) {
    const { data, dropped, last, assumed = [], series = randomUUID() } = journalData;
    this.#capacity = capacity;
    this.#series = series;
    this.#assumptionChanges = assumed;
    this.#startedAt = time - (data.at(-1)?.elapsed_ms ?? 0);
    this.#lastId = last;
    this.#clearedId = last - data.length - dropped;
    for (const entry of data) {
      const recorded_at = Date.parse(entry.recorded_at);
      this.#ring[entry.id % capacity] = { ...structuredClone(entry), recorded_at };
    }
  }

  /** The plain data of an equal journal. */
  get data(): JournalData {
    const assumed = this.#assumptionChanges.length > 0 && { assumed: this.#assumptionChanges };
    return { ...this.list({}), last: this.#lastId, ...assumed };
  }

  /** The id of the latest entry, even of a dropped one; 0 without any. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Returns the milliseconds from the latest entry to this `limitTime`. */
  idleAt(time: number): number {
    const entry = this.#ring[this.#lastId % this.#capacity];
    return time - this.#startedAt - (entry?.id === this.#lastId ? entry.elapsed_ms : 0);
  }

  /** Identifies the entries until they are cleared: a journal of another process has entries with the same ids. */
  get series(): string {
    return this.#series;
  }

  /** Adds an entry at a `limitTime`. `as_of` is the number of changes before it. */
  add(time: number, as_of: number): NewEntry {
    const id = ++this.#lastId;
    const entry = (this.#ring[id % this.#capacity] ??= {} as StoredEntry);
    entry.id = id;
    entry.recorded_at = Date.now();
    entry.elapsed_ms = time - this.#startedAt;
    entry.as_of = as_of;
    return entry;
  }

  /** Records that the response of an entry ended at this `limitTime`, unless the entry was dropped. */
  end(id: number, time: number, end: Pick<NewEntry, "duration_ms" | "hints">): void {
    const entry = this.#ring[id % this.#capacity];
    if (entry?.id === id) Object.assign(entry, end, { recorded_at: Date.now(), elapsed_ms: time - this.#startedAt });
  }

  /** Returns the requests that match a filter, oldest first; with a `limit`, only the latest. */
  list({ limit, after = 0, ...filter }: RequestFilter): Pick<JournalData, "data" | "dropped"> {
    const start = Math.max(this.#clearedId, after > this.#lastId ? 0 : after);
    const dropped = Math.max(0, this.#lastId - this.#capacity - start);
    const data: RecordedRequest[] = [];
    for (let id = this.#lastId; id > start + dropped && data.length < (limit ?? Infinity); id--) {
      const entry = this.#ring[id % this.#capacity];
      if (entry && isMatch(entry, filter)) {
        const recorded_at = formatInstant(entry.recorded_at);
        const { hints, depends_on, assumptions } = entry;
        const lists = { hints: [...hints], depends_on: [...depends_on], assumptions: [...assumptions] };
        data.push({ ...entry, recorded_at, ...lists });
      }
    }
    return { data: data.toReversed(), dropped };
  }

  /** Records the values before a change of assumptions, because the entries so far depend on them. */
  noteAssumptionChange(values: Partial<Assumptions>): void {
    const last = this.#lastId;
    const earlierChanges = this.#assumptionChanges.filter(({ last: id }) => id < last && id > last - this.#capacity);
    const sameEntryChange = this.#assumptionChanges.find((change) => change.last === last);
    this.#assumptionChanges =
      last === this.#clearedId ? [] : [...earlierChanges, { last, values: { ...values, ...sameEntryChange?.values } }];
  }

  /** Returns the assumptions that applied at an entry. */
  assumptionsAt(id: number, currentAssumptions: Assumptions): Assumptions {
    const laterChanges = this.#assumptionChanges.filter(({ last }) => last >= id).toReversed();
    return Object.assign({}, currentAssumptions, ...laterChanges.map(({ values }) => values)) as Assumptions;
  }

  clear(): void {
    this.#ring = [];
    this.#assumptionChanges = [];
    this.#clearedId = this.#lastId;
    this.#series = randomUUID();
  }
}

/** The members of a filter that decide which requests are listed, not how many. */
type EntryFilter = Omit<RequestFilter, "limit" | "after">;

function isMatch(entry: StoredEntry, filter: EntryFilter): boolean {
  const { status, code } = filter;
  if (status !== undefined && !isOfStatus(entry.status ?? 0, status)) return false;
  return (code === undefined || entry.code === code) && isOfRequest(entry, filter);
}

/** Whether a request without a response matches a filter. */
export function isWaitingMatch(request: WaitingRequest, filter: EntryFilter): boolean {
  return filter.status === undefined && filter.code === undefined && isOfRequest(request, filter);
}

function isOfRequest(request: Pick<WaitingRequest, "method" | "path" | "key_id" | "date">, filter: EntryFilter) {
  const { path, method, key_id, since } = filter;
  if (method !== undefined && request.method !== method.toUpperCase()) return false;
  if (key_id !== undefined && request.key_id !== key_id) return false;
  if (path !== undefined && !matchesPath(path, request.path.split("?")[0] ?? "")) return false;
  return since === undefined || request.date >= (readInstant(since) ?? "");
}

function isOfStatus(status: number, filter: number | StatusClass): boolean {
  return typeof filter === "number" ? status === filter : Math.floor(status / 100) === Number(filter[0]);
}
