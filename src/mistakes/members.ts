import { Mistake } from "./mistakes.ts";
import { allOf, didYouMean, describeValue, quoted } from "../text/text.ts";

/** A list of every member of a type, also the optional ones: the compiler rejects an incomplete list. */
type MembersOf<T> = { readonly [Name in keyof Required<T>]: unknown };

/** The objects that functions take, each with an example for refusals. */
const examples = {
  "the environment": `{ clock: "2026-01-15T12:00:00Z" }`,
  "the filter": `{ status: 429 }`,
  "the request": `{ offering_id: "aurora" }`,
} as const;

/** Describes the expected object, for a message about another value. */
export function expectedObject(example: string): string {
  return `an object such as ${example}`;
}

/** The name of an object in a message. */
export type ObjectLabel = keyof typeof examples;

/** Throws Mistake, with an example, unless the value is an object. */
export function expectMembers(value: unknown, label: ObjectLabel): void {
  if (!isMembers(value)) {
    throw new Mistake(`${label} is ${describeValue(value)}; expected ${expectedObject(examples[label])}.`);
  }
}

/** Throws Mistake for an unknown option of a function, with the nearest name. */
export function checkOptionNames<T extends object>(options: T, members: MembersOf<T>): void {
  if (!isMembers(options)) throw new Mistake(`The options are ${describeValue(options)}; expected an object.`);
  const names = Object.keys(members);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Mistake(unknownOption(unknown, names));
}

/** What replaces an option of 1.x, as the end of a sentence. */
export const formerOptions: Readonly<Record<string, string>> = {
  shard: "is gone: start the processes with one --db postgres://…; see docs/sharing.md.",
};

export function unknownOption(name: string, names: readonly string[]): string {
  const former = formerOptions[name];
  if (former !== undefined) return `${name} ${former}`;
  const all = names.length < 4 ? ` There are ${allOf(names)}.` : "";
  return `There is no option ${quoted(name)}.${didYouMean(name, names) || all}`;
}

/** `the key has no member "lable". Did you mean "label"?` */
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
