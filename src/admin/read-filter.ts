import type { RequestFilter } from "../control.ts";
import type { AdminOperation } from "../control/operations.ts";
import { HttpError, type Problem } from "../errors/http-error.ts";
import { didYouMean } from "../model/nearest.ts";

/** The members of a request filter, with how their values are read. */
const readers = {
  path: String,
  status: Number,
  key_id: String,
  since: String,
  limit: Number,
} as const satisfies { [Name in keyof Required<RequestFilter>]: (text: string) => string | number };

const names = Object.keys(readers) as (keyof RequestFilter)[];

/** The request filter in the query of a call. Throws HttpError for a parameter that the call does not have, or has twice. */
export function readFilter({ filtered }: AdminOperation, query: URLSearchParams): RequestFilter {
  const problems: Problem[] = [];
  const filter: Record<string, string | number> = {};
  for (const name of new Set(query.keys())) {
    const known = filtered ? names.find((candidate) => candidate === name) : undefined;
    const [text = "", second] = query.getAll(name);
    const value = known && readers[known](text);
    if (known === undefined) {
      const hint = filtered ? didYouMean(name, names) || ` There are ${names.join(", ")}.` : " It takes none.";
      problems.push({ detail: `This call has no such parameter.${hint}` });
    } else if (second !== undefined) {
      problems.push({ detail: `${known} is given more than once.`, source: { parameter: known } });
    } else if (Number.isNaN(value) || (text === "" && typeof value === "number")) {
      problems.push({ detail: `${known} is a whole number.`, source: { parameter: known } });
    } else if (value !== undefined) {
      filter[known] = value;
    }
  }
  if (problems.length > 0) throw new HttpError("parameter_invalid", problems);
  return filter;
}
