import type { InvestorAttributes } from "./resources.ts";

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
  "citizenship",
  "ta_account_type",
  "ta_sub_type",
] as const satisfies readonly (keyof InvestorAttributes)[];

/** Stands in place of personal data for a Marketing key (section 2.3). */
export const redacted = "[[redacted]]";

/** The investor fields that a Marketing key reads redacted, in the order of section 2.3. */
export const redactedFields = [
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
  "ta_account_type",
  "ta_sub_type",
] as const;

export type RedactedField = (typeof redactedFields)[number];
