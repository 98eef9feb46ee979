import { windowLength, type Hit, type LimitWindow } from "./limit-window.ts";

/**
 * The last minute at any moment. Every request counts, the refused ones too; so only the last `limit` of them matter,
 * kept in a ring.
 */
export class SlidingWindow implements LimitWindow {
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
