import { Place } from "../fixture/complete/place.ts";
import type { Dataset } from "../fixture/dataset.ts";
import { keyTypes } from "../model/key-type.ts";
import type { Instant } from "../model/instant.ts";
import type { Key } from "../model/resources.ts";
import { newKey } from "./new-key.ts";

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
