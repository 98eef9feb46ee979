import type { Change, DatedEffect } from "./change.ts";

/** The ordered list of changes of an environment, past and future: by date, then by sequence. */
export class Timeline {
  readonly #changes: Change[] = [];
  readonly #times: number[] = [];
  #sequence = 0;

  get changes(): readonly Change[] {
    return this.#changes;
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
    this.#changes.splice(position, 0, { ...effect, sequence: this.#sequence++ });
    this.#times.splice(position, 0, time);
    return position;
  }

  /** Takes the change at this position away again. */
  remove(position: number): void {
    this.#changes.splice(position, 1);
    this.#times.splice(position, 1);
  }
}
