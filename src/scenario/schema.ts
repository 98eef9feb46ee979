import { z } from "zod";
import { alias, smallInvestment } from "../fixture/schema.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { type DurationRange, endsOf, readSpan, type Span, spanSchema } from "../time/duration.ts";
import { faultRule } from "../model/fault-schema.ts";
import { type Instant, instantSchema, readInstant } from "../time/instant.ts";
import { isMembers } from "../validation/members.ts";
import {
  duration,
  email,
  eventWord,
  investmentAttributes,
  investorAttributes,
  label,
  listOf,
  objectLike,
  offeringAttributes,
  paymentAttributes,
  readBy,
  span,
  text,
  uuid,
  wholeNumber,
  written,
} from "../model/schemas.ts";
import { isLabel } from "../text/text.ts";
import { keyTypes, shownPairs } from "../model/vocabulary.ts";
import { signerGroups } from "./people.ts";

const eventTextExpected = { error: 'an event and an action, such as "PAYMENT SUBMITTED"' };
const eventText = z
  .string()
  .regex(/^\S+ \S+$/, eventTextExpected)
  .refine(isLabel, eventTextExpected)
  .meta({ description: "The event and its action: PAYMENT SUBMITTED.", examples: [...shownPairs] });
const eventEffectMembers = z.strictObject({
  event: eventWord("PAYMENT"),
  action: eventWord("SUBMITTED"),
  description: text.nullable().optional(),
});
const eventForms = [eventText, eventEffectMembers] as const;
const eventError = {
  error: 'an event such as "PAYMENT SUBMITTED", an object with event and action, or a list of these',
};
const eventEffect = z.union(
  [...eventForms, listOf(z.union(eventForms, eventError), inputLimits.changes, "events")],
  eventError,
);

const investmentOfEffects = z
  .strictObject(written(investmentAttributes.shape))
  .omit({ id: true })
  .partial()
  .extend({ broker: uuid.nullable().optional() });

const paymentEffect = z
  .strictObject(written(paymentAttributes.shape))
  .partial()
  .extend({
    alias: alias.optional(),
    number: wholeNumber(1, inputLimits.listed)
      .optional()
      .meta({ description: "In place of an alias: changes a payment that the investment has before the run, from 1." }),
  });

const offeringEffect = z.strictObject(written(offeringAttributes.shape)).partial();

const signerError =
  '"all", "investors", "countersigners", an email address or a number from 1, or a list of addresses and numbers';
const isSigner = (who: string): boolean => signerGroups.some((group) => group === who) || email.safeParse(who).success;
const signer = z
  .string()
  .refine(isSigner, { error: signerError, params: { names: signerGroups } })
  .meta({
    anyOf: [{ enum: [...signerGroups] }, { pattern: "@" }],
    description: "A group, or the email address of a signing party: a new investment has one with it.",
  });
const partyNumber = wholeNumber(1, inputLimits.listed).meta({ description: "The place of a signing party, from 1." });
const partyEmail = z.email({
  error: "an email address or the place of a signing party, such as 2; a group such as all stands alone",
});
const party = z.union([partyEmail, partyNumber]);
const parties = listOf(party, inputLimits.listed, "signing parties").min(1, { error: signerError });
const sign = z.union([signer, partyNumber, parties], { error: signerError });

const key = z
  .strictObject({
    revoke: label
      .optional()
      .meta({ description: "The keys of the offering with this type, marketing or partner, or with this label." }),
    issue: z
      .strictObject({ type: z.enum(keyTypes), label: label.optional() }, objectLike("{ type: partner }"))
      .optional(),
  })
  .refine((members) => "revoke" in members !== "issue" in members, {
    error: 'one of "revoke" and "issue"',
    when: ({ value }) => isMembers(value),
  });

/** The effects of a step: any number of these. Each has a row in step-effects.ts. */
export const effects = z.strictObject({
  event: eventEffect.optional().meta({ description: "Records an event of the investment, or several." }),
  investment: investmentOfEffects.optional().meta({ description: "Sets attributes of the investment." }),
  payment: paymentEffect.optional().meta({
    description:
      "Changes the payment to which an earlier step gave this alias; otherwise adds a new one, with an amount.",
  }),
  sign: sign
    .optional()
    .meta({ description: "Lets signing parties sign: all, investors, countersigners, or single ones." }),
  investor: investorAttributes
    .partial()
    .optional()
    .meta({ description: "Sets attributes of the investor with the email address, or of the primary one." }),
  offering: offeringEffect.optional().meta({ description: "Sets attributes of the offering." }),
  key: key.optional().meta({ description: "Revokes keys of the offering, or issues one." }),
  fault: faultRule.optional().meta({ description: "Makes matching requests fail or wait." }),
});

export type WrittenEffects = z.infer<typeof effects>;

/** The earliest and the latest date of a step: since the run began in milliseconds, or as instants. */
type Moment = { readonly since: DurationRange } | { readonly instants: readonly [earliest: Instant, latest: Instant] };

/** Reads `at`, whose two ends may be durations or instants; undefined for any other value. */
export function readMoment(value: unknown): Moment | undefined {
  const [from, to] = endsOf(value).map(readInstant);
  if (from !== undefined && to !== undefined) return from <= to ? { instants: [from, to] } : undefined;
  const since = readSpan(value);
  return since && { since };
}

const momentExpected =
  "a duration since the run began such as 1h30m, an instant such as 2026-01-15T12:00:00Z, or a span such as 1d..3d";
const momentSchema = readBy<Span>(readMoment, momentExpected, {
  anyOf: [...spanSchema.anyOf, { type: "string", pattern: instantSchema.pattern }],
});

/** The trigger of a step: at most one of these. */
export const triggers = z.strictObject({
  after: span.optional().meta({
    description: "The time since the step before; of a span, 1d..3d, another one in each repetition. Default: 0s.",
  }),
  at: momentSchema
    .optional()
    .meta({ description: "The time since the run began, or an instant, or a span of either." }),
  after_reads: wholeNumber(1, 1_000_000).optional().meta({
    description: "The number of reads of the investment since the step before; these reads still see the old state.",
  }),
  next: z
    .literal(true)
    .optional()
    .meta({ description: "Waits for a command: offering-sandbox scenario next, or POST …/runs/{id}/next." }),
});

const step = z.strictObject({ ...triggers.shape, ...effects.shape });

type WrittenStep = z.infer<typeof step>;

/** Returns the addresses that steps let sign. A new investment has a signing party with each, and maybe an investor. */
function addressesIn(steps: readonly WrittenStep[]): ReadonlySet<unknown> {
  return new Set(steps.flatMap(({ sign: who = [] }) => who).filter((reference) => String(reference).includes("@")));
}

const investmentSchema = z
  .union([text.min(1, { error: "an alias or an id" }), smallInvestment], {
    error: "the alias or the id of an investment, or an object for a new one",
  })
  .meta({
    description: "A new investment, whose missing members are completed; or the alias or the id of an existing one.",
  });

const repeatSchema = z
  .strictObject(
    {
      count: wholeNumber(1, 10_000).meta({ description: "The number of investments." }),
      every: duration.meta({ description: "The time between the starts of two repetitions." }),
      jitter: duration.optional().meta({ description: "The largest deviation of a start, either way." }),
      per_day: wholeNumber(1, 10_000).optional().meta({
        description: "The number of repetitions after which the next begins a day after the first of them.",
      }),
    },
    objectLike("{ count: 20, every: 10m }"),
  )
  .meta({ description: "Plays all steps on several new investments." });

/** The form of a scenario in a file. */
export const writtenScenario = z
  .strictObject({
    $schema: text.optional(),
    name: label.optional().meta({ description: "The name by which it is listed and played; default: the file's." }),
    title: label.optional().meta({ description: "A title for people; default: the name." }),
    description: text.optional().meta({ description: "Describes the scenario in a sentence." }),
    offering: text.optional().meta({ description: "The alias or the id of the offering; default: the first." }),
    investment: investmentSchema.optional(),
    repeat: repeatSchema.optional(),
    steps: listOf(step, inputLimits.steps, "steps")
      .min(1, { error: "at least one step" })
      .refine((steps) => addressesIn(steps).size <= inputLimits.listed, {
        error: `at most ${inputLimits.listed} different email addresses in their \`sign\``,
      }),
  })
  .meta({
    title: "Scenario of offering-sandbox",
    description: "A script of steps, each with a trigger and effects, on one investment or on many new ones.",
  });

export type WrittenScenario = z.infer<typeof writtenScenario>;
