import { z } from "zod";
import { calendarDate, email } from "./values.ts";

/** The attributes of an investor as they are held, before a key type decides what is shown (section 2.3). Null is "not held". */
export const investorAttributes = z.strictObject({
  first_name: z.string(),
  middle_name: z.string().nullable(),
  last_name: z.string(),
  email,
  company: z.string().nullable(),
  is_primary: z.boolean(),
  is_kyc: z.boolean(),
  is_signer: z.boolean(),
  tax_id: z.string().nullable().meta({ description: "Personal data." }),
  ein: z.string().nullable().meta({ description: "Personal data." }),
  address_street_1: z.string().nullable().meta({ description: "Personal data." }),
  address_street_2: z.string().nullable().meta({ description: "Personal data." }),
  address_city: z.string().nullable().meta({ description: "Personal data." }),
  address_state: z.string().nullable().meta({ description: "Personal data." }),
  address_postal_code: z.string().nullable().meta({ description: "Personal data." }),
  address_country_code: z.string().nullable().meta({ description: "Personal data." }),
  accredited: z.boolean().nullable().meta({ description: "Personal data." }),
  annual_income: z.number().nullable().meta({ description: "Personal data." }),
  birthdate: calendarDate.nullable().meta({ description: "Personal data." }),
  citizenship: z.string().nullable().meta({ description: "Value seen: US_CITIZEN." }),
  ta_account_type: z.string().nullable(),
  ta_sub_type: z.string().nullable().meta({ description: "A value seen is an uppercase code with spaces." }),
});
