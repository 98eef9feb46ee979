import { setImmediate as nextTurn } from "node:timers/promises";

/** The duration of one piece of work. */
const sliceMs = 10;

/** Long work in pieces, between which other work can run. */
export class TimeSlice {
  #deadline = performance.now() + sliceMs;

  /** Lets other work run if the current piece has lasted long enough; otherwise resolves at once. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() < this.#deadline) return;
    await nextTurn();
    this.#deadline = performance.now() + sliceMs;
  }
}
