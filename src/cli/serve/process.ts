import { rename, rm, writeFile } from "node:fs/promises";
import { UnwritableFile } from "../../model/mistakes.ts";

/** Writes the port for others to read: whole or not at all. Throws UnwritableFile. */
export async function writePortFile(file: string, url: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, `${new URL(url).port || "80"}\n`);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new UnwritableFile(file, error);
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Fulfilled when the process is asked to stop: by a signal, by `q` on a terminal, or because the parent that forked it
 * is gone. Asked a second time, the process ends at once.
 */
export class StopRequest {
  readonly asked: Promise<void>;
  #resolve = (): void => {};
  #before = false;

  constructor() {
    this.asked = new Promise((resolve) => (this.#resolve = resolve));
    for (const signal of signals) process.on(signal, this.ask);
    process.once("disconnect", this.ask);
    // Only the server is to keep the process alive.
    process.channel?.unref();
  }

  readonly ask = (): void => {
    if (this.#before) process.exit(0);
    this.#before = true;
    this.#resolve();
  };
}
