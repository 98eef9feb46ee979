import { windowLength, type Hit, type LimitWindow } from "./limit-window.ts";

/** A minute that begins with a key's first request, and again with the first one after it. */
export class FixedWindow implements LimitWindow {
  #used: number;
  #end: number | undefined;

  /** `used` requests count in the first window before it begins. */
  constructor(used: number) {
    this.#used = used;
  }

  hit(time: number): Hit {
    if (this.#end !== undefined && time >= this.#end) {
      this.#end = undefined;
      this.#used = 0;
    }
    this.#end ??= time + windowLength;
    this.#used += 1;
    return { used: this.#used, resetsIn: this.#end - time };
  }
}
