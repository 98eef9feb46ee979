import type { Investment } from "../model/resources.ts";
import { clipped, nearest } from "../text/text.ts";

/** The groups that may sign, in addition to single parties. */
export const signerGroups = ["all", "investors", "countersigners"] as const;

type Group = (typeof signerGroups)[number];

/** The signers of a step: a group, or parties by their email addresses or by their places from 1. */
export type Signers = Group | readonly (string | number)[];

/** Reads the signers of a checked step, each once. */
export function readSigners(written: string | number | readonly (string | number)[]): Signers {
  return signerGroups.find((group) => group === written) ?? [...new Set([written].flat())];
}

/** Returns true if a signing party belongs to a group. */
function isInGroup(group: Group, { countersigner }: { readonly countersigner: boolean }): boolean {
  return group === "all" || (group === "countersigners") === countersigner;
}

/** The people of an investment, whom a step names. */
type People = Pick<Investment, "investors" | "signing_parties">;

/** Returns the ids of the signing parties in a step. Throws Error for an unknown one. */
export function signerIds(who: Signers, { signing_parties: parties }: People): string[] {
  if (typeof who === "string") return parties.filter((party) => isInGroup(who, party)).map(({ id }) => id);
  return who.map((signer) => {
    const party = typeof signer === "number" ? parties[signer - 1] : parties.find(({ email }) => email === signer);
    if (party) return party.id;
    if (typeof signer === "string") throw createUnknownPersonError("signing party", signer, parties);
    throw new Error(`there is no signing party ${signer}: the investment has ${countOf(parties)}`);
  });
}

/** Returns the id of the investor with an email address; null means the primary investor. Throws Error for none. */
export function investorId(email: string | null, { investors }: People): string {
  const found = investors.find((investor) => (email === null ? investor.is_primary : investor.email === email));
  if (found) return found.id;
  if (email !== null) throw createUnknownPersonError("investor", email, investors);
  throw new Error("there is no primary investor, so an email address has to say who is meant");
}

function createUnknownPersonError(role: string, email: string, people: readonly { readonly email: string }[]): Error {
  const known = people.map((person) => person.email);
  return new Error(`no ${role} has the email ${clipped(email)}${nearestOf(email, known)}`);
}

/** Returns ` (did you mean "wire"?)`, or an empty string if no name is near. */
export function nearestOf(name: string, known: readonly string[]): string {
  const found = nearest(name, known);
  return found === undefined ? "" : ` (did you mean "${found}"?)`;
}

/** Formats the length of a list: `none`, `one`, `2`. */
export function countOf({ length }: readonly unknown[]): string {
  return ["none", "one"][length] ?? String(length);
}
