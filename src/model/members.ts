import { Mistake } from "./mistakes.ts";
import { didYouMean, inWords, quoted } from "./text.ts";

/** Lists every member of a type, optional ones included: the compiler rejects an incomplete list. */
type MembersOf<T> = { readonly [Name in keyof Required<T>]: unknown };

/** The objects taken by commands, each with an example for refusals. */
export const examples = {
  "the clock": `{ now: "2026-01-15T12:00:00Z", speed: 0 }`,
  "the comparison": `{ investment_id: "<id>", document: "status" }`,
  "the environment": `{ clock: "2026-01-15T12:00:00Z" }`,
  "the event": `{ event: "PAYMENT", action: "APPROVED" }`,
  "the filter": `{ status: 429 }`,
  "the key": `{ type: "partner", offering_id: "aurora" }`,
  "the limit": `{ used: 120 }`,
  "the recording": `{ investment_id: "at-signers" }`,
  "the preview": `{ path: "/investments/<id>", key_id: "<id, or null>" }`,
  "the replay": `{ profile: "minimal" }`,
  "the order": `{ offering_id: "aurora" }`,
} as const;

/** The expected object, for a message about another value. */
export function expectedObject(whole: string): string {
  return `an object${Object.hasOwn(examples, whole) ? ` such as ${examples[whole as keyof typeof examples]}` : ""}`;
}

/** Throws Mistake, with an example, unless the value is an object. `whole` names it: `the key`. */
export function expectMembers(value: unknown, whole: keyof typeof examples): void {
  if (!isMembers(value)) throw new Mistake(`${whole} is ${inWords(value)}; expected ${expectedObject(whole)}.`);
}

/** Throws Mistake for an unknown option of a function, with the nearest name. */
export function checkOptionNames<T extends object>(options: T, members: MembersOf<T>): void {
  if (!isMembers(options)) throw new Mistake(`The options are ${inWords(options)}; expected an object.`);
  const names = Object.keys(members);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Mistake(unknownOption(unknown, names));
}

export function unknownOption(name: string, names: readonly string[]): string {
  return `There is no option ${quoted(name)}.${didYouMean(name, names)}`;
}

/** `the key has no member "lable". Did you mean "label"?` */
export function unknownMember(name: string, names: readonly string[], whole: string, place?: string): string {
  const has =
    name.length > 40 ? "has a member with a long name that it does not take" : `has no member ${quoted(name)}`;
  if (place !== undefined) return `${whole} ${has}; expected ${place}.`;
  const hint = didYouMean(name, names);
  return `${whole} ${has}${hint ? `.${hint}` : `; expected one of ${names.join(", ")}.`}`;
}

/** An object from outside, not yet checked. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns true for an object, but not for a list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
