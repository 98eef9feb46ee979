import { dataRows } from "./data.ts";
import { documentRows } from "./documents.ts";
import { requestRows } from "./requests.ts";
import type { FormTypes } from "./row.ts";
import { transportRows } from "./transport.ts";

/** Every point where the specification is silent, as data. No other code makes such a decision. */
export const catalogue = [...requestRows, ...documentRows, ...dataRows, ...transportRows].map((row) => ({
  ...row,
  minimal: "minimal" in row ? row.minimal : row.conventional,
}));

type Rows = (typeof catalogue)[number];

export type AssumptionId = Rows["id"];

type Accepted<R> = R extends { readonly accepts: infer Form extends keyof FormTypes }
  ? FormTypes[Form]
  : R extends { readonly accepts: object }
    ? number
    : never;

export type AssumptionValue<Id extends AssumptionId> =
  Extract<Rows, { id: Id }> extends infer R extends { values: object }
    ? (keyof R["values"] & string) | Accepted<R>
    : never;

/** A complete set of assumptions: one value for each row of the catalogue. */
export type Assumptions = { readonly [Id in AssumptionId]: AssumptionValue<Id> };

/**
 * `conventional` does as a JSON API of this style usually does; `minimal` adds nothing to the specification's promises.
 * If a client passes under both, it depends on nothing unspecified.
 */
export const profileNames = ["conventional", "minimal"] as const;

export type ProfileName = (typeof profileNames)[number];

/** Returns the assumptions of a profile with some of them changed. */
export function assume(profile: ProfileName, changes: Partial<Assumptions> = {}): Assumptions {
  const values: Partial<Record<AssumptionId, string | number>> = {};
  for (const row of catalogue) values[row.id] = row[profile];
  return { ...(values as Assumptions), ...changes };
}

const conventional: Readonly<Record<string, string | number>> = assume("conventional");
const formIds = new Set<string>(catalogue.flatMap((row) => ("isForm" in row ? [row.id] : [])));

/**
 * Returns what a response with this status rests on by an assumption: `["list.past_end=404"]`. Empty for the usual form
 * of every response, which tells nothing about this one; two of those rows decide a 429.
 */
export function formatReliance(id: string, value: unknown, status: number): readonly string[] {
  const isForm = formIds.has(id) && !(status === 429 && /^limit\.[wc]/.test(id));
  if (isForm && value === conventional[id]) return [];
  return [`${id}=${String(value).replace(/^like:.*/s, "like:…")}`];
}
