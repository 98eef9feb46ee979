import type { AssumptionValue } from "../assumptions/catalog.ts";
import type { InvestmentList } from "../environment/view.ts";
import type { Instant } from "../time/instant.ts";
import { compareByCreation, compareText, prefixLength, stableRank } from "../model/order.ts";
import type { InvestmentFields } from "../model/resources.ts";
import type { ParameterValues } from "./parameters.ts";

const byModification: typeof compareByCreation = (left, right) =>
  compareText(left.modify_date, right.modify_date) || compareByCreation(left, right);

/** The values of the assumption `list.order`, except `unordered`, which a seed decides. */
const listOrders: Readonly<Record<Exclude<AssumptionValue<"list.order">, "unordered">, typeof compareByCreation>> = {
  create_date: compareByCreation,
  "-create_date": (left, right) => compareByCreation(right, left),
  modify_date: byModification,
  "-modify_date": (left, right) => byModification(right, left),
  id: (left, right) => compareText(left.id, right.id),
};

/** The dates by which lists are ordered and filtered. */
const dates = ["create_date", "modify_date"] as const;

/** Optional bounds of an instant, both inclusive. */
type DateRange = readonly [from: Instant | undefined, until: Instant | undefined];

export function isWithin(instant: Instant, [from, until]: DateRange): boolean {
  return (from === undefined || instant >= from) && (until === undefined || instant <= until);
}

/** Returns the investments within the bounds of a request, in `order`. Caches the result until the list changes. */
export function selectInvestments(
  list: InvestmentList,
  values: ParameterValues,
  order: AssumptionValue<"list.order">,
  seed: number,
): readonly InvestmentFields[] {
  const byRank: typeof compareByCreation = (left, right) => stableRank(seed, left.id) - stableRank(seed, right.id);
  const investments =
    order === "unordered" ? list.inOrder(`unordered ${seed}`, byRank) : list.inOrder(order, listOrders[order]);
  const bounds = {
    create_date: [values["create_date[gte]"], values["create_date[lte]"]],
    modify_date: [values["modify_date[gte]"], values["modify_date[lte]"]],
  } as const;
  const boundDates = dates.filter((date) => bounds[date].some((instant) => instant !== undefined));
  if (boundDates.length === 0) return investments;
  return list.computeOnce(`${order} ${seed} ${bounds.create_date.join()} ${bounds.modify_date.join()}`, () => {
    const sortDate = boundDates.find((date) => order.endsWith(date));
    const candidates = sortDate
      ? sliceByDate(investments, sortDate, bounds[sortDate], order.startsWith("-"))
      : investments;
    if (sortDate && boundDates.length === 1) return candidates;
    return candidates.filter(
      (candidate) =>
        isWithin(candidate.create_date, bounds.create_date) && isWithin(candidate.modify_date, bounds.modify_date),
    );
  });
}

/** Finds the investments within the bounds of the date that sorts them, by binary search. */
function sliceByDate(
  investments: readonly InvestmentFields[],
  date: (typeof dates)[number],
  [from, until]: DateRange,
  isBackwards: boolean,
): readonly InvestmentFields[] {
  const [first, last] = isBackwards ? [until, from] : [from, until];
  const compare = (fields: InvestmentFields, bound: Instant): number =>
    isBackwards ? compareText(bound, fields[date]) : compareText(fields[date], bound);
  const start = first === undefined ? 0 : prefixLength(investments, (fields) => compare(fields, first) < 0);
  const end = last === undefined ? undefined : prefixLength(investments, (fields) => compare(fields, last) <= 0);
  return investments.slice(start, end);
}
