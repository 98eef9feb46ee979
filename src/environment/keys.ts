import { newKey, SeedPath } from "../fixture/complete/seed-path.ts";
import { pickDefined } from "../fixture/complete/pick-defined.ts";
import { KeyedQueue } from "../fixture/keyed-queue.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../time/instant.ts";
import { ConflictError } from "../validation/errors.ts";
import type { Key } from "../model/resources.ts";
import { labelOf } from "../text/text.ts";
import { keyTypes } from "../model/vocabulary.ts";

/**
 * The keys of a new environment: copies of its fixture's keys with new ids and secrets, and one key of each type for an
 * offering without a usable one in the fixture.
 */
export function keysFor(environmentId: string, dataset: Dataset, now: Instant, routingPrefix?: string): Key[] {
  const root = SeedPath.root(dataset.seed, routingPrefix).at("environments", environmentId);
  // A usable key works from the start on, and will not be revoked.
  const usable = new Set<string>();
  const own = dataset.keys.map((key) => {
    const { type, offering_id, label, create_date, revoke_date, at_limit } = key;
    const isFirst = revoke_date === null && !at_limit && !usable.has(groupOf(key));
    if (isFirst) usable.add(groupOf(key));
    const place = isFirst ? root.at(offering_id, type) : root.at("keys", key.id);
    const { id, key: secret } = newKey(place, { type, offering_id, label, create_date });
    return { ...key, id, key: secret };
  });
  const missing = dataset.offerings.flatMap(({ id: offering_id, name }) =>
    keyTypes
      .map((type) => ({ type, offering_id, label: labelOf(name, type), create_date: now }))
      .filter((terms) => !usable.has(groupOf({ ...terms, revoke_date: null, at_limit: false })))
      .map((terms) => newKey(root.at(offering_id, terms.type), terms)),
  );
  return [...own, ...missing];
}

/** The group of a key. A key of a snapshot may take the secret of an own key of the same group. */
function groupOf({ type, offering_id, revoke_date, at_limit }: GroupedKey): string {
  return [offering_id, type, revoke_date !== null, at_limit].join(" ");
}

type GroupedKey = Pick<Key, "type" | "offering_id" | "revoke_date" | "at_limit">;

/**
 * The keys of a snapshot in an environment. Secrets belong to the environment: a key of the snapshot takes the secret
 * of the environment's own key of the same id, or of the same type, offering and state; for the others, `secretOf`
 * makes one.
 */
export function adoptedKeys(theirs: readonly Key[], own: readonly Key[], secretOf: (key: Key) => string): Key[] {
  const waiting = new KeyedQueue(groupOf, own);
  const byId = new Map(own.map((key) => [key.id, key]));
  const same = new Map(theirs.map((key) => [key, byId.get(key.id)]));
  for (const one of same.values()) if (one) waiting.delete(one);
  const adopted = theirs.map((key) => {
    const ownKey = same.get(key) ?? waiting.takeByKey(groupOf(key));
    return { ...key, key: ownKey?.key ?? secretOf(key) };
  });
  const aliases = new Set(adopted.map(({ alias }) => alias));
  const rest = waiting.left.map(({ alias, ...key }) =>
    aliases.has(alias) ? key : { ...key, ...pickDefined({ alias }) },
  );
  return [...adopted, ...rest];
}

/** The secrets of all environments of a server. No two environments have the same one. */
export interface SecretRegistry {
  /** Enters a secret as the environment's own. */
  add(secret: string): void;
  delete(secret: string): void;
  /** Whether a secret is another environment's. */
  isForeign(secret: string): boolean;
}

/** The status of a key at an instant: revoked from its `revoke_date` on. */
export function keyStatus(key: Key, now: Instant): "active" | "revoked" {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}

/** Throws ConflictError if a key has the secret of a key of another environment. */
export function refuseForeign(keys: readonly Key[], isForeign: (secret: string) => boolean): void {
  const foreign = keys.find(({ key }) => isForeign(key));
  if (foreign) throw new ConflictError(`The key ${foreign.id} has the secret of a key of another environment.`);
}
