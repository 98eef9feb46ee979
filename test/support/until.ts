import { setTimeout as wait } from "node:timers/promises";
import { onTestFailed, onTestFinished } from "vitest";

/**
 * Resolves once `holds` neither throws nor returns false. Checks every few milliseconds until the test's time is up,
 * then fails with the unmet condition.
 */
export async function until(holds: () => unknown): Promise<void> {
  let unmetReason: unknown;
  const endOfTest = new AbortController();
  onTestFinished(() => endOfTest.abort());
  onTestFailed(() => {
    if (unmetReason !== undefined) throw unmetReason;
  });
  while (!endOfTest.signal.aborted) {
    unmetReason = await unmetReasonOf(holds);
    if (unmetReason === undefined) return;
    await wait(2);
  }
}

/** Returns why a condition is not met; undefined if it is. */
async function unmetReasonOf(holds: () => unknown): Promise<unknown> {
  try {
    return (await holds()) === false ? new Error(`It never came to hold: ${String(holds)}`) : undefined;
  } catch (error) {
    return error;
  }
}
