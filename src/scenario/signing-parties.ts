import { pickDefined } from "../validation/members.ts";
import { mayInvest, pairSigners } from "../fixture/complete/pairs.ts";
import type { SparseInvestment, SparseInvestor, SparseSigningParty } from "../fixture/schema.ts";
import type { Scenario } from "./scenario.ts";
import type { Signers } from "./people.ts";

/**
 * Returns the signing parties of a scenario's new investment, so that no sampled party can make a step impossible. They
 * are the listed parties. If no investor is among these, the investors and all other people that a step names are
 * added. Without a list, a countersigner is added if a step lets countersigners sign. A party without an email address
 * gets the address of its investor, or else one that only a step names.
 */
function signingPartiesOf(
  { investors, signing_parties: listed, status }: SparseInvestment,
  signatures: readonly Signers[],
) {
  const singleSigners = signatures.flatMap((who) => (typeof who === "string" ? [] : who));
  const namedEmails = [...new Set(singleSigners)].filter((signer) => typeof signer === "string");
  const isComplete = listed && (listed.length === 0 || listed.some(mayInvest));
  const parties = isComplete ? listed : [...investorParties(investors, namedEmails, listed), ...(listed ?? [])];
  const pairs = pairSigners(investors ?? [], parties);
  const emails = parties.map(({ email }, position) => email ?? investors?.[pairs.indexOf(position)]?.email);
  const unassignedEmails = namedEmails.filter((email) => !emails.includes(email));
  const completeParties = parties.map((party, position) => ({
    ...party,
    ...pickDefined({ email: emails[position] ?? unassignedEmails.shift() }),
  }));
  if (!isComplete) completeParties.push(...unassignedEmails.map((email) => ({ email })));
  if (!listed && signatures.includes("countersigners")) completeParties.push({ countersigner: true });
  return completeParties.map((party) => ({
    ...party,
    signed: party.signed ?? (party.status === undefined ? status === "CLOSED" : party.status === "signed"),
    countersigner: !mayInvest(party),
  }));
}

/** Returns the new investment of a scenario with its signing parties; the scenario may name an existing one instead. */
export function newInvestmentOf({ investment, steps }: Scenario) {
  const written: SparseInvestment = typeof investment === "string" ? {} : investment;
  const effects = steps.flatMap((step) => step.effects);
  const signatures = effects.flatMap((effect) => (effect.kind === "sign" ? [effect.who] : []));
  return { ...written, signing_parties: signingPartiesOf(written, signatures) };
}

/** Returns a party for each listed investor who signs; without a list, for each one that a step names, or else one. */
function investorParties(
  investors: readonly SparseInvestor[] | undefined,
  named: readonly string[],
  listed: readonly SparseSigningParty[] = [],
): SparseSigningParty[] {
  if (investors) {
    const signing = investors.filter(({ is_signer, email = "" }) => is_signer !== false || named.includes(email));
    return signing.map((investor) => pickDefined(investor, ["email"]));
  }
  const missingEmails = named.filter((email) => listed.every((party) => party.email !== email));
  return missingEmails.length === 0 ? [{}] : missingEmails.map((email) => ({ email }));
}
