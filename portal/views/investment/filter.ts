import type { InvestmentFilter, InvestmentOrder } from "../../../src/control.ts";
import { route, setQuery, to } from "../../routes.ts";

/** The filter of the list, in the address. Empty members do not filter. */
export const unfiltered = {
  search: "",
  offering_id: "",
  status: "",
  step: "",
  from: "",
  to: "",
  order: "-create_date",
  after: "",
  before: "",
};

type ListFilter = typeof unfiltered;

const names = Object.keys(unfiltered) as (keyof ListFilter)[];
/** The position of a page, which is only valid for one filter and order. */
const places = { after: "", before: "" };

export function filterOf(): ListFilter {
  const { query } = route.value;
  const entries = names.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : []));
  return { ...unfiltered, ...Object.fromEntries(entries) };
}

export function isFiltered(filter: ListFilter): boolean {
  return names.some((name) => name !== "order" && !(name in places) && filter[name] !== "");
}

/** Changes the filter in the address and begins at the first page. */
export function setFilter(changes: Partial<ListFilter>): void {
  setQuery(inAddress({ ...places, ...changes }));
}

/** The link to the list with another filter, or to an investment, which leads back to the same list. */
export function listHref(changes: Partial<ListFilter> = {}, id: string | null = null): string {
  return to("investments", id, inAddress({ ...filterOf(), ...changes }));
}

function inAddress(filter: Partial<ListFilter>): Partial<ListFilter> {
  return filter.order === unfiltered.order ? { ...filter, order: "" } : filter;
}

/** The filter as the admin API takes it: a date covers the whole day. */
export function asQuestion(filter: ListFilter): InvestmentFilter {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(filter.to);
  // The sandbox refuses a mistyped order in the address.
  const order = filter.order as InvestmentOrder;
  return { ...filter, order, to: isDay ? `${filter.to}T23:59:59.999Z` : filter.to };
}
