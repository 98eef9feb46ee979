import { Arrivals } from "./arrivals.ts";
import type { Change, DatedEffect } from "./change.ts";

/** The ordered list of changes of an environment, past and future: by date, then by sequence. */
export class Timeline {
  readonly #changes: Change[] = [];
  readonly #times: number[] = [];
  /** What its changes bring into being, now or later. */
  readonly arrivals = new Arrivals();
  #sequence = 0;

  /** A timeline of changes that are in order already, as another one had them after so many were put there. */
  static of(changes: readonly Change[], issued: number): Timeline {
    const timeline = new Timeline();
    timeline.#sequence = issued;
    for (const change of changes) {
      timeline.#changes.push(change);
      timeline.arrivals.add(change);
      timeline.#times.push(Date.parse(change.date));
    }
    return timeline;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** How many changes were ever put here. */
  get issued(): number {
    return this.#sequence;
  }

  /** How many changes have a date up to and including this millisecond. */
  countUntil(milliseconds: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] ?? 0) <= milliseconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts an effect behind all others of its instant, and answers where it stands. */
  insert(effect: DatedEffect): number {
    const time = Date.parse(effect.date);
    const position = this.countUntil(time);
    const change = { ...effect, sequence: this.#sequence++ };
    this.#changes.splice(position, 0, change);
    this.#times.splice(position, 0, time);
    this.arrivals.add(change);
    return position;
  }

  /** Takes the change at this position away again. */
  remove(position: number): void {
    this.#forget(this.#changes[position]);
    this.#changes.splice(position, 1);
    this.#times.splice(position, 1);
  }

  /** Takes away the changes from this position on that are as said. */
  removeFrom(position: number, gone: (change: Change) => boolean): void {
    let to = position;
    for (let from = position; from < this.#changes.length; from++) {
      const change = this.#changes[from];
      if (!change || gone(change)) {
        this.#forget(change);
        continue;
      }
      this.#changes[to] = change;
      this.#times[to] = this.#times[from] ?? 0;
      to += 1;
    }
    this.#changes.length = to;
    this.#times.length = to;
  }

  #forget(change: Change | undefined): void {
    if (change) this.arrivals.delete(change);
  }
}
