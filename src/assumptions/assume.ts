import { type AssumptionId, type Assumptions, catalogue } from "./catalogue.ts";

/**
 * `conventional` does as a JSON API of this style usually does; `minimal` adds nothing to the specification's promises. If
 * a client passes under both, it depends on nothing unspecified.
 */
export const profileNames = ["conventional", "minimal"] as const;

export type ProfileName = (typeof profileNames)[number];

/** Returns the assumptions of a profile with some of them changed. */
export function assume(profile: ProfileName, changes: Partial<Assumptions> = {}): Assumptions {
  const values: Partial<Record<AssumptionId, string | number>> = {};
  for (const row of catalogue) values[row.id] = row[profile];
  return { ...(values as Assumptions), ...changes };
}
