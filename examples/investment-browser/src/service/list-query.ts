/** Which investments to list. Dates are days, `2026-01-15`; empty is open. */
export interface ListQuery {
  readonly page: number;
  readonly createdFrom: string;
  readonly createdTo: string;
  readonly modifiedFrom: string;
  readonly modifiedTo: string;
}

/** What the page calls the first one; the service may count from 0. */
export const firstPage = 1;

/** Sent with each request, because the specification names no default. */
export const pageSize = 20;

export const everything: ListQuery = {
  page: firstPage,
  createdFrom: "",
  createdTo: "",
  modifiedFrom: "",
  modifiedTo: "",
};

/**
 * The query string for the service. `shift` is the service's number of a page less ours; the first page is asked for without
 * a number. A day is sent as its first or last millisecond: what a date without a time would
 * mean is left open.
 */
export function searchOf(
  { page, createdFrom, createdTo, modifiedFrom, modifiedTo }: ListQuery,
  shift = 0,
): URLSearchParams {
  const search = new URLSearchParams({ size: String(pageSize) });
  if (page !== firstPage) search.set("page", String(page + shift));
  if (createdFrom) search.set("create_date[gte]", `${createdFrom}T00:00:00.000Z`);
  if (createdTo) search.set("create_date[lte]", `${createdTo}T23:59:59.999Z`);
  if (modifiedFrom) search.set("modify_date[gte]", `${modifiedFrom}T00:00:00.000Z`);
  if (modifiedTo) search.set("modify_date[lte]", `${modifiedTo}T23:59:59.999Z`);
  return search;
}
