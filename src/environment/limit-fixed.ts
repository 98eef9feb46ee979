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
