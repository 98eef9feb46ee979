import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { InvestmentList } from "../environment/investment-list.ts";
import { compareText } from "../model/compare.ts";
import { compareByCreation } from "../model/creation-order.ts";
import type { InvestmentHead } from "../model/resources.ts";
import { stableRank } from "../model/stable-rank.ts";

const byModification = (one: InvestmentHead, other: InvestmentHead): number =>
  compareText(one.modify_date, other.modify_date) || compareByCreation(one, other);

/** The investments of an offering in the order of the assumption `list.order`. */
export function inListOrder(
  list: InvestmentList,
  order: AssumptionValue<"list.order">,
  seed: number,
): readonly InvestmentHead[] {
  switch (order) {
    case "create_date":
      return list.items;
    case "-create_date":
      return list.inOrder(order, (one, other) => compareByCreation(other, one));
    case "modify_date":
      return list.inOrder(order, byModification);
    case "-modify_date":
      return list.inOrder(order, (one, other) => byModification(other, one));
    case "unordered":
      return list.inOrder(order, (one, other) => stableRank(seed, one.id) - stableRank(seed, other.id));
  }
}
