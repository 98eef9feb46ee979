import { z } from "zod";
import { instant } from "./values.ts";

/** The members of an event beside its type and id (section 2.6). */
export const eventMembers = z.strictObject({
  event: z.string().meta({ description: "Kind of event." }),
  action: z.string().meta({ description: "What happened." }),
  description: z.string().nullable().meta({ description: "Null in every case seen." }),
  create_date: instant,
});
