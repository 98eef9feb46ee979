import { z } from "zod";
import { profileNames } from "../assumptions/catalog.ts";
import type { Snapshot } from "../public/control.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { storedFault } from "../model/fault-schema.ts";
import { firstInstant, lastInstant } from "../time/instant.ts";
import { isMembers } from "../validation/members.ts";
import { instant, keyRecord, wholeNumber } from "../model/schemas.ts";
import { maxSpeed } from "../settings/kinds.ts";
import { windowLengthMs } from "./limits.ts";

/*
 * The schema of snapshots, in its own file because zod loads late. The checksum protects values; the schema has only
 * what a forged snapshot could use to hang or crash a server, take more memory than its file, or reach another
 * environment.
 */

/** A count. The limit is higher than any real count, and low enough for further counting. */
const largeCount = wholeNumber(0, 2 ** 50);

/** Creates the schema of a list whose items are counted before any of them is read. */
function list<Item extends z.ZodType>(max: number, noun: string, item: Item) {
  const countedList = z.array(z.unknown()).max(max, { error: `at most ${max} ${noun}`, abort: true });
  return countedList.pipe(z.array(item));
}

/** Creates the schema of an object whose members are counted before any of them is read. */
function record<Value extends z.ZodType>(max: number, value: Value) {
  const isWithin = (input: unknown): boolean => isMembers(input) && Object.keys(input).length <= max;
  const countedRecord = z.unknown().refine(isWithin, { error: `an object of at most ${max} members`, abort: true });
  return countedRecord.pipe(z.record(z.string(), value));
}

/** The maximum number of members where the program itself never has more, such as one for each assumption. */
const maxFewMembers = 100;

const membersSchema = record(inputLimits.jsonNames, z.unknown());
const lineSchema = z.string().regex(/^[\x20-\x7e…]*$/, { error: "a line of printable text" });

/** A key. Every log of the server conceals its secret, which therefore cannot be short. */
const keySchema = z.looseObject({ ...keyRecord.shape, offering_id: z.string() });

/**
 * The children of an investment: those in lists, those that steps name, and a countersigner. Each item must be an
 * object: a string, copied as an object, would get a member for each letter.
 */
const childrenSchema = list(4 * inputLimits.listed, "items", record(maxFewMembers, z.unknown()));
const investmentSchema = z.looseObject({
  investors: childrenSchema,
  signing_parties: childrenSchema,
  payments: childrenSchema,
  events: childrenSchema,
});

/** A change. `History.checkChanges` applies and summarizes each change, which finds missing members. */
const changeSchema = z.looseObject({
  date: instant,
  sequence: largeCount,
  origin: z.looseObject({ run: z.string(), step: largeCount }).nullish(),
  investment: investmentSchema.optional(),
  written: investmentSchema.partial().optional(),
  payment: membersSchema.optional(),
  event: membersSchema.optional(),
  attributes: membersSchema.optional(),
  key: keySchema.optional(),
  fault: z.looseObject({ id: z.string(), rule: storedFault, from: instant, until: instant.nullable() }).optional(),
});

const repetitionSchema = z.looseObject({
  investment_id: z.string(),
  start: instant,
  step_dates: list(inputLimits.steps, "dates", instant.nullable()),
  payments: record(inputLimits.steps, z.unknown()),
  reads: largeCount,
});

const runSchema = z.looseObject({
  id: z.string(),
  offering_id: z.string(),
  investment_id: z.string().nullable(),
  stopped: z.boolean(),
  problem: z.string().nullable(),
  // `checkScenario` reads it.
  scenario: z.unknown(),
  start: instant,
  repetitions: list(inputLimits.repetitions, "repetitions", repetitionSchema),
});

const momentSchema = z.strictObject({ ago: wholeNumber(0, windowLengthMs).nullable(), count: largeCount });
const keyUseSchema = z.looseObject({
  key_id: z.string(),
  requests: list(windowLengthMs + 2, "moments", momentSchema),
});

const journalEntrySchema = record(maxFewMembers, z.unknown()).pipe(
  z.looseObject({
    id: largeCount,
    recorded_at: instant,
    elapsed_ms: largeCount,
    date: instant,
    as_of: largeCount,
    status: largeCount.nullable(),
    duration_ms: z.number(),
    method: lineSchema,
    path: lineSchema,
    hints: list(inputLimits.hints, "hints", lineSchema),
    depends_on: list(maxFewMembers, "assumptions", lineSchema),
    retry_after_seconds: z.number().nullable(),
    assumptions: list(maxFewMembers, "assumptions", lineSchema),
  }),
);

const earlierValuesSchema = z.looseObject({ last: largeCount, values: record(maxFewMembers, z.unknown()) });

const journalSchema = z
  .looseObject({
    data: list(inputLimits.journal, "requests", z.unknown()),
    dropped: largeCount,
    last: largeCount,
    assumed: list(inputLimits.journal + 1, "changes of assumptions", z.unknown()).optional(),
  })
  .refine(
    ({ data, dropped, last }) =>
      data.length + dropped <= last &&
      data.every((entry, index) => isMembers(entry) && entry["id"] === last - data.length + 1 + index),
    { error: "entries whose ids count up to `last`" },
  );

/** All days of the years 0000 to 9999. */
const maxDays = 3_652_425;

/** The members that distinguish a snapshot from any other document. */
export const snapshotHeadSchema = z.looseObject({
  format: z.literal("offering-sandbox-environment" satisfies Snapshot["format"]),
  version: z.int(),
  program: z.string().regex(/^\d{1,5}\.[\w.+-]{1,50}$/, { error: "a version of offering-sandbox" }),
  checksum: z.string(),
});

const contentSchema = z.looseObject({
  clock: z.strictObject({
    now: wholeNumber(firstInstant, lastInstant),
    speed: z.number().refine((speed) => speed >= 0 && speed <= maxSpeed, { error: `a number from 0 to ${maxSpeed}` }),
    at: largeCount.optional(),
  }),
  days: wholeNumber(-maxDays, maxDays),
  keys: z.array(z.unknown()).optional(),
  assumptions: record(maxFewMembers, z.unknown()),
  changes: z.array(z.unknown()),
  issued: largeCount,
  creations: largeCount,
  runs: list(inputLimits.runs, "runs", z.unknown()),
  // `readSaved` reads them.
  scenarios: list(inputLimits.scenarios, "scenarios", z.string()).optional(),
  fault_uses: record(inputLimits.jsonNames, largeCount),
  fault_matches: record(inputLimits.jsonNames, largeCount),
});

const trafficSchema = z.looseObject({
  limits: list(100_000, "keys", z.unknown()),
  journal: journalSchema,
  responses: largeCount,
});

/** A whole document. Its long lists are only counted; `longLists` has the schemas of their items. */
export const documentSchema = z.looseObject({
  environment: z.string(),
  fixture: z.string(),
  seed: z.int(),
  fixture_checksum: z.string(),
  fixture_document: membersSchema.nullable().optional(),
  profile: z.enum(profileNames),
  rate_limit: wholeNumber(0, 1_000_000),
  setup: membersSchema.optional(),
  content: record(maxFewMembers, z.unknown()).pipe(contentSchema),
  traffic: record(maxFewMembers, z.unknown()).pipe(trafficSchema).optional(),
});

type ReadDocument = z.infer<typeof documentSchema>;

/** Returns the long lists of a document, each with its path and the schema of its items. */
export function longLists({ content: { keys = [], changes, runs }, traffic }: ReadDocument) {
  const { limits = [], journal: { data = [], assumed = [] } = {} } = traffic ?? {};
  return [
    { path: ["content", "keys"], items: keys, schema: keySchema },
    { path: ["content", "changes"], items: changes, schema: changeSchema },
    { path: ["content", "runs"], items: runs, schema: runSchema },
    { path: ["traffic", "limits"], items: limits, schema: keyUseSchema },
    { path: ["traffic", "journal", "data"], items: data, schema: journalEntrySchema },
    { path: ["traffic", "journal", "assumed"], items: assumed, schema: earlierValuesSchema },
  ];
}
