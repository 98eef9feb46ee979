import { messageOf, Mistake } from "../mistakes/mistakes.ts";
import { didYouMean, either, describeValue, quoted } from "../text/text.ts";
import { type AssumptionId, type Assumptions, catalogue } from "./catalogue.ts";
import { formOf, type Row } from "./row.ts";

/** Returns the row with this id. Throws Mistake, with the nearest id, if there is none. */
function assumptionRow(id: string): Row & { readonly id: AssumptionId } {
  const row = catalogue.find((candidate) => candidate.id === id);
  if (row) return row;
  const ids = catalogue.map((candidate) => candidate.id);
  throw new Mistake(`There is no assumption ${quoted(id)}.${didYouMean(id, ids)}`);
}

/**
 * Reads one assumption from a command line, a config file or an admin call. Throws Mistake for an unknown id or value.
 */
export function parseAssumption(id: string, value: unknown): Partial<Assumptions> {
  const row = assumptionRow(id);
  return { [row.id]: parseValue(row, value) };
}

function parseValue(row: Row, value: unknown): string | number {
  const text = value === "" ? '""' : typeof value === "string" ? value : describeValue(value);
  if (Object.hasOwn(row.values, text)) return text;
  // A number is read as it is written. A value that is neither a number nor a text has no form.
  const written = typeof value === "number" ? text : value;
  let reason: string | undefined;
  try {
    const read = row.accepts && typeof written === "string" ? formOf(row.accepts).read(written) : undefined;
    if (read !== undefined) return read;
  } catch (error) {
    reason = messageOf(error);
  }
  const expected = `expected ${expectedValues(row)}.${didYouMean(text, Object.keys(row.values))}`;
  throw new Mistake(`${row.id} cannot be ${text === '""' ? text : quoted(text)}: ${reason ?? expected}`);
}

/** Lists the values of a row: `"reject" or "clamp"`. */
function expectedValues(row: Row): string {
  const words = Object.keys(row.values).map((value) => (value === '""' ? value : `"${value}"`));
  if (row.accepts) words.push(formOf(row.accepts).words);
  return either(words);
}

/** A row with the values that `exec --vary` asks, two or more. */
export interface VariedRow {
  readonly id: AssumptionId;
  readonly values: readonly (string | number)[];
  /** Whether the row varies only if `--vary` names it. */
  readonly byName: boolean;
}

const rows: readonly (Row & { readonly id: AssumptionId })[] = catalogue;

export const variedRows: readonly VariedRow[] = rows
  .map(({ id, values, vary }) => ({
    id,
    values: (typeof vary === "object" ? vary : Object.keys(values)).flatMap((value) =>
      Object.values(parseAssumption(id, value)),
    ),
    byName: vary === "by name",
  }))
  .filter(({ values }) => values.length > 1);

/** The rows of these ids; by default, all except `byName`. Throws Mistake for an unknown id or a row with one value. */
export function rowsToVary(ids: readonly string[] | undefined): readonly VariedRow[] {
  for (const id of ids ?? []) {
    if (variedRows.some((row) => row.id === id)) continue;
    if (rows.some((row) => row.id === id)) throw new Mistake(`${id} cannot vary: it has one value.`);
    const known = variedRows.map((row) => row.id);
    throw new Mistake(`There is no assumption ${quoted(id)} to vary.${didYouMean(id, known)}`);
  }
  return variedRows.filter(({ id, byName }) => ids?.includes(id) ?? !byName);
}
