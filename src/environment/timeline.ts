import type { Change, DatedEffect } from "../model/change.ts";
import { prefixLength } from "../model/order.ts";

/** The changes of an environment, past and future, ordered by date, then by sequence. */
export class Timeline {
  #changes: Change[];
  #times: number[];
  #issued: number;
  #bytes: number | undefined;

  /** `changes` are in order; `issued` is the number of changes ever inserted. */
  constructor(changes: readonly Change[] = [], issued = 0) {
    this.#changes = [...changes];
    this.#times = changes.map(timeOf);
    this.#issued = issued;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Number of changes ever inserted, removed ones included. */
  get issued(): number {
    return this.#issued;
  }

  /** Bytes of the changes as JSON. Counted again after a removal. */
  get bytes(): number {
    return (this.#bytes ??= this.#changes.reduce((sum, change) => sum + bytesOf(change), 0));
  }

  /** Number of changes with a date up to and including this millisecond. */
  countUntil(milliseconds: number): number {
    return prefixLength(this.#times, (time) => time <= milliseconds);
  }

  /** Inserts an effect after all others of its instant. Returns its position. */
  insert(effect: DatedEffect): number {
    const time = timeOf(effect);
    const position = this.countUntil(time);
    const change: Change = { ...effect, sequence: this.#issued++ };
    this.#bytes = this.bytes + bytesOf(change);
    this.#changes.splice(position, 0, change);
    this.#times.splice(position, 0, time);
    return position;
  }

  /**
   * Removes the changes for which the predicate holds. Returns the position of the first one; without any, the number
   * of changes. `issued` is lower than before only if the removed changes count as never inserted.
   */
  remove(isGone: (change: Change) => boolean, issued = this.#issued): number {
    const before = this.#changes;
    this.#changes = before.filter((change) => !isGone(change));
    this.#times = this.#changes.map(timeOf);
    this.#issued = issued;
    this.#bytes = undefined;
    const first = this.#changes.findIndex((change, index) => change !== before[index]);
    return first === -1 ? this.#changes.length : first;
  }
}

/** The size of a change in a list, with its comma. */
function bytesOf(change: Change): number {
  return Buffer.byteLength(JSON.stringify(change)) + 1;
}

function timeOf({ date }: DatedEffect): number {
  return Date.parse(date);
}
