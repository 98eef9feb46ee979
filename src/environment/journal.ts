import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Assumptions } from "../assumptions/catalogue.ts";
import { belowBase, matchesPath } from "../model/fault.ts";
import { formatInstant, readInstant } from "../model/instant.ts";
import type { JournalEntry, RecordedRequests, RequestFilter, StatusClass, WaitingRequest } from "../options.ts";

/** A request as the service records it. The journal keeps its lists, which nobody may change. */
export type RecordedRequest = Omit<JournalEntry, "id" | "recorded_at" | "elapsed_ms" | "as_of" | "sent_after">;

/** The members of a request that are final only when its answer has ended. */
export type RequestEnd = Pick<RecordedRequest, "milliseconds" | "hints">;

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

/** A journal as plain data. */
export interface JournalContent extends RecordedRequests {
  /** The id of the latest entry, kept or not; 0 for none. */
  readonly last: number;
  /** Assumptions that were changed between entries, oldest first. */
  readonly assumed?: readonly EarlierValues[] | undefined;
}

/** The connection of a request. */
export interface Connection {
  /** When it was made, or began to wait for the request, in milliseconds of `performance.now()`. */
  readonly freeSince: number;
  /** Whether the request is its first. */
  readonly isNew: boolean;
}

/** The values before a change of assumptions, which came after the entry with the id `last`. */
interface EarlierValues {
  readonly last: number;
  readonly values: Partial<Assumptions>;
}

/** An answer as it went out. */
interface Sent {
  /** In milliseconds of `performance.now()`. */
  at: number;
  /** Milliseconds for which the process had been busy: a busy one has not heard of requests that wait. */
  active: number;
  /** Whether it went out on a connection that was new. */
  onNew: boolean;
}

interface Pause {
  readonly before: number;
  readonly until: number;
}

/** Milliseconds of an idle process without any request, which no burst of parallel ones has. */
const quiet = 100;

/** The latest requests to an environment. */
export class Journal {
  readonly #capacity: number;
  readonly #began: number;
  /**
   * A ring: the entry with id n is at n % capacity. Each entry object is reused, because a new object for each request,
   * alive for a thousand others, would cost the garbage collector a copy.
   */
  #ring: Writable<JournalEntry>[] = [];
  /** How the answers of the entries went out, at the same places. */
  readonly #sent: Sent[] = [];
  /** The last two pauses, the latest first: the entry before each, and the time at which a request ended it, in idle time. */
  #pauses: readonly [Pause, Pause];
  /** The last entry before requests that followed each other without a pause, if two of them were certainly parallel. */
  #beforeParallel: number | undefined;
  #last = 0;
  #clearedTo = 0;
  #series = randomUUID();
  #assumed: readonly EarlierValues[];

  /** `time` is the `limitTime` at which it begins, or goes on. */
  constructor(capacity: number, { data, dropped, last, assumed = [] }: JournalContent, time: number) {
    this.#capacity = capacity;
    this.#assumed = assumed;
    this.#began = time - (data.at(-1)?.elapsed_ms ?? 0);
    this.#last = last;
    this.#clearedTo = last - data.length - dropped;
    const begin = { before: last, until: -Infinity };
    this.#pauses = [begin, begin];
    for (const entry of data) this.#ring[entry.id % capacity] = structuredClone(entry);
  }

  /** The plain data from which an equal journal can be made. */
  get content(): JournalContent {
    const assumed = this.#assumed.length > 0 && { assumed: this.#assumed };
    return { ...this.list({}), last: this.#last, ...assumed };
  }

  /** The id of the latest entry, kept or not; 0 for none. */
  get last(): number {
    return this.#last;
  }

  /** Names the entries until they are cleared: another process has the same ids. */
  get series(): string {
    return this.#series;
  }

  /** At a `limitTime`, after so many changes. Returns the id. */
  record(
    request: RecordedRequest,
    [time, as_of, connection]: readonly [time: number, as_of: number, connection: Connection],
  ): number {
    const { active } = performance.eventLoopUtilization();
    const sent_after = this.#lastBefore(connection, time - this.#began - request.milliseconds - active);
    const id = ++this.#last;
    const sent = (this.#sent[id % this.#capacity] ??= { at: 0, active: 0, onNew: false });
    sent.at = performance.now();
    sent.active = active;
    sent.onNew = connection.isNew;
    const recorded_at = formatInstant(Date.now());
    const elapsed_ms = time - this.#began;
    const place = (this.#ring[id % this.#capacity] ??= { id, recorded_at, elapsed_ms, as_of, sent_after, ...request });
    Object.assign(place, request);
    place.id = id;
    place.recorded_at = recorded_at;
    place.elapsed_ms = elapsed_ms;
    place.as_of = as_of;
    place.sent_after = sent_after;
    return id;
  }

  /** The last entry whose answer the client certainly had as it sent a request. `came`: in idle time. */
  #lastBefore({ freeSince, isNew }: Connection, came: number): number {
    const pause = this.#lastBeforePause(came);
    if (isNew) {
      if (this.#beforeParallel !== undefined && this.#beforeParallel < pause) this.#beforeParallel = undefined;
      if (this.#last > pause && this.#answeredAt(this.#last) >= freeSince) this.#noteParallel(pause);
      if (this.#beforeParallel !== undefined) return this.#beforeParallel;
    }
    return Math.max(pause, this.#lastAnsweredBy(freeSince));
  }

  /** The last entry before the last pause that ended before a request came, or with it. */
  #lastBeforePause(came: number): number {
    const last = this.#ring[this.#last % this.#capacity];
    const answered = (last?.elapsed_ms ?? 0) - (this.#sent[this.#last % this.#capacity]?.active ?? 0);
    let [latest, earlier] = this.#pauses;
    if (this.#last > latest.before && came - answered >= quiet) {
      [latest, earlier] = [{ before: this.#last, until: came }, latest];
      this.#pauses = [latest, earlier];
    }
    return (came >= latest.until ? latest : earlier).before;
  }

  /** Connections that were made for requests in parallel: none of these is certainly after another. */
  #noteParallel(pause: number): void {
    if (this.#beforeParallel !== undefined) return;
    this.#beforeParallel = pause;
    for (let id = this.#last; id > pause && this.#sent[id % this.#capacity]?.onNew; id--) {
      const place = this.#ring[id % this.#capacity];
      if (place) place.sent_after = Math.min(place.sent_after, pause);
    }
  }

  #answeredAt(id: number): number {
    return this.#sent[id % this.#capacity]?.at ?? 0;
  }

  /** The last entry that was answered by an instant; those of another process were. */
  #lastAnsweredBy(instant: number): number {
    let [from, to] = [Math.max(this.#clearedTo, this.#last - this.#capacity, 0), this.#last];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if (this.#answeredAt(middle) <= instant) from = middle;
      else to = middle - 1;
    }
    return from;
  }

  /** Changes an entry; nothing if it is no longer kept. */
  amend(id: number, end: RequestEnd): void {
    const place = this.#ring[id % this.#capacity];
    if (place?.id === id) Object.assign(place, end);
  }

  /** The requests matching a filter, oldest first; the latest ones if `limit` is given. */
  list({ limit, after = 0, ...filter }: RequestFilter): RecordedRequests {
    const start = Math.max(this.#clearedTo, after > this.#last ? 0 : after);
    const dropped = Math.max(0, this.#last - this.#capacity - start);
    const data: JournalEntry[] = [];
    for (let id = this.#last; id > start + dropped && data.length < (limit ?? Infinity); id--) {
      const entry = this.#ring[id % this.#capacity];
      if (entry && isMatch(entry, filter)) {
        data.push({ ...entry, hints: [...entry.hints], assumptions: [...entry.assumptions] });
      }
    }
    return { data: data.toReversed(), dropped };
  }

  /** Notes the values before a change of assumptions: the entries so far rest on them. */
  noteAssumed(values: Partial<Assumptions>): void {
    const last = this.#last;
    const earlier = this.#assumed.filter((one) => one.last < last && one.last > last - this.#capacity);
    const here = this.#assumed.find((one) => one.last === last);
    this.#assumed = last === this.#clearedTo ? [] : [...earlier, { last, values: { ...values, ...here?.values } }];
  }

  /** The assumptions in force at an entry, from those of the present. */
  assumptionsAt(id: number, present: Assumptions): Assumptions {
    const changed = this.#assumed.filter(({ last }) => last >= id).toReversed();
    return Object.assign({}, present, ...changed.map(({ values }) => values)) as Assumptions;
  }

  clear(): void {
    this.#ring = [];
    this.#assumed = [];
    this.#clearedTo = this.#last;
    this.#series = randomUUID();
  }
}

/** The parts of a filter that say which requests, not how many. */
type Wanted = Omit<RequestFilter, "limit" | "after">;

function isMatch(entry: JournalEntry, filter: Wanted): boolean {
  const { status, code } = filter;
  if (status !== undefined && !isOfStatus(entry.status ?? 0, status)) return false;
  return (code === undefined || entry.code === code) && isOfRequest(entry, filter);
}

/** Whether a request without an answer matches a filter. */
export function isWaitingMatch(request: WaitingRequest, filter: Wanted): boolean {
  return filter.status === undefined && filter.code === undefined && isOfRequest(request, filter);
}

function isOfRequest(
  request: Pick<WaitingRequest, "method" | "path" | "key_id" | "date">,
  { path, method, key_id, since }: Wanted,
): boolean {
  if (method !== undefined && request.method !== method.toUpperCase()) return false;
  if (key_id !== undefined && request.key_id !== key_id) return false;
  // As in faults, a pattern begins at the origin or at the base address.
  if (path !== undefined && !matchesPath(belowBase(path), belowBase(request.path.split("?")[0] ?? ""))) return false;
  return since === undefined || request.date >= (readInstant(since) ?? "");
}

function isOfStatus(status: number, filter: number | StatusClass): boolean {
  return typeof filter === "number" ? status === filter : Math.floor(status / 100) === Number(filter[0]);
}
