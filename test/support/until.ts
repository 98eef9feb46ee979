import { setTimeout as wait } from "node:timers/promises";

/** Resolves once a condition holds, which is looked at every few milliseconds; rejects after some seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 5000; looks++) {
    if (await holds()) return;
    await wait(2);
  }
  throw new Error(`It never came to hold: ${String(holds)}`);
}
