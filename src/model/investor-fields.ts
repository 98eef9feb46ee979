import type { InvestorAttributes } from "./attributes.ts";

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
