/** An object as it came from outside, whatever is in it. */
export type Members = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
