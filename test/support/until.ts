import { setTimeout as wait } from "node:timers/promises";
import { onTestFailed, onTestFinished } from "vitest";

/**
 * Resolves once `holds` neither throws nor returns false. Checks every few milliseconds until the test's time is up,
 * then fails with the unmet condition.
 */
export async function until(holds: () => unknown): Promise<void> {
  let missing: unknown;
  const over = new AbortController();
  onTestFinished(() => over.abort());
  onTestFailed(() => {
    if (missing !== undefined) throw missing;
  });
  while (!over.signal.aborted) {
    missing = await lookedFor(holds);
    if (missing === undefined) return;
    await wait(2);
  }
}

/** Returns why a condition is not met; undefined if it is. */
async function lookedFor(holds: () => unknown): Promise<unknown> {
  try {
    return (await holds()) === false ? new Error(`It never came to hold: ${String(holds)}`) : undefined;
  } catch (error) {
    return error;
  }
}
