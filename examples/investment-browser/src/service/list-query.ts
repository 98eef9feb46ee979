/** A filter for investments. Dates are days, `2026-01-15`; an empty text does not filter. */
export interface ListQuery {
  readonly page: number;
  readonly createdFrom: string;
  readonly createdTo: string;
  readonly modifiedFrom: string;
  readonly modifiedTo: string;
}

/** The page's number for the first page; the service may count from 0. */
export const firstPage = 1;

/** Sent with each request, because the specification does not name a default. */
export const pageSize = 20;

export const everything: ListQuery = {
  page: firstPage,
  createdFrom: "",
  createdTo: "",
  modifiedFrom: "",
  modifiedTo: "",
};

/**
 * Returns the query string for the service. `shift` is the service's number of a page minus ours; the first page is
 * requested without a number. A day is sent as its first or last millisecond, because the specification leaves open
 * what a date without a time means.
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
