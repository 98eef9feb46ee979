import { marked, newKey, SeedPath } from "../fixture/complete/seed-path.ts";
import { pickDefined } from "../fixture/complete/pick-defined.ts";
import { KeyedQueue } from "../model/keyed-queue.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";
import { labelOf } from "../model/text.ts";
import { keyTypes } from "../model/vocabulary.ts";

/** The keys of a new environment: one of each type and offering, with the alias of the fixture's first such key. */
export function keysFor(environmentId: string, dataset: Dataset, now: Instant, shard?: string): Key[] {
  const root = SeedPath.root(dataset.seed, shard).at("environments", environmentId);
  const firsts = firstKeys(dataset);
  return dataset.offerings.flatMap(({ id: offering_id, name }) =>
    keyTypes.map((type) => {
      const alias = firsts.get(groupOf({ type, offering_id }))?.alias;
      const terms = { alias, type, offering_id, label: labelOf(name, type), create_date: now };
      return newKey(root.at(offering_id, type), terms);
    }),
  );
}

const markedOf = new WeakMap<readonly Key[], Map<string, readonly Key[]>>();

/** The keys of a fixture on a shard, always the same list: generated secrets have its mark, written ones stay. */
export function keysOfFixture({ keys }: Dataset, shard: string | undefined): readonly Key[] {
  if (shard === undefined) return keys;
  const byShard = markedOf.get(keys) ?? new Map<string, readonly Key[]>();
  const own = byShard.get(shard) ?? keys.map((key) => ({ ...key, key: marked(key.key, shard) }));
  markedOf.set(keys, byShard.set(shard, own));
  return own;
}

const firstsOf = new WeakMap<Dataset, ReadonlyMap<string, Key>>();

/** The first key of each kind in a fixture. */
function firstKeys(dataset: Dataset): ReadonlyMap<string, Key> {
  const cached = firstsOf.get(dataset);
  if (cached) return cached;
  const firsts = new Map(dataset.keys.toReversed().map((key) => [groupOf(key), key]));
  firstsOf.set(dataset, firsts);
  return firsts;
}

function groupOf({ type, offering_id }: Pick<Key, "type" | "offering_id">): string {
  return `${offering_id} ${type}`;
}

/**
 * The keys of a snapshot in an environment. Secrets belong to the environment: a key of the snapshot takes the secret
 * of the environment's own key of the same id, or of the same type and offering; for the others, `secretOf` makes one.
 */
export function adoptedKeys(theirs: readonly Key[], own: readonly Key[], secretOf: (key: Key) => string): Key[] {
  const waiting = new KeyedQueue((key: Key) => isOrdinary(key) && groupOf(key), own);
  const byId = new Map(own.map((key) => [key.id, key]));
  const same = new Map(theirs.map((key) => [key, byId.get(key.id)]));
  for (const one of same.values()) if (one) waiting.delete(one);
  const adopted = theirs.map((key) => {
    const ownKey = same.get(key) ?? (isOrdinary(key) ? waiting.takeByKey(groupOf(key)) : undefined);
    return { ...key, key: ownKey?.key ?? secretOf(key) };
  });
  const aliases = new Set(adopted.map(({ alias }) => alias));
  const rest = waiting.left.map(({ alias, ...key }) =>
    aliases.has(alias) ? key : { ...key, ...pickDefined({ alias }) },
  );
  return [...adopted, ...rest];
}

function isOrdinary({ revoke_date, at_limit }: Key): boolean {
  return revoke_date === null && !at_limit;
}

/** The secret of a key from the snapshot of another environment. */
export function adoptedSecret(environmentId: string, seed: number, { id, type }: Key, shard?: string): string {
  return `sandbox_${type}_${SeedPath.root(seed, shard).at("environments", environmentId, "keys", id).token}`;
}

/** The secrets of all environments of a server. No two environments have the same one. */
export interface SecretRegister {
  /** Enters a secret as the environment's own. */
  add(secret: string): void;
  /** Removes a secret of the environment. */
  delete(secret: string): void;
  /** Whether a secret is another environment's. */
  isForeign(secret: string): boolean;
}

export type KeyStatus = "active" | "revoked";

/** The status of a key at an instant: revoked from its `revoke_date` on. */
export function keyStatus(key: Key, now: Instant): KeyStatus {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}
