/**
 * Writes on demand, one write at a time. Whoever asks while a write is under way shares the next one, however many they
 * are: a write begins after everything that it is asked for, and a failure is told to all who asked for it.
 */
export class SharedWrite {
  readonly #write: () => Promise<void>;
  #underWay: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Fulfilled when a write that began after this call has succeeded. */
  ask(): Promise<void> {
    this.#next ??= this.#after(this.#underWay);
    return this.#next;
  }

  async #after(previous: Promise<void>): Promise<void> {
    await previous.catch(() => {});
    this.#underWay = this.#next ?? previous;
    this.#next = undefined;
    await this.#write();
  }
}
