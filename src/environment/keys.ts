import { pickDefined } from "../validation/members.ts";
import { newKey, SeedPath } from "../fixture/complete/seed-path.ts";
import { KeyedQueue } from "../fixture/keyed-queue.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../time/instant.ts";
import { ConflictError } from "../validation/errors.ts";
import type { Key } from "../model/resources.ts";
import { labelOf } from "../text/text.ts";
import { keyTypes } from "../model/vocabulary.ts";

/**
 * Returns the keys of a new environment: copies of its fixture's keys with new ids and secrets, and one key of each
 * type for each offering without a usable key of this type in the fixture.
 */
export function keysFor(environmentId: string, dataset: Dataset, now: Instant, routingPrefix?: string): Key[] {
  const root = SeedPath.root(dataset.seed, routingPrefix).at("environments", environmentId);
  // A usable key works from the start, and is never revoked.
  const usableGroups = new Set<string>();
  const ownKeys = dataset.keys.map((key) => {
    const { type, offering_id, label, create_date, revoke_date, at_limit } = key;
    const isFirst = revoke_date === null && !at_limit && !usableGroups.has(groupOf(key));
    if (isFirst) usableGroups.add(groupOf(key));
    const seedPath = isFirst ? root.at(offering_id, type) : root.at("keys", key.id);
    const { id, key: secret } = newKey(seedPath, { type, offering_id, label, create_date });
    return { ...key, id, key: secret };
  });
  const missingKeys = dataset.offerings.flatMap(({ id: offering_id, name }) =>
    keyTypes
      .map((type) => ({ type, offering_id, label: labelOf(name, type), create_date: now }))
      .filter((keyFields) => !usableGroups.has(groupOf({ ...keyFields, revoke_date: null, at_limit: false })))
      .map((keyFields) => newKey(root.at(offering_id, keyFields.type), keyFields)),
  );
  return [...ownKeys, ...missingKeys];
}

/** Returns the group of a key. A key of a snapshot may take the secret of the environment's own key of this group. */
function groupOf({ type, offering_id, revoke_date, at_limit }: GroupedKey): string {
  return [offering_id, type, revoke_date !== null, at_limit].join(" ");
}

type GroupedKey = Pick<Key, "type" | "offering_id" | "revoke_date" | "at_limit">;

/**
 * Returns the keys of a snapshot for an environment. Secrets belong to the environment: a key of the snapshot takes the
 * secret of the environment's own key of the same id, or of the same type, offering and state. For any other key,
 * `secretOf` returns a secret.
 */
export function adoptKeys(snapshotKeys: readonly Key[], ownKeys: readonly Key[], secretOf: (key: Key) => string) {
  const availableKeys = new KeyedQueue(groupOf, ownKeys);
  const byId = new Map(ownKeys.map((key) => [key.id, key]));
  const matchingKeys = new Map(snapshotKeys.map((key) => [key, byId.get(key.id)]));
  for (const key of matchingKeys.values()) if (key) availableKeys.delete(key);
  const keysWithSecrets = snapshotKeys.map((key) => {
    const ownKey = matchingKeys.get(key) ?? availableKeys.takeByKey(groupOf(key));
    return { ...key, key: ownKey?.key ?? secretOf(key) };
  });
  const aliases = new Set(keysWithSecrets.map(({ alias }) => alias));
  const unusedKeys = availableKeys.remaining.map(({ alias, ...key }) =>
    aliases.has(alias) ? key : { ...key, ...pickDefined({ alias }) },
  );
  return [...keysWithSecrets, ...unusedKeys];
}

/** The secrets of all environments of a server. No two environments have the same one. */
export interface SecretRegistry {
  /** Adds a secret of the environment. */
  add(secret: string): void;
  delete(secret: string): void;
  /** Whether a secret belongs to another environment. */
  isForeign(secret: string): boolean;
}

/** Returns the status of a key at an instant: revoked from its `revoke_date` on. */
export function keyStatus(key: Key, now: Instant): "active" | "revoked" {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}

/** Throws ConflictError if a key has the secret of a key of another environment. */
export function refuseForeign(keys: readonly Key[], isForeign: (secret: string) => boolean): void {
  const foreign = keys.find(({ key }) => isForeign(key));
  if (foreign) throw new ConflictError(`The key ${foreign.id} has the secret of a key of another environment.`);
}
