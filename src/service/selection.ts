import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { InvestmentList, Sorted } from "../environment/view.ts";
import type { Instant } from "../model/instant.ts";
import { compareText, stableRank } from "../model/order.ts";
import type { InvestmentHead } from "../model/resources.ts";
import type { ParameterValues } from "./parameters.ts";

/** A date by which lists are ordered and filtered. */
type ListDate = "create_date" | "modify_date";

/** An order of an offering's investments. */
interface ListOrder {
  readonly investments: Sorted<InvestmentHead>;
  /** Its date; undefined for an order by no date. */
  readonly date: ListDate | undefined;
  /** True if the last one comes first. */
  readonly backwards: boolean;
}

/** Returns the order of the assumption `list.order`. */
function listOrder(list: InvestmentList, order: AssumptionValue<"list.order">, seed: number): ListOrder {
  switch (order) {
    case "create_date":
    case "-create_date":
      return { investments: byDate(list, "create_date"), date: "create_date", backwards: order === "-create_date" };
    case "modify_date":
    case "-modify_date":
      return { investments: byDate(list, "modify_date"), date: "modify_date", backwards: order === "-modify_date" };
    case "id":
      return { investments: list.inOrder("id", byId), date: undefined, backwards: false };
    case "unordered": {
      const byRank = (one: InvestmentHead, other: InvestmentHead): number =>
        stableRank(seed, one.id) - stableRank(seed, other.id);
      return { investments: list.inOrder(`unordered ${seed}`, byRank), date: undefined, backwards: false };
    }
  }
}

function byId(one: InvestmentHead, other: InvestmentHead): number {
  return compareText(one.id, other.id);
}

/** Returns a list's investments by one of their dates, oldest first. */
function byDate(list: InvestmentList, date: ListDate): Sorted<InvestmentHead> {
  if (date === "create_date") return list.byCreation;
  return list.inOrder(date, (one, other) => compareText(one.modify_date, other.modify_date));
}

/** Returns true for an instant between two optional bounds, both inclusive. */
export function within(instant: Instant, from: Instant | undefined, until: Instant | undefined): boolean {
  return (from === undefined || instant >= from) && (until === undefined || instant <= until);
}

/** Investments in the order of their list, from which pages are taken. */
interface Selection {
  readonly length: number;
  /** Returns a slice; `to` is exclusive. */
  slice(from: number, to: number): readonly InvestmentHead[];
}

const dates: readonly ListDate[] = ["create_date", "modify_date"];

/** The parameters with the bounds of each date. */
const bounds = {
  create_date: { from: "create_date[gte]", until: "create_date[lte]" },
  modify_date: { from: "modify_date[gte]", until: "modify_date[lte]" },
} as const;

/** Sorting one investment costs about as much as reading this many. */
const costOfSorting = 16;

/**
 * Selects the investments of an offering within the bounds of a request. Bounds on the date of the order give a range, by
 * binary search. The result of other bounds is cached until the list changes.
 */
export function selectInvestments(
  list: InvestmentList,
  values: ParameterValues,
  order: AssumptionValue<"list.order">,
  seed: number,
): Selection {
  const { investments, date, backwards } = listOrder(list, order, seed);
  const stretch = date ? stretchOf(investments, date, values) : investments;
  const others = dates.filter((other) => other !== date && isBound(other, values));
  const selection =
    others.length === 0
      ? stretch
      : list.once(`${date ?? order} ${allBounds(values)}`, () => {
          const [shortest] = others
            .map((other) => stretchOf(byDate(list, other), other, values))
            .toSorted((one, other) => one.length - other.length);
          const sorting = shortest && shortest.length * costOfSorting < stretch.length;
          const candidates = sorting ? shortest : stretch;
          const matching = candidates.slice(0, candidates.length).filter((investment) => isWithin(investment, values));
          return sorting ? investments.ordered(matching) : matching;
        });
  return backwards ? reversed(selection) : selection;
}

/** Returns the range of an order by date within the bounds of that date. */
function stretchOf(investments: Sorted<InvestmentHead>, date: ListDate, values: ParameterValues): Selection {
  const { from, until } = boundsOf(date, values);
  if (from === undefined && until === undefined) return investments;
  const start = from === undefined ? 0 : investments.position((investment) => investment[date] < from);
  const end =
    until === undefined ? investments.length : investments.position((investment) => investment[date] <= until);
  return {
    length: Math.max(0, end - start),
    slice: (first, last) => investments.slice(start + first, Math.min(start + last, end)),
  };
}

function reversed(selection: Selection): Selection {
  const { length } = selection;
  return {
    length,
    slice: (from, to) => selection.slice(Math.max(0, length - to), Math.max(0, length - from)).toReversed(),
  };
}

function boundsOf(date: ListDate, values: ParameterValues): { from: Instant | undefined; until: Instant | undefined } {
  return { from: values[bounds[date].from], until: values[bounds[date].until] };
}

function isBound(date: ListDate, values: ParameterValues): boolean {
  const { from, until } = boundsOf(date, values);
  return (from ?? until) !== undefined;
}

function allBounds(values: ParameterValues): string {
  return dates.map((date) => Object.values(boundsOf(date, values)).join("/")).join(" ");
}

function isWithin(investment: InvestmentHead, values: ParameterValues): boolean {
  return dates.every((date) => {
    const { from, until } = boundsOf(date, values);
    return within(investment[date], from, until);
  });
}
