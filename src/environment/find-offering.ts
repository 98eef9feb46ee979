import type { Offering } from "../model/resources.ts";

/** The offering of this id or alias. */
export function findOffering(offerings: readonly Offering[], idOrAlias: string): Offering | undefined {
  return offerings.find(({ id, alias }) => id === idOrAlias || alias === idOrAlias);
}
