import { z } from "zod";
import { email } from "./values.ts";

/** The attributes of a signing party as they are held (section 2.2). A name that is null is absent from documents. */
export const signingPartyAttributes = z.strictObject({
  first_name: z.string().nullable(),
  middle_name: z.string().nullable(),
  last_name: z.string().nullable(),
  email,
  phone_number: z.string().meta({ description: "Present for a Marketing API key; omitted for a Partner API key." }),
  status: z.string().optional().meta({ description: "Value seen: signed. Left out, it follows from `signed`." }),
  signed: z.boolean(),
  countersigner: z.boolean(),
});
