import { z } from "zod";
import { profileNames } from "../assumptions/catalogue.ts";
import type { Snapshot } from "../control.ts";
import { inputLimits } from "../model/bounds.ts";
import { keptFault } from "../model/fault-schema.ts";
import { firstInstant, lastInstant } from "../model/instant.ts";
import { instant, keyRecord, wholeNumber } from "../model/schemas.ts";
import { maxSpeed } from "../settings/kinds.ts";
import { windowLength } from "./limits.ts";

/*
 * The schema of snapshots, in a file of its own because zod loads late. The checksum stands for the values; the schema
 * has only what a forged snapshot could use to hang or crash a server, take more memory than its file, or reach another
 * environment.
 */

/** A count: the bound is higher than any will be, and low enough to count on from. */
const largeCount = wholeNumber(0, 2 ** 50);

const members = z.record(z.string(), z.unknown());
const line = z.string().regex(/^[\x20-\x7e…]*$/, { error: "a line of printable text" });

/** A key. Every log of the server conceals its secret, which therefore cannot be a short text. */
const key = z.looseObject({ id: z.string(), key: keyRecord.shape.key });

/** Copying a text as an object would make a member of each letter. */
const parts = z.array(members);
const investment = z.looseObject({ investors: parts, signing_parties: parts, payments: parts, events: parts });

const change = z.looseObject({
  date: instant,
  sequence: largeCount,
  investment: investment.optional(),
  written: investment.partial().optional(),
  payment: members.optional(),
  event: members.optional(),
  attributes: members.optional(),
  key: key.optional(),
  fault: z.looseObject({ id: z.string(), rule: keptFault }).optional(),
});

const repetitionSchema = z.looseObject({
  start: instant,
  dues: z.array(instant.nullable()),
  payments: members,
  reads: largeCount,
});

const runSchema = z.looseObject({
  id: z.string(),
  // `checkScenario` reads it.
  scenario: z.unknown(),
  start: instant,
  tracks: z.array(repetitionSchema),
});

const keyUse = z.looseObject({
  key_id: z.string(),
  requests: z.array(z.strictObject({ ago: wholeNumber(0, windowLength).nullable(), count: largeCount })),
});

const journalEntry = z.looseObject({
  id: largeCount,
  recorded_at: instant,
  elapsed_ms: largeCount,
  method: line,
  path: line,
  hints: z.array(line),
  rests_on: z.array(line).default([]),
  retry_after_seconds: z.number().nullable(),
  assumptions: z.array(line),
});

const journalSchema = z
  .looseObject({
    // Counted first: entries without number would hold the server.
    data: z
      .array(z.unknown())
      .max(inputLimits.journal, { error: `at most ${inputLimits.journal} requests` })
      .pipe(z.array(journalEntry)),
    dropped: largeCount,
    last: largeCount,
    assumed: z.array(z.looseObject({ last: largeCount, values: members })).optional(),
  })
  .refine(
    ({ data, dropped, last }) =>
      data.length + dropped <= last && data.every(({ id }, index) => id === last - data.length + 1 + index),
    { error: "entries whose ids count up to `last`" },
  );

/** All days of the years 0000 to 9999. */
const maxDays = 3_652_425;

/** The members that distinguish a snapshot from any other document. */
export const snapshotHead = z.looseObject({
  format: z.literal("offering-sandbox-environment" satisfies Snapshot["format"]),
  version: z.int(),
  program: z.string().regex(/^\d{1,5}\.[\w.+-]{1,50}$/, { error: "a version of offering-sandbox" }),
  checksum: z.string(),
});

export const snapshotSchema = z.looseObject({
  environment: z.string(),
  fixture: z.string(),
  seed: z.int(),
  fixture_checksum: z.string(),
  fixture_document: members.nullable().optional(),
  profile: z.enum(profileNames),
  rate_limit: wholeNumber(0, 1_000_000),
  clock: z.strictObject({
    now: wholeNumber(firstInstant, lastInstant),
    speed: z.number().refine((speed) => speed >= 0 && speed <= maxSpeed, { error: `a number from 0 to ${maxSpeed}` }),
    at: largeCount.optional(),
  }),
  days: wholeNumber(-maxDays, maxDays),
  keys: z.array(key).optional(),
  assumptions: members,
  changes: z.array(change),
  issued: largeCount,
  creations: largeCount,
  runs: z.array(runSchema),
  fault_uses: z.record(z.string(), largeCount),
  fault_matches: z.record(z.string(), largeCount),
  // A stored environment has a setup, and no traffic.
  limits: z.array(keyUse).optional(),
  journal: journalSchema.optional(),
  answers: largeCount.optional(),
  setup: members.optional(),
});
