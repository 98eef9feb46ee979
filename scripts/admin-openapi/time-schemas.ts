import { z } from "zod";
import { instant } from "../../src/model/schemas.ts";
import { countFromZero, request } from "./request-schema.ts";

export const clock = z.strictObject({
  now: instant,
  speed: z.number().min(0).meta({ description: "Seconds of the clock in one real second: 1 real time, 0 frozen." }),
});

const change = z
  .looseObject({
    date: instant,
    sequence: z.int(),
    run: z.string().nullable().meta({ description: "The id of the run that made it; null for a command." }),
    kind: z.string(),
    summary: z.string().meta({ description: "The change in words.", examples: ["investment: status CLOSED"] }),
    subject_id: z.string().meta({ description: "The id of the investment, offering, key or fault that it is on." }),
  })
  .meta({ description: "A dated change on the timeline." });

/** The answers about an environment's clock, its timeline, and what is new. */
export const timeSchemas = {
  Pulse: z.strictObject({
    revision: z.string().meta({
      description: "Changes with each command and each applied change; the same means that only requests have come.",
    }),
    clock,
    previous: instant.nullable().meta({ description: "The last change up to now; null where there is none." }),
    next: instant.nullable().meta({
      description:
        "The first change after now, or the earliest that a repetition can begin; null where none is to come.",
    }),
    journal: z.strictObject({
      data: z.array(request).meta({ description: "The newest 200 after `after`, oldest first." }),
      dropped: countFromZero.meta({ description: "Number of requests after `after` that the journal has dropped." }),
      last: countFromZero.meta({ description: "The id of the newest request; 0 where there is none." }),
      after: countFromZero.meta({
        description: "Another than was asked for where the journal is another: data is then all that is known.",
      }),
    }),
  }),
  Clock: clock,
  ClockSet: z.union([
    clock,
    clock.extend({
      taken_back: z.array(change).meta({ description: "The changes that are to come again: the first 1,000." }),
      taken_back_count: countFromZero.meta({ description: "Number of all changes that are to come again." }),
    }),
  ]),
  ClockAdvance: clock.extend({
    applied: z
      .array(change)
      .meta({ description: "The changes that happened on the way, in order: the first 1,000. The timeline has all." }),
    applied_count: countFromZero.meta({ description: "Number of all changes that happened on the way." }),
  }),
  Change: change,
  ChangeList: z.strictObject({ data: z.array(change) }),
  TimelineOutline: z.strictObject({
    first: instant.nullable().meta({ description: "Null where there is no change." }),
    last: instant.nullable(),
    now: instant,
    previous: instant.nullable().meta({ description: "The last change up to now; null where there is none." }),
    next: instant.nullable().meta({
      description:
        "The first change after now, or the earliest that a repetition can begin; null where none is to come.",
    }),
    total: countFromZero.meta({ description: "Number of changes." }),
    applied: countFromZero.meta({ description: "Number of changes up to now." }),
    buckets: z
      .array(
        z.strictObject({
          from: instant,
          to: instant,
          count: countFromZero,
          kinds: z.record(z.string(), countFromZero).meta({ description: "Number of changes by kind." }),
        }),
      )
      .meta({ description: "In order, each with a like number of instants; the present is between two." }),
  }),
} as const;
