import type { Place } from "../fixture/complete/place.ts";
import type { Key } from "../model/resources.ts";

/** What decides on a new key; its id and its secret follow from its place. */
export type KeyTerms = Pick<Key, "type" | "offering_id" | "label" | "create_date">;

/** A key that an environment issues. It serves from its `create_date` on, with access to personal data. */
export function newKey(place: Place, { type, offering_id, label, create_date }: KeyTerms): Key {
  return {
    id: place.id,
    key: `sandbox_${type}_${place.token}`,
    type,
    offering_id,
    label,
    create_date,
    revoke_date: null,
    personal_data: true,
    at_limit: false,
  };
}
