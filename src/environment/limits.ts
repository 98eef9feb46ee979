import type { AssumptionValue } from "../assumptions/catalogue.ts";

/** What one more request did to the count of a key. */
export interface Hit {
  /** Requests that count now, this one included. */
  readonly used: number;
  /** Milliseconds until the window ends or, in a sliding one, until it has room again. */
  readonly resetsIn: number;
}

/** Counts the requests of one key. `time` is in milliseconds of limit time. */
interface LimitWindow {
  hit(time: number): Hit;
  /** Where the count stands, without counting anything. */
  read(time: number): Hit;
}

/** How long a window is, in milliseconds (section 8). */
const windowLength = 60_000;

/** A minute that begins with a key's first request, and again with the first one after it. */
class FixedWindow implements LimitWindow {
  #used: number;
  #end: number | undefined;

  /** `used` requests count in the first window before it begins. */
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
 * The last minute at any moment. Every request counts, the refused ones too; so only the last `limit` of them matter,
 * kept in a ring.
 */
class SlidingWindow implements LimitWindow {
  readonly #limit: number;
  readonly #times: number[] = [];
  #next = 0;
  #usedBefore: number;

  /** `used` requests count as made together with the first. */
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

  /** Until there is room again, or would be. */
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

/** The rate limits of an environment: one window a key, in constant time and memory for each. */
export class Limits {
  readonly #limit: number;
  #kind: AssumptionValue<"limit.window">;
  readonly #windows = new Map<string, LimitWindow>();

  /** `limit` is requests a minute; `usedUp` names the keys whose first window is used up from the start. */
  constructor(limit: number, kind: AssumptionValue<"limit.window">, usedUp: Iterable<string>) {
    this.#limit = limit;
    this.#kind = kind;
    for (const keyId of usedUp) this.set(keyId, limit);
  }

  /** Counts a request of a key. */
  hit(keyId: string, time: number): Hit {
    return this.#window(keyId).hit(time);
  }

  /** Where a key stands, without counting anything. */
  read(keyId: string, time: number): Hit {
    return this.#windows.get(keyId)?.read(time) ?? { used: 0, resetsIn: 0 };
  }

  /** Makes a key as if it had made so many requests in a window that begins with its next one. */
  set(keyId: string, used: number): void {
    this.#windows.set(keyId, this.#open(used));
  }

  /** Counts in windows of this kind from now on, and begins anew where the kind is another. */
  useWindow(kind: AssumptionValue<"limit.window">): void {
    if (kind !== this.#kind) this.clear();
    this.#kind = kind;
  }

  /** Forgets all requests. */
  clear(): void {
    this.#windows.clear();
  }

  #window(keyId: string): LimitWindow {
    let window = this.#windows.get(keyId);
    if (!window) {
      window = this.#open(0);
      this.#windows.set(keyId, window);
    }
    return window;
  }

  #open(used: number): LimitWindow {
    return this.#kind === "fixed" ? new FixedWindow(used) : new SlidingWindow(this.#limit, used);
  }
}
