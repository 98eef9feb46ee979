import { Mistake } from "../model/mistakes.ts";
import { didYouMean, quoted } from "../model/text.ts";
import { type AssumptionId, catalogue } from "./catalogue.ts";
import { parseAssumption } from "./parse.ts";
import type { Row } from "./row.ts";

/** A row with the values that `exec --vary` asks, two or more. */
export interface VariedRow {
  readonly id: AssumptionId;
  readonly values: readonly (string | number)[];
  /** Varies only where it is named. */
  readonly byName: boolean;
}

const rows: readonly (Row & { readonly id: AssumptionId })[] = catalogue;

export const variedRows: readonly VariedRow[] = rows
  .map(({ id, values, vary }) => ({
    id,
    values: (typeof vary === "object" ? vary : Object.keys(values)).flatMap((value) =>
      Object.values(parseAssumption(id, value)),
    ),
    byName: vary === "by name",
  }))
  .filter(({ values }) => values.length > 1);

/** The rows of these ids, or all but those that vary by name alone. Throws Mistake for an unknown id, and for a row with one value. */
export function rowsToVary(ids: readonly string[] | undefined): readonly VariedRow[] {
  for (const id of ids ?? []) {
    if (variedRows.some((row) => row.id === id)) continue;
    if (rows.some((row) => row.id === id)) throw new Mistake(`${id} cannot vary: it has one value.`);
    const known = variedRows.map((row) => row.id);
    throw new Mistake(`There is no assumption ${quoted(id)} to vary.${didYouMean(id, known)}`);
  }
  return variedRows.filter(({ id, byName }) => ids?.includes(id) ?? !byName);
}
