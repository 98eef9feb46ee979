import { z } from "zod";
import { profileNames } from "../assumptions/assume.ts";
import { confidences } from "../assumptions/calibration.ts";
import { catalogue } from "../assumptions/catalogue.ts";
import type { JournalEntry, Snapshot } from "../control.ts";
import { errorCatalogue } from "../errors/http-error.ts";
import { alias, completedEvent, completedInvestment, completedPayment, smallInvestment } from "../fixture/schema.ts";
import { bounds } from "../model/bounds.ts";
import type { Change, Effect, EffectKind, Fault } from "../model/change.ts";
import { keptFault } from "../model/fault-schema.ts";
import { firstInstant, lastInstant } from "../model/instant.ts";
import { operations } from "../model/operations.ts";
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
import { maxSpeed } from "../settings/kinds.ts";
import type { WholeContent } from "./environment-content.ts";
import { windowLength } from "./limits.ts";
import type { Run, Track } from "./run.ts";

/* The schemas of snapshots. Apart, because zod loads late. Each names every member of a type: the compiler reports a missing one. */

type SchemasOf<Type> = Readonly<Record<keyof Type, z.ZodType>>;

/** More than there will be, and few enough to count on from. */
const count = wholeNumber(0, 2 ** 50);

const line = z.string().regex(/^[\x20-\x7e…]*$/, { error: "a line of printable text" });
const faultId = z.string().regex(/^[\w-]{1,100}$/, { error: "the id of a fault" });
const runId = z.string().regex(/^run-\d{1,16}$/, { error: "the id of a run, such as run-1" });
const assumptionId = z.enum(catalogue.map(({ id }) => id));

const createdInvestment = completedInvestment.extend({
  offering_id: uuid,
  // In a snapshot of 1.0.0, 0 stands for the next one of the offering.
  investment_number: z.union([z.literal(0), completedInvestment.shape.investment_number]),
});

const environmentKey = keyRecord.extend({ alias: alias.optional(), offering_id: uuid });

const fault = z.strictObject({
  id: faultId,
  rule: keptFault,
  from: instant,
  until: instant.nullable(),
} satisfies SchemasOf<Fault>);

const investmentReference = { investment_id: uuid };

function ofPart(attributes: z.ZodObject) {
  return { ...investmentReference, id: uuid, attributes: attributes.partial() };
}

/** The members of each kind of change. */
const effects = {
  offering: { offering_id: uuid, attributes: offeringAttributes.partial() },
  new_investment: { investment: createdInvestment, written: smallInvestment.optional() },
  investment: {
    ...investmentReference,
    attributes: investmentAttributes.omit({ id: true }).extend({ broker: uuid.nullable() }).partial(),
  },
  investor: ofPart(investorAttributes),
  signing_party: ofPart(signingPartyAttributes),
  payment: ofPart(paymentAttributes),
  new_payment: { ...investmentReference, payment: completedPayment },
  event: { ...investmentReference, event: completedEvent },
  new_key: { key: environmentKey },
  key: { key_id: uuid, attributes: z.strictObject({ revoke_date: instant.nullable() }) },
  new_fault: { fault },
} satisfies { readonly [Kind in EffectKind]: SchemasOf<Omit<Effect<Kind>, "kind">> };

const dated = {
  date: instant,
  origin: z.strictObject({ run: runId, step: count }).nullable().optional(),
  sequence: count,
} satisfies SchemasOf<Omit<Change, "kind">>;

const changes = Object.entries(effects).map(([kind, members]) =>
  z.strictObject({ kind: z.literal(kind), ...dated, ...members }),
);

const track = z.strictObject({
  investment_id: uuid,
  start: instant,
  dues: z.array(instant.nullable()),
  payments: z.record(alias, uuid),
  reads: count,
} satisfies SchemasOf<Track>);

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
} satisfies SchemasOf<Run>);

const keyUse = z.strictObject({
  key_id: uuid,
  requests: z.array(z.strictObject({ ago: wholeNumber(0, windowLength).nullable(), count })),
});

const journalEntry = z.strictObject({
  id: count,
  date: instant,
  recorded_at: instant,
  elapsed_ms: count,
  as_of: count,
  sent_after: count,
  connection_id: count.nullable().default(null),
  from_portal: z.boolean().default(false),
  digest: z
    .string()
    .regex(/^[\da-f]{16}$/, { error: "16 hexadecimal digits" })
    .nullable(),
  method: z.string().regex(/^[A-Z-]{1,40}$/, { error: "a method, such as GET" }),
  path: z.string().regex(/^\/[\x20-\x7e…]*$/, { error: "a path" }),
  status: wholeNumber(100, 599).nullable(),
  connection: z.enum(["reset", "empty", "truncated"]).nullable(),
  code: z.enum(Object.keys(errorCatalogue)).nullable(),
  milliseconds: z.number().nonnegative(),
  key_id: uuid.nullable(),
  key_label: keyRecord.shape.label,
  environment: z.string().nullable(),
  hints: z.array(line),
  fault_id: faultId.nullable(),
  operation: z.enum(operations.map(({ id }) => id)).nullable(),
  key_type: keyRecord.shape.type.nullable(),
  offering_id: uuid.nullable(),
  investment_id: uuid.nullable(),
  assumptions: z.array(assumptionId),
  page: count.nullable(),
  size: count.nullable(),
  shown: count.nullable(),
  total: count.nullable(),
  retry_after_seconds: count.nullable(),
} satisfies SchemasOf<JournalEntry>);

const journal = z
  .strictObject({
    // Counted first: entries without number would hold the server.
    data: z
      .array(z.unknown())
      .max(bounds.journal, { error: `at most ${bounds.journal} requests` })
      .pipe(z.array(journalEntry)),
    dropped: count,
    last: count,
    assumed: z.array(z.strictObject({ last: count, values: z.record(z.string(), z.unknown()) })).optional(),
  })
  .refine(
    ({ data, dropped, last }) =>
      data.length + dropped <= last && data.every(({ id }, index) => id === last - data.length + 1 + index),
    { error: "entries whose ids count up to `last`" },
  );

const calibrated = z.strictObject({
  date: z.iso.date(),
  host: z.string().regex(/^[\w.:[\]-]{1,300}$/, { error: "the name of a host" }),
  confidence: z.partialRecord(assumptionId, z.enum(confidences)),
  values: z.record(z.string(), z.unknown()),
});

const varied = z.strictObject({
  seed: z.string().regex(/^[\da-z]{8}\.[\da-z]{2}$/, { error: "a seed" }),
  values: z.record(z.string(), z.unknown()),
});

/** All days of the years 0000 to 9999. */
const longestMove = 3_652_425;

const content = {
  clock: z.strictObject({ now: wholeNumber(firstInstant, lastInstant), speed: z.number().min(0).max(maxSpeed) }),
  days: wholeNumber(-longestMove, longestMove),
  keys: z.array(environmentKey),
  assumptions: z.record(z.string(), z.unknown()),
  calibrated: calibrated.optional(),
  varied: varied.optional(),
  changes: z.array(
    z.discriminatedUnion("kind", changes as [(typeof changes)[number]], { error: "the kind of a change" }),
  ),
  issued: count,
  creations: count,
  runs: z.array(run),
  fault_uses: z.record(faultId, count),
  fault_matches: z.record(faultId, count),
  limits: z.array(keyUse),
  journal,
  answers: count,
} satisfies SchemasOf<WholeContent>;

/** The members by which a snapshot is told from any other document. */
export const snapshotHead = z.looseObject({
  format: z.literal("offering-sandbox-environment" satisfies Snapshot["format"]),
  version: z.literal(2 satisfies Snapshot["version"]),
  program: z.string().regex(/^\d{1,5}\.[\w.+-]{1,50}$/, { error: "a version of offering-sandbox" }),
  checksum: z.string(),
});

export const snapshotSchema = z.strictObject({
  ...snapshotHead.shape,
  environment: z.string(),
  fixture: z.string(),
  seed: z.int(),
  fixture_checksum: z.string(),
  fixture_document: z.record(z.string(), z.unknown()).nullable().optional(),
  profile: z.enum(profileNames),
  rate_limit: wholeNumber(0, 1_000_000),
  ...content,
});
