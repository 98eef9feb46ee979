import { newKey, Place } from "../fixture/complete/place.ts";
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

export type KeyStatus = "active" | "revoked";

/** The status of a key at an instant: revoked from its `revoke_date` on. */
export function keyStatus(key: Key, now: Instant): KeyStatus {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}
