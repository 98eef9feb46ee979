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
  const others: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (name !== "page") others.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  // Parameters stand as they were given; those that were not come last.
  const [before, after]: [string[], string[]] = values.page === undefined ? [others, []] : [[], others];
  if (values.size === undefined) after.push(`size=${size}`);
  const start = `${path}?${before.map((parameter) => `${parameter}&`).join("")}page=`;
  const end = after.map((parameter) => `&${parameter}`).join("");
  const link = (to: number): string => start + String(to) + end;
  return {
    self: link(page),
    first: link(first),
    prev: page > first ? link(Math.min(page - 1, last)) : null,
    next: page < last ? link(page + 1) : null,
    last: link(last),
  };
}
