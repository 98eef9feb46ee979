import { Mistake } from "./mistakes.ts";
import { didYouMean } from "./text.ts";

/** Every member that a type has, so that the compiler refuses a list that leaves one out. */
export type MembersOf<T> = { readonly [Name in keyof Required<T>]: unknown };

/** Throws a Mistake for a member that there is not, with the nearest name. `whole` is what it is a member of: `the key`. */
export function checkMembers<T extends object>(given: T, known: MembersOf<T>, whole: string): void {
  const names = Object.keys(known);
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined) throw new Mistake(unknownMember(stranger, names, whole));
}

/** As `checkMembers`, for the options of a function. */
export function checkOptionNames<T extends object>(given: T, known: MembersOf<T>): void {
  const names = Object.keys(known);
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined) throw new Mistake(`There is no option "${stranger}".${didYouMean(stranger, names)}`);
}

/** `the key has no member "lable". Did you mean "label"?` */
export function unknownMember(name: string, names: readonly string[], whole: string): string {
  const shown = name.length > 40 ? "a member with a long name" : JSON.stringify(name);
  const hint = didYouMean(name, names);
  return `${whole} has no member ${shown}${hint ? `.${hint}` : `; expected one of ${names.join(", ")}.`}`;
}

/** An object as it came from outside, whatever is in it. */
export type Members = Readonly<Record<string, unknown>>;

/** True for an object that is no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
