import type { LocalSandbox, SandboxOptions } from "../control.ts";
import { startSandbox } from "../start-sandbox.ts";

/** The servers that the tests of a worker share, one for each object of options. */
export class Servers {
  readonly #started = new Map<SandboxOptions, Promise<LocalSandbox>>();

  /** The server that was started with these very options, or a new one. */
  start(options: SandboxOptions): Promise<LocalSandbox> {
    const known = this.#started.get(options);
    if (known) return known;
    const started = startSandbox(options);
    this.#started.set(options, started);
    return started;
  }

  /** Stops all that were started. */
  async close(): Promise<void> {
    const closing = [...this.#started.values()];
    this.#started.clear();
    for (const started of await Promise.allSettled(closing)) {
      if (started.status === "fulfilled") await started.value.close();
    }
  }
}
