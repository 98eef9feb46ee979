import { newKey, Place } from "../fixture/complete/place.ts";
import { stated } from "../fixture/complete/stated.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";
import { keyTypes } from "../model/vocabulary.ts";

/** The keys of a new environment: one of each type for each offering, with the alias of the fixture's first such key. */
export function keysFor(environmentId: string, dataset: Dataset, now: Instant): Key[] {
  const root = Place.root(dataset.seed).at("environments", environmentId);
  return dataset.offerings.flatMap((offering) =>
    keyTypes.map((type) => {
      const label = `${offering.name} ${type}`;
      const key = newKey(root.at(offering.id, type), { type, offering_id: offering.id, label, create_date: now });
      const alike = dataset.keys.find((one) => one.type === type && one.offering_id === offering.id);
      return alike?.alias === undefined ? key : { ...key, alias: alike.alias };
    }),
  );
}

/**
 * The keys of a snapshot in the environment of an id. Secrets belong to ids of environments: where the environment has a
 * counterpart of a key, its secret stays; other keys get secrets that follow from its id, unless the snapshot is its own.
 */
export function adoptedKeys(theirs: readonly Key[], own: readonly Key[], secretOf: (key: Key) => string): Key[] {
  const left = new Set(own);
  const take = (fits: (one: Key) => boolean): Key | undefined => {
    const found = [...left].find(fits);
    if (found) left.delete(found);
    return found;
  };
  const same = new Map(theirs.map((key) => [key, take(({ id }) => id === key.id)]));
  const adopted = theirs.map((key) => {
    const counterpart = same.get(key) ?? take((one) => isAlike(key, one));
    return { ...key, key: counterpart?.key ?? secretOf(key) };
  });
  const aliases = new Set(adopted.map(({ alias }) => alias));
  const rest = Array.from(left, ({ alias, ...key }) => (aliases.has(alias) ? key : { ...key, ...stated({ alias }) }));
  return [...adopted, ...rest];
}

function isAlike(key: Key, one: Key): boolean {
  return isOrdinary(key) && isOrdinary(one) && one.type === key.type && one.offering_id === key.offering_id;
}

function isOrdinary({ revoke_date, at_limit }: Key): boolean {
  return revoke_date === null && !at_limit;
}

/** The secret of a key that an environment took from the snapshot of another one. */
export function adoptedSecret(environmentId: string, seed: number, { id, type }: Key): string {
  return `sandbox_${type}_${Place.root(seed).at("environments", environmentId, "keys", id).token}`;
}

export type KeyStatus = "active" | "revoked";

/** The status of a key at an instant: revoked from its `revoke_date` on. */
export function keyStatus(key: Key, now: Instant): KeyStatus {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}
