import { z } from "zod";
import { fewestUnits, isQuantity, mostUnits } from "../money.ts";
import { instant, money, uuid } from "./values.ts";

const quantityExpected = `a number of units: 0, or from ${fewestUnits} to ${mostUnits.toLocaleString("en")}`;
const numberExpected = `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`;

/** `data.attributes` of an investment (section 2.1). */
export const investmentAttributes = z.strictObject({
  id: uuid.meta({ description: "Same as the resource id." }),
  amount: money.meta({ description: "Total amount of the investment." }),
  price: money.meta({ description: "Price per unit." }),
  quantity: z.number().nonnegative({ error: quantityExpected, abort: true }).refine(isQuantity, { error: quantityExpected }).meta({ description: "Number of units." }),
  paid_amount: money.meta({ description: "Amount paid so far." }),
  investment_number: z.int({ error: numberExpected }).positive({ error: numberExpected }).meta({ description: "Sequence number of the investment." }),
  expedited: z.boolean(),
  step: z.string().nullable().meta({ description: "Current step; null when no step applies. Value seen: SIGNERS." }),
  status: z.string().meta({ description: "Values seen: CLOSED, PENDING." }),
  create_date: instant,
  modify_date: instant,
});
