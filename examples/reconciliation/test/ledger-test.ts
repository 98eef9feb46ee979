import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Environment, KeyDescription } from "offering-sandbox";
import { test as sandboxTest } from "offering-sandbox/vitest";
import { Ledger } from "../src/ledger.ts";
import { reconcile, type Reconciliation } from "../src/reconcile.ts";
import { Service } from "../src/service.ts";
import type { Settings } from "../src/settings.ts";

const fixture = fileURLToPath(new URL("../fixtures/ledger.json", import.meta.url));

/** A test with its own ledger from the fixture. */
export const test = sandboxTest.extend({ sandboxServerOptions: { fixture } });

/** The findings that the fixture contains on purpose. */
export const known = [
  "43 paid amount is not what succeeded",
  "44 amount is not price × quantity",
  "45 closed, but not paid in full",
  "46 paid more than its amount",
  "47 closed, but not signed by everybody",
];

export interface Reading extends Reconciliation {
  /** The differences in short. */
  readonly found: string[];
  /** The seconds of each wait, on the sandbox's clock. */
  readonly waits: number[];
}

/** Reads the ledger of a test, and returns the result. */
export async function read(sandbox: Environment, settings?: Settings): Promise<Reading> {
  settings ??= await settingsOf(sandbox);
  const waits: number[] = [];
  const service = new Service(settings, async ({ seconds }) => {
    waits.push(seconds);
    await sandbox.clock.advance(seconds * 1000);
    // The clock skips the wait. A short one lets coverage be certain that the next request is a reaction.
    await pause(200);
  });
  const result = await reconcile(new Ledger(service, settings.offeringId));
  return { ...result, waits, found: result.differences.map(({ investment, finding }) => `${investment} ${finding}`) };
}

/** Returns the settings with which the script reads the ledger of a test. */
export async function settingsOf(sandbox: Environment): Promise<Settings> {
  const { key, offering_id: offeringId } = await keyOf(sandbox);
  return { baseUrl: sandbox.baseUrl, offeringId, key };
}

/** Returns the key that the script uses. */
export async function keyOf({ keys }: Environment): Promise<KeyDescription> {
  const key = (await keys.list()).find(({ type }) => type === "marketing");
  if (!key) throw new Error("the fixture has no marketing key");
  return key;
}

/** Counts requests of the key's minute as already used. */
export async function use(sandbox: Environment, requests: number): Promise<void> {
  const { id } = await keyOf(sandbox);
  await sandbox.limits.set(id, requests);
}
