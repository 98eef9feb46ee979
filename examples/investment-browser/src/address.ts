import { everything, firstPage, type ListQuery } from "./service/list-query.ts";

/**
 * What the page shows: the list, or one of its investments. It is in the address behind the `#`, without a
 * key.
 */
export interface Address {
  readonly investmentId?: string | undefined;
  readonly query: ListQuery;
}

const dates = ["createdFrom", "createdTo", "modifiedFrom", "modifiedTo"] as const;

export function parseAddress(hash: string): Address {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  const page = Number(parameters.get("page") ?? firstPage);
  const query = Object.fromEntries(dates.map((name) => [name, parameters.get(name) ?? ""]));
  return {
    investmentId: parameters.get("investment") ?? undefined,
    query: { ...everything, ...query, page: Number.isSafeInteger(page) && page >= firstPage ? page : firstPage },
  };
}

export function formatAddress({ investmentId, query }: Address): string {
  const address = new URLSearchParams();
  if (investmentId !== undefined) address.set("investment", investmentId);
  for (const name of dates) if (query[name]) address.set(name, query[name]);
  if (query.page !== firstPage) address.set("page", String(query.page));
  return `#${address}`;
}
