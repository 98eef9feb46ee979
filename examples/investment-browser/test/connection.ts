import { setTimeout as pause } from "node:timers/promises";
import type { Environment, KeyDescription, KeyType } from "offering-sandbox";
import { Service, type Wait } from "../src/service/service.ts";

/** The service as a key of a test's sandbox sees it. The sandbox's clock skips its waits. */
export async function serviceOf<Type extends KeyType>(
  sandbox: Environment,
  type: Type,
  wait: Wait = (seconds) => skip(sandbox, seconds * 1000),
): Promise<Service<Type>> {
  const { key, offering_id } = await keyOf(sandbox, type);
  return new Service<Type>({ baseUrl: sandbox.baseUrl, offeringId: offering_id, key }, wait);
}

/**
 * Skips milliseconds on the sandbox's clock. A short pause lets coverage be certain that the next request is a
 * reaction.
 */
export async function skip(sandbox: Environment, milliseconds: number): Promise<void> {
  await sandbox.clock.advance(milliseconds);
  await pause(200);
}

/** The first key of a type, which is for the first offering. */
export async function keyOf({ keys }: Environment, type: KeyType): Promise<KeyDescription> {
  const key = (await keys.list()).find((known) => known.type === type);
  if (!key) throw new Error(`the sandbox has no ${type} key`);
  return key;
}

/** Makes a key as if it had made all requests of its minute. */
export async function useUp(sandbox: Environment, type: KeyType): Promise<void> {
  const { id } = await keyOf(sandbox, type);
  await sandbox.limits.set(id, 120);
}
