import { Place } from "../fixture/complete/place.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { keyTypes } from "../model/key-type.ts";
import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";

/** The keys that an environment of one's own is opened with: a Marketing and a Partner key for each offering. */
export function keysFor(environmentId: string, dataset: Dataset, now: Instant): Key[] {
  const root = Place.root(dataset.seed).at("environments", environmentId);
  return dataset.offerings.flatMap((offering) =>
    keyTypes.map((type): Key => {
      const place = root.at(offering.id, type);
      return {
        id: place.id,
        key: `sandbox_${type}_${place.token}`,
        type,
        offering_id: offering.id,
        label: `${offering.name} ${type}`,
        create_date: now,
        revoke_date: null,
        personal_data: true,
        at_limit: false,
      };
    }),
  );
}
