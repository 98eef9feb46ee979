import { z } from "zod";
import { sparseInvestment } from "../fixture/schema.ts";
import { duration } from "../model/schema/duration.ts";
import { step } from "./schema/step.ts";
import { wholeNumber } from "./schema/whole-number.ts";

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
