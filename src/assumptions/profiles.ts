import { catalogue, type AssumptionId, type Assumptions } from "./catalogue.ts";

/**
 * `conventional` is what a JSON API of this style usually does; `minimal` is nothing that the specification does not
 * promise. A client that passes under both leans on nothing unspecified.
 */
export const profileNames = ["conventional", "minimal"] as const;

export type ProfileName = (typeof profileNames)[number];

/** The assumptions of a profile, with single ones set otherwise. */
export function assume(profile: ProfileName, changes: Partial<Assumptions> = {}): Assumptions {
  const values: Partial<Record<AssumptionId, string | number>> = {};
  for (const row of catalogue) values[row.id] = row[profile];
  return { ...(values as Assumptions), ...changes };
}
