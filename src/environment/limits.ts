import type { AssumptionValue } from "../assumptions/catalogue.ts";

/** The count of a key. */
export interface Hit {
  /** Requests that count now, the latest included. */
  readonly used: number;
  /** Milliseconds until the window ends or, if it slides, has room again. */
  readonly resetsIn: number;
}

/** Counts the requests of one key. `time` is in milliseconds of limit time. */
interface LimitWindow {
  hit(time: number): Hit;
  /** Returns the count without a change. */
  read(time: number): Hit;
}

/** Milliseconds (section 8). */
const windowLength = 60_000;

/** A minute that begins with a key's first request, then again with the first request after its end. */
class FixedWindow implements LimitWindow {
  #used: number;
  #end: number | undefined;

  /** `used` requests count in the first window from its start. */
  constructor(used: number) {
    this.#used = used;
  }

  hit(time: number): Hit {
    const { used, resetsIn } = this.read(time);
    this.#used = used + 1;
    this.#end = time + (resetsIn || windowLength);
    return { used: this.#used, resetsIn: this.#end - time };
  }

  read(time: number): Hit {
    if (this.#end === undefined) return { used: this.#used, resetsIn: 0 };
    return time < this.#end ? { used: this.#used, resetsIn: this.#end - time } : { used: 0, resetsIn: 0 };
  }
}

/**
 * The last minute at any moment. Refused requests count too, so only the last `limit` requests matter; a ring keeps
 * their times.
 */
class SlidingWindow implements LimitWindow {
  readonly #limit: number;
  readonly #times: number[] = [];
  #next = 0;
  #usedBefore: number;

  /** `used` requests count as made at the time of the first. */
  constructor(limit: number, used: number) {
    this.#limit = limit;
    this.#usedBefore = used;
  }

  hit(time: number): Hit {
    for (; this.#usedBefore > 0; this.#usedBefore--) this.#push(time);
    const used = this.#countSince(time - windowLength) + 1;
    this.#push(time);
    return { used, resetsIn: this.#resetsIn(time) };
  }

  read(time: number): Hit {
    return { used: this.#usedBefore + this.#countSince(time - windowLength), resetsIn: this.#resetsIn(time) };
  }

  /** Milliseconds until there is room for a request. */
  #resetsIn(time: number): number {
    const oldest = this.#times.length < this.#limit ? this.#times[0] : this.#times[this.#next];
    return oldest === undefined ? 0 : Math.max(0, oldest + windowLength - time);
  }

  #push(time: number): void {
    this.#times[this.#next] = time;
    this.#next = (this.#next + 1) % this.#limit;
  }

  #countSince(start: number): number {
    let count = 0;
    for (const time of this.#times) if (time > start) count += 1;
    return count;
  }
}

/** The rate limits of an environment: a window for each key, of constant size. */
export class Limits {
  readonly #limit: number;
  #kind: AssumptionValue<"limit.window">;
  readonly #windows = new Map<string, LimitWindow>();

  /** `limit` is in requests a minute; `usedUp` are the ids of keys whose first window begins used up. */
  constructor(limit: number, kind: AssumptionValue<"limit.window">, usedUp: Iterable<string>) {
    this.#limit = limit;
    this.#kind = kind;
    for (const keyId of usedUp) this.set(keyId, limit);
  }

  hit(keyId: string, time: number): Hit {
    const window = this.#windows.get(keyId) ?? this.#open(0);
    this.#windows.set(keyId, window);
    return window.hit(time);
  }

  read(keyId: string, time: number): Hit {
    return this.#windows.get(keyId)?.read(time) ?? { used: 0, resetsIn: 0 };
  }

  /** Starts a new window, with this count, at the next request of a key. */
  set(keyId: string, used: number): void {
    this.#windows.set(keyId, this.#open(used));
  }

  /** Changes the kind of window. Forgets all requests if it is another kind. */
  useWindow(kind: AssumptionValue<"limit.window">): void {
    if (kind !== this.#kind) this.clear();
    this.#kind = kind;
  }

  clear(): void {
    this.#windows.clear();
  }

  #open(used: number): LimitWindow {
    return this.#kind === "fixed" ? new FixedWindow(used) : new SlidingWindow(this.#limit, used);
  }
}
