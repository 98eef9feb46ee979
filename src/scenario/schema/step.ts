import { z } from "zod";
import { parseDuration } from "../../model/duration.ts";
import { parseIsoDate } from "../../model/instant.ts";
import { duration } from "../../model/schema/duration.ts";
import { effects } from "./effects.ts";
import { wholeNumber } from "./whole-number.ts";

const momentExpected = "a duration since the run began such as 1h30m, or an instant such as 2026-01-15T12:00:00.000Z";
const moment = z
  .string({ error: momentExpected })
  .refine((text) => parseDuration(text) !== undefined || parseIsoDate(text) !== undefined, { error: momentExpected });

/** What decides when a step happens: one of these. */
export const triggers = z.strictObject({
  after: duration.optional().meta({ description: "So long after the step before. The trigger of a step that has none: 0s." }),
  at: moment.optional().meta({ description: "So long after the run began, or at this instant." }),
  after_reads: wholeNumber(1, 1_000_000)
    .optional()
    .meta({ description: "When the investment was read so often since the step before; those reads still see the old state." }),
  next: z
    .literal(true)
    .optional()
    .meta({ description: "When it is told to: offering-sandbox scenario next, or POST …/runs/{id}/next." }),
});

/** A step: one trigger, and any number of effects. */
export const step = z.strictObject({ ...triggers.shape, ...effects.shape });

export type WrittenStep = z.infer<typeof step>;
