import { isMembers } from "./members.ts";
import { Mistake } from "./mistakes.ts";
import { describeValue } from "../text/text.ts";

/**
 * Copies an argument of a public function as JSON, so that the caller's later changes have no effect. Values other than
 * objects stay as they are. Throws Mistake for a value that JSON cannot hold; `whole` names the argument.
 */
export function plainCopy<Value>(value: Value, whole = "the argument"): Value {
  if (typeof value !== "object" || value === null) return value;
  try {
    return JSON.parse(JSON.stringify(value, expectJson)) as Value;
  } catch (error) {
    throw error instanceof Mistake ? error : new Mistake(`${whole} cannot be copied; expected plain data.`);
  }
}

/** Copies the options of a public function. Callbacks stay as they are, and URLs, which name files. */
export function plainOptions<Options>(options: Options): Options {
  if (!isMembers(options)) return options;
  const members = Object.entries(options).map(([name, value]) => {
    return [name, value instanceof URL ? value : plainCopy(value, name)] as const;
  });
  return { ...options, ...Object.fromEntries(members) };
}

/** Throws Mistake for a value that JSON would leave out or replace by null. */
function expectJson(name: string, value: unknown): unknown {
  const isLost =
    typeof value === "number" ? !Number.isFinite(value) : ["bigint", "function", "symbol"].includes(typeof value);
  if (isLost) throw new Mistake(`${name} is ${describeValue(value)}, which JSON cannot hold.`);
  return value;
}

/** Returns the id given to a command; for a value other than text, an id that no resource has. */
export function idOf(value: unknown): string {
  return typeof value === "string" ? value : "(no text)";
}
