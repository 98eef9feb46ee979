import type { InvestmentListDocument } from "../../model/documents.ts";
import type { ParameterValues } from "../parameters.ts";

/** A page of a list. */
export interface Page {
  readonly page: number;
  readonly size: number;
  readonly first: number;
  readonly last: number;
}

/** Links from one page of a list to others, relative to the origin, with the same filters; null where there is none. */
export function pageLinks(
  path: string,
  values: ParameterValues,
  { page, size, first, last }: Page,
): NonNullable<InvestmentListDocument["links"]> {
  const link = (to: number): string => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...values, page: to, size })) query.set(name, String(value));
    return `${path}?${query.toString()}`;
  };
  return {
    self: link(page),
    first: link(first),
    prev: page > first ? link(Math.min(page - 1, last)) : null,
    next: page < last ? link(page + 1) : null,
    last: link(last),
  };
}
