import { investmentName, personName } from "../../src/model/summaries.ts";

/** Reads values of documents and records, whose form is only known at run time. */

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; an empty list for any other value. */
export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isMembers) : [];
}

/** `#147 Ada Lovelace`: the name of an investment's record. */
export function nameOf(record: Members): string {
  const [first = {}] = listOf(record["investors"]);
  return investmentName(record["investment_number"], personName(first));
}
