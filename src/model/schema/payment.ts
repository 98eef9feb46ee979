import { z } from "zod";
import { instant, money } from "./values.ts";

/** The statuses of a payment: the one that the specification shows, then the two assumed beside it (`payment.statuses`). */
const paymentStatuses = ["succeeded", "pending", "failed"] as const;

/** The attributes of a payment (section 2.5). */
export const paymentAttributes = z.strictObject({
  amount: money,
  status: z.enum(paymentStatuses).meta({ description: "Value seen: succeeded." }),
  category: z.string().meta({ description: "The payment processor's name in uppercase." }),
  create_date: instant,
  modify_date: instant,
});
