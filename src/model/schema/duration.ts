import { z } from "zod";
import { parseDuration } from "../duration.ts";

const error = "a duration such as 90s, 2m, 1h30m, 2d or PT1H30M, of a hundred years at most";

/** A duration as text. */
export const duration = z
  .string({ error })
  .refine((text) => parseDuration(text) !== undefined, { error })
  .meta({ description: "A duration: 90s, 2m, 1h30m, 2d, or of ISO 8601, PT1H30M.", examples: ["90s", "1h30m", "2d"] });
