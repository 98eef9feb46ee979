import { compareText } from "./compare.ts";
import type { Investment } from "./resources.ts";

/** Orders the investments of an offering by `create_date`, then `investment_number`, then id. */
export function compareByCreation(one: Investment, other: Investment): number {
  return (
    compareText(one.create_date, other.create_date) ||
    one.investment_number - other.investment_number ||
    compareText(one.id, other.id)
  );
}
