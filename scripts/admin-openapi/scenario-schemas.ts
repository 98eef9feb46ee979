import { z } from "zod";
import { instant, uuid } from "../../src/model/schemas.ts";
import { countFromZero } from "./request-schema.ts";

/* Scenarios and their runs. */

export const runStep = z.strictObject({
  index: countFromZero.meta({ description: "The step's place in the scenario, from 0." }),
  investment_id: uuid,
  status: z.enum(["done", "scheduled", "waiting", "pending", "stopped"]),
  due: instant.nullable().meta({ description: "The instant it happens or happened at; null while unknown." }),
});

export const run = z.strictObject({
  id: z.string(),
  scenario: z.string(),
  status: z.enum(["running", "waiting", "finished", "stopped"]),
  problem: z.string().nullable().meta({ description: "The reason it stopped by itself; null otherwise." }),
  investment_ids: z.array(uuid).meta({ description: "One id for each repetition." }),
  steps: z.array(runStep),
});

export const scenario = z.strictObject({
  name: z.string(),
  description: z.string(),
  steps: countFromZero.meta({ description: "Number of steps." }),
});

export const foundMistake = z.strictObject({ line: z.int().min(1), column: z.int().min(1), message: z.string() });

export const scenarioDetail = z.strictObject({
  name: z.string(),
  description: z.string(),
  subject: z.string().meta({ description: "What it plays on, in words." }),
  steps: z.array(
    z.strictObject({
      when: z.string().meta({ description: "The trigger in words." }),
      since: z.string().meta({ description: "The time from the start of the run; ? while unknown." }),
      effects: z.array(z.string()).meta({ description: "In words." }),
    }),
  ),
  states: z
    .array(
      z.strictObject({
        status: z.string().nullable(),
        step: z.string().nullable(),
        signed: z.string().nullable(),
        paid: z.string().nullable(),
        offering: z.string().nullable(),
      }),
    )
    .meta({ description: "The states at the start and after each step; null where the scenario does not say." }),
  text: z.string().meta({ description: "As YAML or JSON." }),
  warnings: z.array(foundMistake),
});

export const runDetail = run.extend({
  script: scenarioDetail.meta({ description: "The scenario as it was when the run began." }),
  repetitions: z.int().min(1).meta({ description: "Number of times that it is played." }),
});

export const scenarioCheck = z.strictObject({
  valid: z.boolean(),
  mistakes: z.array(foundMistake),
  warnings: z.array(foundMistake),
  scenario: scenarioDetail.nullable().meta({ description: "Null with mistakes." }),
});
