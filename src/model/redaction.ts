import type { InvestorAttributes } from "./shapes.ts";

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
