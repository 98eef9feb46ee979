import { z } from "zod";
import { instant, money, uuid } from "./values.ts";

/** `data.attributes` of an investment (section 2.1). */
export const investmentAttributes = z.strictObject({
  id: uuid.meta({ description: "Same as the resource id." }),
  amount: money.meta({ description: "Total amount of the investment." }),
  price: money.meta({ description: "Price per unit." }),
  quantity: z.number().nonnegative({ error: "a number of units of 0 or more" }).meta({ description: "Number of units." }),
  paid_amount: money.meta({ description: "Amount paid so far." }),
  investment_number: z.int().positive({ error: "a whole number of 1 or more" }).meta({ description: "Sequence number of the investment." }),
  expedited: z.boolean(),
  step: z.string().nullable().meta({ description: "Current step; null when no step applies. Value seen: SIGNERS." }),
  status: z.string().meta({ description: "Values seen: CLOSED, PENDING." }),
  create_date: instant,
  modify_date: instant,
});

export type InvestmentAttributes = Readonly<z.infer<typeof investmentAttributes>>;
