/** The signals to stop, for our process and for the command of `exec`. */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A request to stop: by a signal, by `q` in a terminal, or because the forking parent is gone. A second request ends
 * the process at once.
 */
export class StopRequest {
  /** Resolves with the name of the signal; undefined for another request. */
  readonly signal: Promise<string | undefined>;
  #resolve: (signal?: string) => void = () => {};
  #before = false;

  constructor() {
    this.signal = new Promise((resolve) => (this.#resolve = resolve));
    for (const signal of stopSignals) process.on(signal, this.ask);
    process.once("disconnect", this.ask);
    // Only the server keeps the process alive.
    process.channel?.unref();
  }

  readonly ask = (signal?: string): void => {
    if (this.#before) process.exit(0);
    this.#before = true;
    this.#resolve(signal);
  };

  /** Resolves on the next request, which then does not end the process. */
  again(): Promise<unknown> {
    this.#before = false;
    return new Promise((resolve) => (this.#resolve = resolve));
  }
}
