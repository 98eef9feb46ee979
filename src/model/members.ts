import { Mistake } from "./mistakes.ts";
import { didYouMean, quoted } from "./text.ts";

/** Lists every member of a type, optional ones included, so that the compiler rejects an incomplete list. */
export type MembersOf<T> = { readonly [Name in keyof Required<T>]: unknown };

/** Throws Mistake for an unknown member, with the nearest name. `whole` names the object: `the key`. */
export function checkMembers<T extends object>(given: T, known: MembersOf<T>, whole: string): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Mistake(unknownMember(unknown, names, whole));
}

/** Throws Mistake for an unknown option of a function, with the nearest name. */
export function checkOptionNames<T extends object>(given: T, known: MembersOf<T>): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Mistake(unknownOption(unknown, names));
}

export function unknownOption(name: string, names: readonly string[]): string {
  return `There is no option ${quoted(name)}.${didYouMean(name, names)}`;
}

/** `the key has no member "lable". Did you mean "label"?` */
export function unknownMember(name: string, names: readonly string[], whole: string): string {
  const has =
    name.length > 40 ? "has a member with a long name that it does not take" : `has no member ${quoted(name)}`;
  const hint = didYouMean(name, names);
  return `${whole} ${has}${hint ? `.${hint}` : `; expected one of ${names.join(", ")}.`}`;
}

/** An object from outside, not yet checked. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns true for an object that is not a list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
