import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { InvestmentList } from "../environment/investment-list.ts";
import type { Sorted } from "../environment/sorted.ts";
import { compareText } from "../model/compare.ts";
import type { InvestmentHead } from "../model/resources.ts";
import { stableRank } from "../model/stable-rank.ts";

/** A date by which lists are put in order and filtered. */
export type ListDate = "create_date" | "modify_date";

/** An order in which an offering's investments are listed. */
export interface ListOrder {
  readonly investments: Sorted<InvestmentHead>;
  /** The date that it follows; undefined when it follows none. */
  readonly date: ListDate | undefined;
  /** True when the list begins with the last one. */
  readonly backwards: boolean;
}

/** The order of the assumption `list.order`. */
export function listOrder(list: InvestmentList, order: AssumptionValue<"list.order">, seed: number): ListOrder {
  switch (order) {
    case "create_date":
    case "-create_date":
      return { investments: byDate(list, "create_date"), date: "create_date", backwards: order === "-create_date" };
    case "modify_date":
    case "-modify_date":
      return { investments: byDate(list, "modify_date"), date: "modify_date", backwards: order === "-modify_date" };
    case "unordered": {
      const byRank = (one: InvestmentHead, other: InvestmentHead): number =>
        stableRank(seed, one.id) - stableRank(seed, other.id);
      return { investments: list.inOrder(`unordered ${seed}`, byRank), date: undefined, backwards: false };
    }
  }
}

/** The investments of a list, oldest first by one of their dates. */
export function byDate(list: InvestmentList, date: ListDate): Sorted<InvestmentHead> {
  if (date === "create_date") return list.byCreation;
  return list.inOrder(date, (one, other) => compareText(one.modify_date, other.modify_date));
}
