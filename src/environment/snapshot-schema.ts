import { z } from "zod";
import { profileNames } from "../assumptions/assume.ts";
import { confidences } from "../assumptions/calibration.ts";
import { catalogue } from "../assumptions/catalogue.ts";
import { errorCatalogue } from "../errors/http-error.ts";
import { alias, completedEvent, completedInvestment, completedPayment } from "../fixture/schema.ts";
import { firstInstant, lastInstant } from "../model/instant.ts";
import {
  instant,
  investmentAttributes,
  investorAttributes,
  keyRecord,
  offeringAttributes,
  paymentAttributes,
  signingPartyAttributes,
  uuid,
  wholeNumber,
} from "../model/schemas.ts";
import { keptFault } from "../model/fault-schema.ts";
import { operations } from "../model/operations.ts";
import { maxSpeed } from "../settings/kinds.ts";
import { windowLength } from "./limits.ts";

/* The schemas of snapshots. Apart, because zod loads late. */

/** The members that say what a snapshot is of. */
export const snapshotSchema = z.looseObject({
  format: z.literal("offering-sandbox-environment"),
  version: z.literal(1),
  environment: z.string(),
  fixture: z.string(),
  seed: z.int(),
  fixture_checksum: z.string().optional(),
  fixture_document: z.record(z.string(), z.unknown()).optional(),
  profile: z.enum(profileNames).optional(),
  rate_limit: wholeNumber(0, 1_000_000).optional(),
  checksum: z.string(),
});

/** More than there will be, and few enough to count on from. */
const count = wholeNumber(0, 2 ** 50, "a whole number of 0 or more");

const line = z.string().regex(/^[\x20-\x7e…]*$/, { error: "a line of printable text" });
const faultId = z.string().regex(/^[\w-]{1,100}$/, { error: "the id of a fault" });
const runId = z.string().regex(/^run-\d{1,16}$/, { error: "the id of a run, such as run-1" });

const origin = z.strictObject({ run: runId, step: count }).nullable().optional();
const dated = { date: instant, origin, sequence: count };
const ofInvestment = { ...dated, investment_id: uuid };

function ofPart(attributes: z.ZodObject) {
  return { ...ofInvestment, id: uuid, attributes: attributes.partial() };
}

const newInvestment = completedInvestment.extend({
  offering_id: uuid,
  // 0 stands for the next one of the offering.
  investment_number: z.union([z.literal(0), completedInvestment.shape.investment_number]),
});

const environmentKey = keyRecord.extend({ alias: alias.optional(), offering_id: uuid });

const fault = z.strictObject({ id: faultId, rule: keptFault, from: instant, until: instant.nullable() });

const change = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({
      kind: z.literal("offering"),
      ...dated,
      offering_id: uuid,
      attributes: offeringAttributes.partial(),
    }),
    z.strictObject({ kind: z.literal("new_investment"), ...dated, investment: newInvestment }),
    z.strictObject({
      kind: z.literal("investment"),
      ...ofInvestment,
      attributes: investmentAttributes.omit({ id: true }).extend({ broker: uuid.nullable() }).partial(),
    }),
    z.strictObject({ kind: z.literal("investor"), ...ofPart(investorAttributes) }),
    z.strictObject({ kind: z.literal("signing_party"), ...ofPart(signingPartyAttributes) }),
    z.strictObject({ kind: z.literal("payment"), ...ofPart(paymentAttributes) }),
    z.strictObject({ kind: z.literal("new_payment"), ...ofInvestment, payment: completedPayment }),
    z.strictObject({ kind: z.literal("event"), ...ofInvestment, event: completedEvent }),
    z.strictObject({ kind: z.literal("new_key"), ...dated, key: environmentKey }),
    z.strictObject({
      kind: z.literal("key"),
      ...dated,
      key_id: uuid,
      attributes: z.strictObject({ revoke_date: instant.nullable() }),
    }),
    z.strictObject({ kind: z.literal("new_fault"), ...dated, fault }),
  ],
  { error: "the kind of a change" },
);

const track = z.strictObject({
  investment_id: uuid,
  start: instant,
  dues: z.array(instant.nullable()),
  payments: z.record(alias, uuid),
  reads: count,
});

const run = z.strictObject({
  id: runId,
  // As a file has it: `checkScenario` reads it.
  scenario: z.unknown(),
  offering_id: uuid,
  start: instant,
  investment_id: uuid.nullable(),
  tracks: z.array(track),
  stopped: z.boolean(),
  problem: z.string().nullable(),
});

const keyUse = z.strictObject({
  key_id: uuid,
  requests: z.array(z.strictObject({ ago: wholeNumber(0, windowLength).nullable(), count })),
});

/** Members that came later than the format may be missing. */
const journalEntry = z.strictObject({
  id: count,
  date: instant,
  method: z.string().regex(/^[A-Z-]{1,40}$/, { error: "a method, such as GET" }),
  path: line,
  // 0 stood for no answer.
  status: wholeNumber(0, 599).nullable(),
  connection: z.enum(["reset", "empty"]).nullish(),
  code: z.enum(Object.keys(errorCatalogue)).nullish(),
  milliseconds: z.number().nonnegative(),
  key_id: uuid.nullable(),
  key_label: keyRecord.shape.label.nullish(),
  environment: z.string().nullable(),
  hints: z.array(line),
  fault_id: faultId.nullable(),
  operation: z.enum(operations.map(({ id }) => id)).nullish(),
  key_type: keyRecord.shape.type.nullish(),
  offering_id: uuid.nullish(),
  investment_id: uuid.nullish(),
  assumptions: z.array(z.enum(catalogue.map(({ id }) => id))).optional(),
  page: count.nullish(),
  size: count.nullish(),
  shown: count.nullish(),
  total: count.nullish(),
  retry_after_seconds: count.nullish(),
});

const journal = z
  .strictObject({ data: z.array(journalEntry), dropped: count, last: count })
  .refine(
    ({ data, dropped, last }) =>
      data.length + dropped <= last && data.every(({ id }, index) => id === last - data.length + 1 + index),
    { error: "entries whose ids count up to `last`" },
  );

const calibrated = z.strictObject({
  date: z.iso.date(),
  host: z.string().regex(/^[\w.:[\]-]{1,300}$/, { error: "the name of a host" }),
  confidence: z.partialRecord(z.enum(catalogue.map(({ id }) => id)), z.enum(confidences)),
  values: z.record(z.string(), z.unknown()),
});

/** All days of the years 0000 to 9999. */
const longestMove = 3_652_425;

/** The other members. Those that are optional came later than the format. */
export const contentSchema = z.strictObject({
  clock: z.strictObject({ now: wholeNumber(firstInstant, lastInstant), speed: z.number().min(0).max(maxSpeed) }),
  days: wholeNumber(-longestMove, longestMove).optional(),
  keys: z.array(environmentKey).optional(),
  assumptions: z.record(z.string(), z.unknown()),
  calibrated: calibrated.optional(),
  changes: z.array(change),
  issued: count,
  creations: count.optional(),
  runs: z.array(run),
  fault_uses: z.record(faultId, count),
  fault_matches: z.record(faultId, count).optional(),
  limits: z.array(keyUse).optional(),
  journal: journal.optional(),
  answers: count.optional(),
});
