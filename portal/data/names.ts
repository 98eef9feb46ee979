import type { KeyDescription, OfferingDescription, ScenarioDescription } from "../../src/public/control.ts";
import { environment, journal } from "./state.ts";

/** Display names of keys and offerings. A component that reads one subscribes to the environment. */

export function keyOf(id: string | null): KeyDescription | undefined {
  return environment.data?.keys.find((key) => key.id === id);
}

function offeringOf(id: string | null): OfferingDescription | undefined {
  return environment.data?.offerings.find((offering) => offering.id === id);
}

/** Returns the active keys; with an id, only the active keys of that offering. */
export function activeKeys(offeringId?: string): readonly KeyDescription[] {
  const keys = environment.data?.keys ?? [];
  return keys.filter(({ status, offering_id: id }) => status === "active" && (offeringId ?? id) === id);
}

/** Returns the key of the client's last request with a key that is still active, or else the first active key. */
export function clientKey(): string | undefined {
  const ids = activeKeys().map(({ id }) => id);
  return journal.value.findLast(({ key_id }) => key_id !== null && ids.includes(key_id))?.key_id ?? ids[0];
}

/**
 * Returns the id of the key whose secret is in a string; null if it may be the secret of an unknown key; undefined if
 * it has no secret.
 */
export function findKeyId(text: string): string | null | undefined {
  const key = environment.data?.keys.find(({ key: secret }) => text.includes(secret));
  return key?.id ?? (/sandbox_\w+_/i.test(text) ? null : undefined);
}

type Choice = readonly [id: string, name: string];

/** Returns keys as options of a field. */
export function keyOptions(keys: readonly KeyDescription[] = environment.data?.keys ?? []): readonly Choice[] {
  return keys.map(({ id }) => [id, keyName(id)]);
}

export function offeringOptions(): readonly Choice[] {
  return (environment.data?.offerings ?? []).map(({ id, name }) => [id, name]);
}

/** Returns a scenario as an option: `An investment closes (closing)`. */
export function scenarioOption({ name, title }: ScenarioDescription): Choice {
  return [name, title === name ? name : `${title} (${name})`];
}

/** Returns the label of a key, or the next best name; the beginning of the id for an unknown key. */
export function keyName(id: string): string {
  const key = keyOf(id);
  return key?.label ?? key?.alias ?? id.slice(0, 8);
}

export function offeringName(id: string): string {
  return offeringOf(id)?.name ?? id.slice(0, 8);
}

/** Replaces the ids of offerings and keys in a string by their names. */
export function withNames(text: string): string {
  return text.replace(
    /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g,
    (id) => offeringOf(id)?.name ?? (keyOf(id) ? keyName(id) : id),
  );
}
