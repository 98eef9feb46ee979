import type { Scenario } from "./scenario.ts";

/** How far signing has come. */
export type Signed = "nobody" | "somebody" | "everybody";

/** Who has signed, as far as a scenario says. */
export interface Signatures {
  /** Undefined: not known. */
  readonly signed: Signed | undefined;
  add(who: "all" | readonly string[]): void;
}

/** The signatures of an investment before the first step: of a new one nobody's, unless it is written. */
export function signaturesOf(investment: Scenario["investment"]): Signatures {
  const isNew = typeof investment !== "string";
  const parties = isNew ? (investment.signing_parties ?? investorsWhoSign(investment)) : [];
  const signed = new Set(parties.filter((party) => hasSigned(party)).map(({ email }) => email));
  let all = isNew && investment.status === "CLOSED" && !investment.signing_parties;
  return {
    get signed() {
      if (all) return "everybody";
      if (!isNew) return undefined;
      if (parties.length > 0 && parties.every((party) => hasSigned(party) || isIn(signed, party.email)))
        return "everybody";
      return signed.size > 0 ? "somebody" : "nobody";
    },
    add(who) {
      if (who === "all") all = true;
      else for (const email of who) signed.add(email);
    },
  };
}

interface Party {
  readonly email?: string | undefined;
  readonly signed?: boolean | undefined;
}

function investorsWhoSign({ investors = [] }: Exclude<Scenario["investment"], string>): Party[] {
  return investors.filter((investor) => investor.is_signer !== false).map(({ email }) => ({ email }));
}

function hasSigned({ signed }: Party): boolean {
  return signed === true;
}

function isIn(signed: ReadonlySet<string | undefined>, email: string | undefined): boolean {
  return email !== undefined && signed.has(email);
}
