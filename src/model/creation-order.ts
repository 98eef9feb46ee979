import { compareText } from "./compare.ts";
import type { InvestmentHead } from "./resources.ts";

/** Orders the investments of an offering by `create_date`, then `investment_number`, then id. */
export function compareByCreation(one: InvestmentHead, other: InvestmentHead): number {
  return (
    compareText(one.create_date, other.create_date) ||
    one.investment_number - other.investment_number ||
    compareText(one.id, other.id)
  );
}
