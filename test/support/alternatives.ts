import { variedRows } from "../../src/assumptions/catalog.ts";
import { stableRank } from "../../src/model/order.ts";

/** Samples an alternative value for about half of the rows. Equal seeds give equal values. */
export function sampleAlternatives(seed: number): Record<string, string | number | undefined> {
  const rows = variedRows.filter(({ id, isByName: byName }) => !byName && stableRank(seed, `${id}?`) % 2 === 0);
  return Object.fromEntries(rows.map(({ id, values }) => [id, values[stableRank(seed, id) % values.length]]));
}
