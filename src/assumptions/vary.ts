import { type AssumptionId, catalogue } from "./catalogue.ts";
import type { Row } from "./row.ts";

/** A row with the readings that `exec --vary` asks, two or more. */
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
    values: typeof vary === "object" ? vary : Object.keys(values),
    byName: vary === "by name",
  }))
  .filter(({ values }) => values.length > 1);
