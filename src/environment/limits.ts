import type { AssumptionValue } from "../assumptions/catalogue.ts";
import { FixedWindow } from "./limit-fixed.ts";
import { SlidingWindow } from "./limit-sliding.ts";
import type { Hit, LimitWindow } from "./limit-window.ts";

/** The rate limits of an environment: one window a key, in constant time and memory for each. */
export class Limits {
  readonly #windows = new Map<string, LimitWindow>();
  readonly #open: (used: number) => LimitWindow;
  readonly #limit: number;
  readonly #usedUp: ReadonlySet<string>;

  /** `limit` is requests a minute; `usedUp` names the keys whose first window is used up from the start. */
  constructor(limit: number, kind: AssumptionValue<"limit.window">, usedUp: Iterable<string>) {
    this.#limit = limit;
    this.#usedUp = new Set(usedUp);
    this.#open = (used) => (kind === "fixed" ? new FixedWindow(used) : new SlidingWindow(limit, used));
  }

  /** Counts a request of a key. */
  hit(keyId: string, time: number): Hit {
    let window = this.#windows.get(keyId);
    if (!window) {
      window = this.#open(this.#usedUp.has(keyId) ? this.#limit : 0);
      this.#windows.set(keyId, window);
    }
    return window.hit(time);
  }
}
