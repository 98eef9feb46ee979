import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds of work in one piece. */
const slice = 10;

/** Long work in pieces: others get a turn in between. */
export class TimeSlice {
  #end = performance.now() + slice;

  /** Resolves after a turn of other work if the current piece has lasted long enough, and otherwise at once. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() < this.#end) return;
    await nextTurn();
    this.#end = performance.now() + slice;
  }
}
