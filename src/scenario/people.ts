import type { Investment } from "../model/resources.ts";
import { clipped, nearest } from "../text/text.ts";
import { isIn, type Signers } from "./signers.ts";

/** The people of an investment, whom a step names. */
type People = Pick<Investment, "investors" | "signing_parties">;

/** Returns the ids of the signing parties in a step. Throws Error for an unknown one. */
export function signers(who: Signers, { signing_parties: parties }: People): string[] {
  if (typeof who === "string") return parties.filter((party) => isIn(who, party)).map(({ id }) => id);
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

/** Returns ` (did you mean "wire"?)`, or an empty text if no name is near. */
export function nearestOf(name: string, known: readonly string[]): string {
  const found = nearest(name, known);
  return found === undefined ? "" : ` (did you mean "${found}"?)`;
}

/** Formats the length of a list, as in `the investment has one`. */
export function countOf({ length }: readonly unknown[]): string {
  return ["none", "one"][length] ?? String(length);
}
