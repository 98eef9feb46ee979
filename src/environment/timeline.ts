import type { Change, DatedEffect } from "../model/change.ts";
import { prefixLength } from "../model/order.ts";

/** The changes of an environment, past and future, ordered by date, then by sequence. */
export class Timeline {
  readonly #changes: Change[];
  readonly #times: number[];
  #issued: number;

  /** `changes` are in order; `issued` is the number of changes ever inserted. */
  constructor(changes: readonly Change[] = [], issued = 0) {
    this.#changes = [...changes];
    this.#times = changes.map(({ date }) => Date.parse(date));
    this.#issued = issued;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Number of changes ever inserted, removed ones included. */
  get issued(): number {
    return this.#issued;
  }

  /** Number of changes with a date up to and including this millisecond. */
  countUntil(milliseconds: number): number {
    return prefixLength(this.#times, (time) => time <= milliseconds);
  }

  /** Inserts an effect after all others of its instant. Returns its position. */
  insert(effect: DatedEffect): number {
    const time = Date.parse(effect.date);
    const position = this.countUntil(time);
    this.#changes.splice(position, 0, { ...effect, sequence: this.#issued++ });
    this.#times.splice(position, 0, time);
    return position;
  }

  /** Replaces the change at a position by one of the same date and sequence. */
  replace(position: number, change: Change): void {
    this.#changes[position] = change;
  }

  /** Takes back the latest insertion, which was at this position. */
  takeBack(position: number): Change | undefined {
    this.#issued -= 1;
    this.#times.splice(position, 1);
    return this.#changes.splice(position, 1)[0];
  }

  /** Removes the changes for which the predicate holds, among those from this position on. */
  removeFrom(position: number, isGone: (change: Change) => boolean): void {
    const kept = this.#changes.splice(position).filter((change) => !isGone(change));
    this.#times.length = position;
    for (const change of kept) {
      this.#changes.push(change);
      this.#times.push(Date.parse(change.date));
    }
  }
}
