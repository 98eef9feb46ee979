import type { AssumptionDescription } from "../../../src/control.ts";
import { number } from "../../format.ts";

export function isChanged({ value, profile_value }: AssumptionDescription): boolean {
  return value !== profile_value;
}

/** Returns the other values as one writes them; unlisted ones are described in words. */
export function others({ value, values, accepts }: AssumptionDescription): readonly string[] {
  const listed = Object.keys(values).filter((one) => one !== String(value));
  return accepts === null ? listed : [...listed, inWords(accepts)];
}

/** `1 to 1,000`, `any media type`. */
export function inWords(accepts: NonNullable<AssumptionDescription["accepts"]>): string {
  return typeof accepts === "string" ? `any ${accepts}` : `${number(accepts.from)} to ${number(accepts.to)}`;
}

/** Shortens a value to one line. */
export function short(value: string | number): string {
  const text = String(value);
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
