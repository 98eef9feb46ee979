import type { AssumptionValue } from "../assumptions/catalog.ts";
import type { InvestmentList } from "../environment/view.ts";
import type { Instant } from "../time/instant.ts";
import { compareByCreation, compareText, prefixLength, stableRank } from "../model/order.ts";
import type { InvestmentHead } from "../model/resources.ts";
import type { ParameterValues } from "./parameters.ts";

type CompareHeads = (one: InvestmentHead, other: InvestmentHead) => number;

const byModification: CompareHeads = (one, other) =>
  compareText(one.modify_date, other.modify_date) || compareByCreation(one, other);

/** The values of the assumption `list.order`, except the one that a seed decides. */
const listOrders: Readonly<Record<Exclude<AssumptionValue<"list.order">, "unordered">, CompareHeads>> = {
  create_date: compareByCreation,
  "-create_date": (one, other) => compareByCreation(other, one),
  modify_date: byModification,
  "-modify_date": (one, other) => byModification(other, one),
  id: (one, other) => compareText(one.id, other.id),
};

/** The dates by which lists are ordered and filtered. */
const dates = ["create_date", "modify_date"] as const;

/** Optional bounds of an instant, both inclusive. */
type DateRange = readonly [from: Instant | undefined, until: Instant | undefined];

export function within(instant: Instant, [from, until]: DateRange): boolean {
  return (from === undefined || instant >= from) && (until === undefined || instant <= until);
}

/**
 * Returns the investments of an offering within the bounds of a request, in the order of the assumption `list.order`.
 * The selection is cached until the list changes.
 */
export function selectInvestments(
  list: InvestmentList,
  values: ParameterValues,
  order: AssumptionValue<"list.order">,
  seed: number,
): readonly InvestmentHead[] {
  const byRank: CompareHeads = (one, other) => stableRank(seed, one.id) - stableRank(seed, other.id);
  const investments =
    order === "unordered" ? list.inOrder(`unordered ${seed}`, byRank) : list.inOrder(order, listOrders[order]);
  const bounds = {
    create_date: [values["create_date[gte]"], values["create_date[lte]"]],
    modify_date: [values["modify_date[gte]"], values["modify_date[lte]"]],
  } as const;
  const bound = dates.filter((date) => bounds[date].some((instant) => instant !== undefined));
  if (bound.length === 0) return investments;
  return list.once(`${order} ${seed} ${bounds.create_date.join()} ${bounds.modify_date.join()}`, () => {
    const own = bound.find((date) => order.endsWith(date));
    const candidates = own ? stretch(investments, own, bounds[own], order.startsWith("-")) : investments;
    if (own && bound.length === 1) return candidates;
    return candidates.filter(
      (one) => within(one.create_date, bounds.create_date) && within(one.modify_date, bounds.modify_date),
    );
  });
}

/** Returns the investments within the bounds of the date that sorts them, by binary search. */
function stretch(
  investments: readonly InvestmentHead[],
  date: (typeof dates)[number],
  [from, until]: DateRange,
  isBackwards: boolean,
): readonly InvestmentHead[] {
  const [first, last] = isBackwards ? [until, from] : [from, until];
  const compare = (one: InvestmentHead, bound: Instant): number =>
    isBackwards ? compareText(bound, one[date]) : compareText(one[date], bound);
  const start = first === undefined ? 0 : prefixLength(investments, (one) => compare(one, first) < 0);
  const end = last === undefined ? undefined : prefixLength(investments, (one) => compare(one, last) <= 0);
  return investments.slice(start, end);
}
