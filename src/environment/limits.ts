import type { AssumptionValue } from "../assumptions/catalogue.ts";
import { FixedWindow } from "./limit-fixed.ts";
import { SlidingWindow } from "./limit-sliding.ts";
import type { Hit, LimitWindow } from "./limit-window.ts";

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
