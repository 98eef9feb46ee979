import { z } from "zod";
import { alias } from "../../fixture/schema.ts";
import { keyTypes } from "../../model/key-type.ts";
import { isMembers } from "../../model/members.ts";
import { duration } from "../../model/schema/duration.ts";
import { doesSomething, faultMembers } from "../../model/schema/fault.ts";
import { investmentAttributes } from "../../model/schema/investment.ts";
import { investorAttributes } from "../../model/schema/investor.ts";
import { offeringAttributes } from "../../model/schema/offering.ts";
import { paymentAttributes } from "../../model/schema/payment.ts";
import { email, uuid } from "../../model/schema/values.ts";

const wordError = { error: "a word such as PAYMENT" };
const word = z.string(wordError).regex(/^\S+$/, wordError);
const eventText = z
  .string()
  .regex(/^\S+ \S+$/, { error: 'an event and an action, such as "PAYMENT SUBMITTED"' })
  .meta({ description: "The event and its action: PAYMENT SUBMITTED." });
const eventMembers = z.strictObject({ event: word, action: word, description: z.string().nullable().optional() });
const eventForms = [eventText, eventMembers] as const;
const eventError = { error: 'an event such as "PAYMENT SUBMITTED", an object with event and action, or a list of these' };
const event = z.union([...eventForms, z.array(z.union(eventForms, eventError))], eventError);

const investment = investmentAttributes.omit({ id: true }).partial().extend({ broker: uuid.nullable().optional() });

const payment = paymentAttributes.partial().extend({ alias: alias.optional() });

const investor = investorAttributes.partial();

const signerError = '"all", an e-mail address, or a list of them';
const signer = z
  .string()
  .refine((text) => text === "all" || email.safeParse(text).success, { error: signerError })
  .meta({ description: "all, or the e-mail address of a signing party." });
const sign = z.union([signer, z.array(email).min(1, { error: signerError })], { error: signerError });

const label = z.string().min(1, { error: "a label" });
const key = z
  .strictObject({
    revoke: label.optional().meta({ description: "The keys of the offering of this type, marketing or partner, or of this label." }),
    issue: z.strictObject({ type: z.enum(keyTypes), label: label.optional() }).optional(),
  })
  .refine((said) => "revoke" in said !== "issue" in said, {
    error: 'one of "revoke" and "issue"',
    when: ({ value }) => isMembers(value),
  });

const fault = faultMembers
  .extend({ for: duration.optional().meta({ description: "How long it is in force. Left out: until it is removed." }) })
  .refine(...doesSomething);

/** What a step does: any number of these. */
export const effects = z.strictObject({
  event: event.optional().meta({ description: "Records an event of the investment, or several." }),
  investment: investment.optional().meta({ description: "Sets attributes of the investment." }),
  payment: payment
    .optional()
    .meta({ description: "Changes the payment that an earlier step brought under this alias; or brings a new one, with an amount." }),
  sign: sign.optional().meta({ description: "Lets signing parties sign: all, the one of an e-mail address, or of several." }),
  investor: investor
    .optional()
    .meta({ description: "Sets attributes of the investor of the e-mail address, or of the primary one." }),
  offering: offeringAttributes.partial().optional().meta({ description: "Sets attributes of the offering." }),
  key: key.optional().meta({ description: "Revokes keys of the offering, or issues one." }),
  fault: fault.optional().meta({ description: "Makes matching requests fail or wait." }),
});

export type WrittenEffects = z.infer<typeof effects>;
