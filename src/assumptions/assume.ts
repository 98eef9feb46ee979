import { Mistake } from "../model/mistakes.ts";
import { didYouMean } from "../model/text.ts";
import { type AssumptionId, type Assumptions, catalogue } from "./catalogue.ts";
import type { Row } from "./row.ts";

/** The row of the catalogue with this id. Throws Mistake, with the nearest id, when there is none. */
function assumptionRow(id: string): Row & { readonly id: AssumptionId } {
  const row = catalogue.find((candidate) => candidate.id === id);
  if (row) return row;
  const ids = catalogue.map((candidate) => candidate.id);
  throw new Mistake(`There is no assumption "${id}".${didYouMean(id, ids)}`);
}

/**
 * Reads one `id` and value, as a command line, a config file or an admin call gives them, into a part of a set of
 * assumptions. Throws Mistake when there is no such assumption or it does not take the value.
 */
export function parseAssumption(id: string, value: unknown): Partial<Assumptions> {
  const row = assumptionRow(id);
  return { [row.id]: parseValue(row, value) };
}

function parseValue(row: Row, value: unknown): string | number {
  const text = value === "" ? '""' : String(value);
  if (Object.hasOwn(row.values, text)) return text;
  const { accepts } = row;
  if (accepts === "text" && typeof value === "string" && value !== "") return value;
  if (typeof accepts === "object" && /^\d{1,4}$/.test(text)) {
    const number = Number(text);
    if (number >= accepts.from && number <= accepts.to) return number;
  }
  throw new Mistake(
    `${row.id} cannot be ${text === '""' ? text : `"${text}"`}: expected ${expectedValues(row)}.${didYouMean(text, Object.keys(row.values))}`,
  );
}

/** The values that a row takes, in words: `"reject" or "clamp"`. */
function expectedValues(row: Row): string {
  const words = Object.keys(row.values).map((value) => (value === '""' ? value : `"${value}"`));
  if (row.accepts === "text") words.push("any other text");
  if (typeof row.accepts === "object") words.push(`a whole number from ${row.accepts.from} to ${row.accepts.to}`);
  return new Intl.ListFormat("en", { type: "disjunction" }).format(words);
}

/**
 * `conventional` is what a JSON API of this style usually does; `minimal` is nothing that the specification does not
 * promise. A client that passes under both leans on nothing unspecified.
 */
export const profileNames = ["conventional", "minimal"] as const;

export type ProfileName = (typeof profileNames)[number];

/** The assumptions of a profile, with single ones set otherwise. */
export function assume(profile: ProfileName, changes: Partial<Assumptions> = {}): Assumptions {
  const values: Partial<Record<AssumptionId, string | number>> = {};
  for (const row of catalogue) values[row.id] = row[profile];
  return { ...(values as Assumptions), ...changes };
}
