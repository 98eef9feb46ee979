import type { AssumptionDescription } from "../../../src/public/control.ts";
import { formatNumber } from "../../base/format.ts";

export function isChanged({ value, profile_value }: AssumptionDescription): boolean {
  return value !== profile_value;
}

/** `1 to 1,000`, `any media type`. */
export function formatValue(accepts: NonNullable<AssumptionDescription["accepts"]>): string {
  return typeof accepts === "string"
    ? `any ${accepts}`
    : `${formatNumber(accepts.from)} to ${formatNumber(accepts.to)}`;
}

/** Shortens a value to one line. */
export function short(value: string | number): string {
  const text = String(value);
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
