import { ValidationError } from "./errors.ts";
import { allOf, didYouMean, describeValue, quoted } from "../text/text.ts";

/** The objects that functions take, each with an example for refusals. */
const examples = {
  "the environment": `{ clock: "2026-01-15T12:00:00Z" }`,
  "the filter": `{ status: 429 }`,
  "the request": `{ offering_id: "aurora" }`,
} as const;

/** Throws ValidationError, with an example, unless the value is an object. */
export function expectMembers(value: unknown, label: keyof typeof examples): void {
  if (!isMembers(value)) {
    throw new ValidationError(`${label} is ${describeValue(value)}; expected an object such as ${examples[label]}.`);
  }
}

/** Throws ValidationError for an unknown option, with the nearest name; `members` has the optional ones too. */
export function checkOptionNames<T extends object>(
  options: T,
  members: { readonly [Name in keyof Required<T>]: unknown },
): void {
  if (!isMembers(options)) throw new ValidationError(`The options are ${describeValue(options)}; expected an object.`);
  const names = Object.keys(members);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ValidationError(unknownOption(unknown, names));
}

/** The replacement of each former option of 1.x, as the end of a sentence. */
export const formerOptions: Readonly<Record<string, string>> = {
  shard: "is gone: start the processes with one --db postgres://…; see docs/sharing.md.",
};

export function unknownOption(name: string, names: readonly string[]): string {
  const former = formerOptions[name];
  if (former !== undefined) return `${name} ${former}`;
  const all = names.length < 4 ? ` There are ${allOf(names)}.` : "";
  return `There is no option ${quoted(name)}.${didYouMean(name, names) || all}`;
}

/** Returns `the key has no member "lable". Did you mean "label"?` */
export function unknownMember(name: string, names: readonly string[], label: string, place?: string): string {
  const has =
    name.length > 40 ? "has a member with a long name that it does not take" : `has no member ${quoted(name)}`;
  if (place !== undefined) return `${label} ${has}; expected ${place}.`;
  const hint = didYouMean(name, names);
  return `${label} ${has}${hint ? `.${hint}` : `; expected one of ${names.join(", ")}.`}`;
}

/** An object from outside, not yet checked. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns true for an object, but not for a list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Picks the members of an object that are defined, of all or of these names, to be spread over defaults. */
export function pickDefined<R extends object, Name extends keyof R = keyof R>(
  object: R,
  names: readonly Name[] = Object.keys(object) as Name[],
): { [Member in Name]?: Exclude<R[Member], undefined> } {
  const members: Partial<R> = {};
  for (const name of names) if (object[name] !== undefined) members[name] = object[name];
  return members as { [Member in Name]?: Exclude<R[Member], undefined> };
}

/**
 * Copies an argument of a public function as JSON, so that the caller's later changes have no effect. Values other than
 * objects stay as they are. Throws ValidationError for a value that JSON cannot represent; `whole` names the argument.
 */
export function plainCopy<Value>(value: Value, whole = "the argument"): Value {
  if (typeof value !== "object" || value === null) return value;
  try {
    return JSON.parse(JSON.stringify(value, expectJson)) as Value;
  } catch (error) {
    throw error instanceof ValidationError
      ? error
      : new ValidationError(`${whole} cannot be copied; expected plain data.`);
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

/** Throws ValidationError for a value that JSON would omit or replace by null. */
function expectJson(name: string, value: unknown): unknown {
  const isLost =
    typeof value === "number" ? !Number.isFinite(value) : ["bigint", "function", "symbol"].includes(typeof value);
  if (isLost) throw new ValidationError(`${name} is ${describeValue(value)}, which JSON cannot represent.`);
  return value;
}

/** Returns the id in a call; for a value other than a string, an id that no resource has. */
export function idOf(value: unknown): string {
  return typeof value === "string" ? value : "(no text)";
}
