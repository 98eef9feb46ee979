import { z } from "zod";
import { bounds } from "../model/bounds.ts";
import { longestDuration } from "../model/duration.ts";
import { keptFault } from "../model/fault-schema.ts";
import { email, instant, wholeNumber } from "../model/schemas.ts";
import * as written from "./schema.ts";

/* The schema of a scenario in its checked form, which snapshots keep. Its values are those that a file may have. */

const milliseconds = wholeNumber(0, longestDuration);
const { offering, investment, investor, payment, key } = written.effects.shape;
const { event, action } = written.eventMembers.shape;

const endError = { error: "an end that is not before the beginning" };

const trigger = z.discriminatedUnion(
  "kind",
  [
    z
      .strictObject({ kind: z.literal("after"), by: milliseconds, most: milliseconds.optional() })
      .refine(({ by, most = by }) => by <= most, endError),
    z
      .strictObject({
        kind: z.literal("at"),
        since: milliseconds.optional(),
        most: milliseconds.optional(),
        instant: instant.optional(),
        until: instant.optional(),
      })
      .refine((at) => "since" in at !== "instant" in at, { error: `one of "since" and "instant"` })
      .refine(
        ({ since = 0, most = since, instant: from = "", until = from }) => since <= most && from <= until,
        endError,
      ),
    z.strictObject({ kind: z.literal("after_reads"), reads: written.triggers.shape.after_reads.unwrap() }),
    z.strictObject({ kind: z.literal("next") }),
  ],
  { error: "a trigger" },
);

const effect = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("offering"), attributes: offering.unwrap() }),
    z.strictObject({
      kind: z.literal("investor"),
      email: email.nullable(),
      attributes: investor.unwrap().omit({ email: true }),
    }),
    z.strictObject({ kind: z.literal("sign"), who: z.union([z.literal("all"), z.array(email).min(1)]) }),
    z.strictObject({
      kind: z.literal("payment"),
      alias: payment.unwrap().shape.alias.unwrap().nullable(),
      attributes: payment.unwrap().omit({ alias: true }),
    }),
    z.strictObject({ kind: z.literal("event"), event, action, description: z.string().nullable() }),
    z.strictObject({ kind: z.literal("investment"), attributes: investment.unwrap() }),
    z
      .strictObject({ kind: z.literal("key"), ...key.unwrap().shape })
      .refine((said) => "revoke" in said !== "issue" in said, { error: `one of "revoke" and "issue"` }),
    z.strictObject({ kind: z.literal("fault"), fault: keptFault, for: milliseconds.nullable() }),
  ],
  { error: "an effect" },
);

const repeat = written.repeat.extend({ every: milliseconds, jitter: milliseconds });

export const script = z.strictObject({
  name: z.string(),
  description: z.string(),
  offering: z.string().nullable(),
  investment: written.investment,
  repeat: repeat.nullable(),
  steps: z
    .array(z.strictObject({ trigger, effects: z.array(effect).min(1, { error: "at least one effect" }) }))
    .min(1, { error: "at least one step" })
    .max(bounds.steps, { error: `at most ${bounds.steps} steps` }),
});
