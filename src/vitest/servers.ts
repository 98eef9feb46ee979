import type { LocalSandbox, SandboxOptions } from "../control.ts";
import { startSandbox } from "../start-sandbox.ts";

/** The servers that the tests of a worker share. */
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
    for (const started of await Promise.allSettled(this.#started.values())) {
      if (started.status === "fulfilled") await started.value.close();
    }
  }
}
