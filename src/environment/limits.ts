import type { AssumptionValue } from "../assumptions/catalog.ts";

/** The count of a key after a request. */
export interface LimitHit {
  /** Number of requests that count now, the latest included. */
  readonly used: number;
  /** The time until the window ends or, if it slides, has room again. */
  readonly resetsInMs: number;
}

type WindowKind = AssumptionValue<"limit.window">;

/** Requests of one key that began to count together. */
interface CountedRequests {
  /** The milliseconds since the requests began to count; null if they count from the key's next request on. */
  readonly ago: number | null;
  readonly count: number;
}

/** The requests of a key that still count, oldest first, as plain data for snapshots. */
interface KeyUse {
  readonly key_id: string;
  readonly requests: readonly CountedRequests[];
}

/** The requests that count: all, those within the limit, or none. */
export type CountScope = "all" | "within" | "none";

/** The rows whose alternative value may refuse a request. */
export type LimitRow = "limit.window" | "limit.counts";

/** The length of a window (section 8). */
export const windowLengthMs = 60_000;

/**
 * The counter of one key's requests, with a queue of moments and the number of requests in each. A moment is a
 * millisecond, or longer where the limit is above 1,000 (at 10,000, ten milliseconds). `time` is in milliseconds of
 * limit time, which only runs forward. A sliding window is always the last minute. A fixed window is the minute from a
 * key's first request on, and the next window begins with the first request after its end. The queue of a fixed window
 * has only one moment: all its requests count from its beginning.
 */
class LimitWindow {
  readonly #isFixed: boolean;
  readonly #maxCount: number;
  /** The length of a moment. With shorter moments, a high limit would have an object for each request of a minute. */
  readonly #momentMs: number;
  readonly #moments: { readonly time: number; count: number }[] = [];
  /** Index of the oldest moment whose requests still count. */
  #firstIndex = 0;
  #usedCount = 0;
  #initialCount = 0;

  constructor(kind: WindowKind, limit: number, requests: readonly CountedRequests[], time: number) {
    this.#isFixed = kind === "fixed";
    // Refused requests count too. A sliding window needs only its latest requests, up to the limit.
    this.#maxCount = this.#isFixed ? Infinity : limit;
    this.#momentMs = this.#isFixed ? 1 : Math.ceil(limit / 1000);
    for (const { ago, count } of requests) {
      if (ago === null) this.#initialCount += count;
      else this.#add(time - ago, count);
    }
  }

  hit(time: number, count: 0 | 1): LimitHit {
    this.#expire(time);
    this.#add(time, this.#initialCount);
    this.#initialCount = 0;
    const used = this.#usedCount + count;
    this.#add(time, count);
    return { used, resetsInMs: this.#resetsIn(time) };
  }

  /** Returns the count without counting a request. */
  read(time: number): LimitHit {
    this.#expire(time);
    return { used: this.#initialCount + this.#usedCount, resetsInMs: this.#resetsIn(time) };
  }

  requests(time: number): CountedRequests[] {
    this.#expire(time);
    const moments = this.#moments.slice(this.#firstIndex);
    const requests = moments.map((moment) => ({ ago: time - moment.time, count: moment.count }));
    return this.#initialCount > 0 ? [...requests, { ago: null, count: this.#initialCount }] : requests;
  }

  /** Returns the time until the oldest request no longer counts; if the window is full, until there is room. */
  #resetsIn(time: number): number {
    const oldest = this.#moments[this.#firstIndex];
    return oldest ? oldest.time + windowLengthMs - time : 0;
  }

  #add(time: number, count: number): void {
    if (count === 0) return;
    const last = this.#moments.at(-1);
    if (last && (this.#isFixed || time - last.time < this.#momentMs)) last.count += count;
    else this.#moments.push({ time, count });
    this.#usedCount += count;
    while (this.#usedCount > this.#maxCount) this.#forget(this.#usedCount - this.#maxCount);
  }

  #expire(time: number): void {
    for (;;) {
      const oldest = this.#moments[this.#firstIndex];
      if (!oldest || oldest.time > time - windowLengthMs) return;
      this.#forget(oldest.count);
    }
  }

  /** Forgets requests of the oldest moment, up to a number. */
  #forget(maxCount: number): void {
    const oldest = this.#moments[this.#firstIndex];
    if (!oldest) return;
    const count = Math.min(maxCount, oldest.count);
    oldest.count -= count;
    this.#usedCount -= count;
    if (oldest.count === 0) this.#firstIndex += 1;
    // Removes moments only when they are more than half of the queue, so that every request costs about the same.
    if (this.#firstIndex * 2 <= this.#moments.length) return;
    this.#moments.splice(0, this.#firstIndex);
    this.#firstIndex = 0;
  }
}

const noRows: readonly LimitRow[] = [];

/** The assumptions on which the number of remaining requests depends. */
export const limitRows: readonly LimitRow[] = ["limit.window", "limit.counts"];

/** The rate limits of an environment: a window of bounded size for each key. */
export class Limits {
  readonly #limit: number;
  #kind: WindowKind;
  readonly #windows = new Map<string, LimitWindow>();
  /** The windows of each key under the alternative value of each row. */
  readonly #alternatives = new Map<string, Readonly<Record<LimitRow, LimitWindow>>>();

  /** `limit` is in requests a minute; `uses` are those at `time`. */
  constructor(limit: number, kind: WindowKind, uses: Iterable<KeyUse> = [], time = 0) {
    this.#limit = limit;
    this.#kind = kind;
    for (const { key_id, requests } of uses) this.#start(key_id, requests, time);
  }

  hit(keyId: string, time: number, count: 0 | 1 = 1): LimitHit {
    return (this.#windows.get(keyId) ?? this.#start(keyId, [], time)).hit(time, count);
  }

  /** Counts a request under the alternative value of each row. Returns the rows whose alternative refuses it. */
  refusingRows(keyId: string, time: number, scope: CountScope): readonly LimitRow[] {
    if (!this.#windows.has(keyId)) this.#start(keyId, [], time);
    const alternatives = this.#alternatives.get(keyId);
    if (!alternatives) return noRows;
    const byWindow = this.#refuses(alternatives["limit.window"], time, scope);
    // Where all requests count, the alternative value counts fewer.
    const byCounts = scope !== "all" && this.#refuses(alternatives["limit.counts"], time, "all");
    if (byCounts) return byWindow ? limitRows : ["limit.counts"];
    return byWindow ? ["limit.window"] : noRows;
  }

  #refuses(window: LimitWindow, time: number, scope: CountScope): boolean {
    if (scope === "all") return window.hit(time, 1).used > this.#limit;
    const isFull = window.hit(time, 0).used >= this.#limit;
    if (!isFull && scope === "within") window.hit(time, 1);
    return isFull;
  }

  read(keyId: string, time: number): LimitHit {
    return this.#windows.get(keyId)?.read(time) ?? { used: 0, resetsInMs: 0 };
  }

  /** Returns the use of each used key at a time. */
  uses(time: number): readonly KeyUse[] {
    const uses = Array.from(this.#windows, ([key_id, window]) => ({ key_id, requests: window.requests(time) }));
    return uses.filter(({ requests }) => requests.length > 0);
  }

  /** Starts a new window, with this count, at the next request of a key. */
  set(keyId: string, used: number): void {
    this.#start(keyId, [{ ago: null, count: used }], 0);
  }

  /** Changes the kind of window. Forgets all requests if it is another kind. */
  useWindow(kind: WindowKind): void {
    if (kind !== this.#kind) this.clear();
    this.#kind = kind;
  }

  clear(): void {
    this.#windows.clear();
    this.#alternatives.clear();
  }

  #start(keyId: string, requests: readonly CountedRequests[], time: number): LimitWindow {
    const createWindow = (kind = this.#kind) => new LimitWindow(kind, this.#limit, requests, time);
    const window = createWindow();
    const alternativeWindow = createWindow(this.#kind === "fixed" ? "sliding" : "fixed");
    this.#windows.set(keyId, window);
    this.#alternatives.set(keyId, { "limit.window": alternativeWindow, "limit.counts": createWindow() });
    return window;
  }
}
