import { z } from "zod";
import { keyTypes } from "../key-type.ts";
import { instant, uuid } from "./values.ts";

/** A fake API key as an environment holds it (section 5). */
export const keyRecord = z.strictObject({
  id: uuid,
  key: z
    .string()
    .regex(/^[A-Za-z0-9._~+/-]{8,200}=*$/, { error: "a bearer token: 8 to 200 letters, digits or . _ ~ + / -" })
    .meta({ description: "The secret itself." }),
  type: z.enum(keyTypes),
  label: z.string().nullable(),
  create_date: instant,
  revoke_date: instant.nullable().meta({ description: "From this instant on the key is revoked." }),
  personal_data: z.boolean().meta({ description: "Whether access to personal data was granted; counts under `auth.partner_data=on-request`." }),
  at_limit: z.boolean().meta({ description: "Whether the first minute's requests are used up from the start." }),
});

export type KeyRecord = Readonly<z.infer<typeof keyRecord>>;
