import { z } from "zod";
import { instant } from "./values.ts";

/** The attributes of an offering (section 2.4). */
export const offeringAttributes = z.strictObject({
  name: z.string(),
  status: z.string().meta({ description: "Value seen: ACTIVE." }),
  create_date: instant,
  modify_date: instant,
});
