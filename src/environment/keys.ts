import { newKey, Place } from "../fixture/complete/place.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../model/instant.ts";
import type { Key, Offering } from "../model/resources.ts";
import { keyTypes } from "../model/vocabulary.ts";

/** The keys that an environment of one's own is opened with: a Marketing and a Partner key for each offering. */
export function keysFor(environmentId: string, dataset: Dataset, now: Instant): Key[] {
  const root = Place.root(dataset.seed).at("environments", environmentId);
  return dataset.offerings.flatMap((offering) =>
    keyTypes.map((type) => {
      const label = `${offering.name} ${type}`;
      return newKey(root.at(offering.id, type), { type, offering_id: offering.id, label, create_date: now });
    }),
  );
}

/** The offering of this id or alias. */
export function findOffering(offerings: readonly Offering[], idOrAlias: string): Offering | undefined {
  return offerings.find(({ id, alias }) => id === idOrAlias || alias === idOrAlias);
}

export type KeyStatus = "active" | "revoked";

/** Whether a key serves at an instant: from its `revoke_date` on it is revoked. */
export function keyStatus(key: Key, now: Instant): KeyStatus {
  return key.revoke_date !== null && key.revoke_date <= now ? "revoked" : "active";
}
