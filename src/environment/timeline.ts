import type { Change, DatedEffect } from "../model/change.ts";
import { prefixLength } from "../model/order.ts";

/** The changes of an environment, past and future, ordered by date, then by sequence. */
export class Timeline {
  readonly #changes: Change[];
  readonly #times: number[];
  #issued: number;
  #bytes: number | undefined;

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

  /** Bytes of the changes in a snapshot, with the counts of their faults and keys. */
  get bytes(): number {
    return (this.#bytes ??= this.#changes.reduce((sum, change) => sum + weightOf(change), 0));
  }

  /** Number of changes with a date up to and including this millisecond. */
  countUntil(milliseconds: number): number {
    return prefixLength(this.#times, (time) => time <= milliseconds);
  }

  /** Inserts an effect after all others of its instant. Returns its position. */
  insert(effect: DatedEffect): number {
    const time = Date.parse(effect.date);
    const position = this.countUntil(time);
    const change: Change = { ...effect, sequence: this.#issued++ };
    this.#weigh(change, 1);
    this.#changes.splice(position, 0, change);
    this.#times.splice(position, 0, time);
    return position;
  }

  /** Takes back the latest insertion, which was at this position. */
  takeBack(position: number): Change | undefined {
    this.#issued -= 1;
    this.#times.splice(position, 1);
    const [change] = this.#changes.splice(position, 1);
    this.#weigh(change, -1);
    return change;
  }

  /** Removes the changes for which the predicate holds, among those from this position on. */
  removeFrom(position: number, isGone: (change: Change) => boolean): void {
    const rest = this.#changes.splice(position);
    this.#times.length = position;
    for (const change of rest) {
      if (isGone(change)) {
        this.#weigh(change, -1);
        continue;
      }
      this.#changes.push(change);
      this.#times.push(Date.parse(change.date));
    }
  }

  #weigh(change: Change | undefined, sign: 1 | -1): void {
    if (this.#bytes !== undefined && change) this.#bytes += sign * weightOf(change);
  }
}

/** The bytes of a value as JSON, with the comma after it. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}

/** A fault and a key have a count beside their change, which is shorter than the change. */
function weightOf(change: Change): number {
  return jsonBytes(change) * (change.kind === "new_fault" || change.kind === "new_key" ? 2 : 1);
}
