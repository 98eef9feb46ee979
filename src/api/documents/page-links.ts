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
  const given = new Map<string, number | string>(Object.entries(values)).set("page", page).set("size", size);
  const parameters = Array.from(given, ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const at = parameters.indexOf(`page=${page}`);
  const before = `${path}?${parameters
    .slice(0, at)
    .map((parameter) => `${parameter}&`)
    .join("")}page=`;
  const after = parameters
    .slice(at + 1)
    .map((parameter) => `&${parameter}`)
    .join("");
  const link = (to: number): string => before + String(to) + after;
  return {
    self: link(page),
    first: link(first),
    prev: page > first ? link(Math.min(page - 1, last)) : null,
    next: page < last ? link(page + 1) : null,
    last: link(last),
  };
}
