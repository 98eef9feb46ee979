import { setImmediate as otherWork } from "node:timers/promises";

/** Milliseconds of work in one go. */
const slice = 10;

/** Long work in pieces: others get a turn in between. */
export class Turns {
  #end = performance.now() + slice;

  /** Resolves after a turn of the others if the present piece is over, and at once if it is not. */
  async next(): Promise<void> {
    if (performance.now() < this.#end) return;
    await otherWork();
    this.#end = performance.now() + slice;
  }
}
