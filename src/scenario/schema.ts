import { z } from "zod";
import { alias, sparseInvestment } from "../fixture/schema.ts";
import { parseDuration } from "../model/duration.ts";
import { parseIsoDate } from "../model/instant.ts";
import { isMembers } from "../model/members.ts";
import {
  doesSomething,
  duration,
  email,
  faultMembers,
  investmentAttributes,
  investorAttributes,
  offeringAttributes,
  paymentAttributes,
  uuid,
} from "../model/schemas.ts";
import { keyTypes } from "../model/vocabulary.ts";

const wordError = { error: "a word such as PAYMENT" };
const word = z.string(wordError).regex(/^\S+$/, wordError);
const eventText = z
  .string()
  .regex(/^\S+ \S+$/, { error: 'an event and an action, such as "PAYMENT SUBMITTED"' })
  .meta({ description: "The event and its action: PAYMENT SUBMITTED." });
const eventMembers = z.strictObject({ event: word, action: word, description: z.string().nullable().optional() });
const eventForms = [eventText, eventMembers] as const;
const eventError = {
  error: 'an event such as "PAYMENT SUBMITTED", an object with event and action, or a list of these',
};
const event = z.union([...eventForms, z.array(z.union(eventForms, eventError))], eventError);

const investmentOfEffects = investmentAttributes
  .omit({ id: true })
  .partial()
  .extend({ broker: uuid.nullable().optional() });

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
    revoke: label
      .optional()
      .meta({ description: "The keys of the offering of this type, marketing or partner, or of this label." }),
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
  investment: investmentOfEffects.optional().meta({ description: "Sets attributes of the investment." }),
  payment: payment.optional().meta({
    description:
      "Changes the payment that an earlier step brought under this alias; or brings a new one, with an amount.",
  }),
  sign: sign
    .optional()
    .meta({ description: "Lets signing parties sign: all, the one of an e-mail address, or of several." }),
  investor: investor
    .optional()
    .meta({ description: "Sets attributes of the investor of the e-mail address, or of the primary one." }),
  offering: offeringAttributes.partial().optional().meta({ description: "Sets attributes of the offering." }),
  key: key.optional().meta({ description: "Revokes keys of the offering, or issues one." }),
  fault: fault.optional().meta({ description: "Makes matching requests fail or wait." }),
});

export type WrittenEffects = z.infer<typeof effects>;

/** A whole number of a range, which is said in words where it is expected. */
function wholeNumber(from: number, to: number): z.ZodInt {
  const error = `a whole number from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error });
}

const momentExpected = "a duration since the run began such as 1h30m, or an instant such as 2026-01-15T12:00:00.000Z";
const moment = z
  .string({ error: momentExpected })
  .refine((text) => parseDuration(text) !== undefined || parseIsoDate(text) !== undefined, { error: momentExpected });

/** What decides when a step happens: one of these. */
export const triggers = z.strictObject({
  after: duration
    .optional()
    .meta({ description: "So long after the step before. The trigger of a step that has none: 0s." }),
  at: moment.optional().meta({ description: "So long after the run began, or at this instant." }),
  after_reads: wholeNumber(1, 1_000_000).optional().meta({
    description: "When the investment was read so often since the step before; those reads still see the old state.",
  }),
  next: z
    .literal(true)
    .optional()
    .meta({ description: "When it is told to: offering-sandbox scenario next, or POST …/runs/{id}/next." }),
});

/** A step: one trigger, and any number of effects. */
export const step = z.strictObject({ ...triggers.shape, ...effects.shape });

export type WrittenStep = z.infer<typeof step>;

const investment = z
  .union([z.string().min(1, { error: "an alias or an id" }), sparseInvestment], {
    error: "the alias or the id of an investment, or an object: a new one",
  })
  .meta({
    description: "A new investment, of which what is left out is completed; or the alias or the id of one that exists.",
  });

const repeat = z
  .strictObject({
    count: wholeNumber(1, 10_000).meta({ description: "How many investments." }),
    every: duration.meta({ description: "From the beginning of one to the beginning of the next." }),
    jitter: duration.optional().meta({ description: "By how much a beginning may come earlier or later." }),
  })
  .meta({ description: "That many new investments, one after the other, each with all the steps." });

const mostSteps = 1000;

/** A scenario as a person writes it. */
export const writtenScenario = z
  .strictObject({
    $schema: z.string().optional(),
    description: z
      .string()
      .optional()
      .meta({ description: "What happens, in a sentence for somebody who has not read the steps." }),
    offering: z.string().optional().meta({ description: "The alias or the id of the offering. Left out: the first." }),
    investment: investment.optional(),
    repeat: repeat.optional(),
    steps: z
      .array(step)
      .min(1, { error: "at least one step" })
      .max(mostSteps, { error: `${mostSteps} steps at most` }),
  })
  .meta({
    title: "Scenario of offering-sandbox",
    description: "A script of steps, each with a trigger and effects, on one investment or on many new ones.",
  });

export type WrittenScenario = z.infer<typeof writtenScenario>;

/** The JSON Schema (2020-12) of scenario files, for editors. */
export function scenarioJsonSchema(): object {
  return z.toJSONSchema(writtenScenario, { io: "input" });
}
