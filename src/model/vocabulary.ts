import type { InvestorAttributes } from "./shapes.ts";

/** The pairs of event and action in section 6. */
export const shownPairs: readonly string[] = [
  "REGISTRATION COMPLETED",
  "PROFILE SUBMITTED",
  "SUBSCRIPTION SUBMITTED",
  "PAYMENT SUBMITTED",
  "PAYMENT APPROVED",
  "ADDRESS SUBMITTED",
];

/** The statuses of an investment in the specification (section 3). Others depend on `investment.statuses`. */
export const shownStatuses = ["PENDING", "CLOSED"] as const;

export function isShownStatus(status: string): status is (typeof shownStatuses)[number] {
  return (shownStatuses as readonly string[]).includes(status);
}

/** The steps of an investment in the specification (section 3). An investment without a step has null. */
export const shownSteps = ["SIGNERS"] as const;

/** The statuses of an offering in the specification (section 3). */
export const shownOfferingStatuses = ["ACTIVE"] as const;

/** The documents of an investment (section 4). */
export const investmentDocuments = ["investment", "status", "events"] as const;

export type InvestmentDocumentName = (typeof investmentDocuments)[number];

/** The two types of key from the issuer portal (section 5.5). */
export const keyTypes = ["marketing", "partner"] as const;

export type KeyType = (typeof keyTypes)[number];

const personalFields = [
  "tax_id",
  "ein",
  "address_street_1",
  "address_street_2",
  "address_city",
  "address_state",
  "address_postal_code",
  "address_country_code",
  "accredited",
  "annual_income",
  "birthdate",
] as const;

const accountFields = ["ta_account_type", "ta_sub_type"] as const;

/** The investor fields redacted for a Marketing key, in the order of section 2.3. */
export const redactedFields = [...personalFields, ...accountFields] as const;

export type RedactedField = (typeof redactedFields)[number];

/** The attributes of an investor in the order of section 2.3. */
export const investorFields = [
  "first_name",
  "middle_name",
  "last_name",
  "email",
  "company",
  "is_primary",
  "is_kyc",
  "is_signer",
  ...personalFields,
  "citizenship",
  ...accountFields,
] as const satisfies readonly (keyof InvestorAttributes)[];

/** Replaces personal data for a Marketing key (section 2.3). */
export const redacted = "[[redacted]]";
