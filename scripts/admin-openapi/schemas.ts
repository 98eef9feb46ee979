import { z } from "zod";
import { profileNames } from "../../src/assumptions/assume.ts";
import { confidences } from "../../src/assumptions/calibration.ts";
import { textForms } from "../../src/assumptions/forms.ts";
import { catalogue } from "../../src/assumptions/catalogue.ts";
import { snapshot } from "../../src/control/bodies.ts";
import { controlErrorCodes } from "../../src/errors/control-error.ts";
import { faultMembers } from "../../src/model/fault-schema.ts";
import {
  eventMembers,
  instant,
  investmentAttributes,
  investorAttributes,
  paymentAttributes,
  signingPartyAttributes,
  uuid,
} from "../../src/model/schemas.ts";
import { keyTypes } from "../../src/model/vocabulary.ts";
import { countFromZero, environmentId, request } from "./request-schema.ts";
import { foundMistake, run, runDetail, runStep, scenario, scenarioCheck, scenarioDetail } from "./scenario-schemas.ts";
import { clock, timeSchemas } from "./time-schemas.ts";

/*
 * The answers of the admin API: the shapes of `src/control.ts`; a test compares the two.
 */

const named = { alias: z.string().optional(), id: uuid };

const offering = z.strictObject({
  id: uuid,
  name: z.string(),
  alias: z.string().nullable(),
  investments: countFromZero.meta({ description: "Number of investments now." }),
});

const offeringSummary = offering.extend({
  attributes: z.record(z.string(), z.unknown()).meta({ description: "In the form of the service, by name." }),
  statuses: z.record(z.string(), countFromZero).meta({ description: "Number of investments by status." }),
  steps: z
    .record(z.string(), countFromZero)
    .meta({ description: "Number of investments by step, where they have one." }),
  amount: z.number().meta({ description: "Sum over all investments." }),
  paid_amount: z.number().meta({ description: "Sum over all investments." }),
});

const previewedResponse = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string().meta({ description: "The text of the body." }),
});

const key = z.strictObject({
  id: uuid,
  key: z.string().meta({ description: "The secret." }),
  type: z.enum(keyTypes),
  offering_id: uuid,
  environment: environmentId,
  status: z.enum(["active", "revoked"]),
  effect: z.string().meta({ description: "What a call with it gets now, in words." }),
  alias: z.string().nullable(),
  label: z.string().nullable(),
  create_date: instant,
  revoke_date: instant.nullable(),
});

const environmentSummary = z.strictObject({
  id: environmentId,
  label: z.string().nullable(),
  fixture: z.string(),
  create_date: instant,
  clock,
  profile: z.enum(profileNames),
  rate_limit: countFromZero.meta({ description: "Requests a minute a key; 0 is off." }),
});

const firstSecret = z.string().nullable().meta({
  description: "The secret for the first offering when the environment was opened; null if there was none.",
});

const environment = environmentSummary.extend({
  base_url: z.string().meta({ description: "The base address of the service." }),
  marketing_key: firstSecret,
  partner_key: firstSecret,
  offerings: z.array(offering),
  keys: z.array(key),
  runs: z.array(run),
});

const example = z.strictObject({
  title: z.string(),
  status: z.int().meta({ description: "The status to expect." }),
  path: z.string().meta({ description: "The path below the base address." }),
  key: z.string().meta({ description: "The secret to send." }),
  curl: z.string().meta({ description: "The call as a shell command." }),
});

const investment = z
  .strictObject({
    ...named,
    ...investmentAttributes.shape,
    offering_id: uuid,
    broker: uuid.nullable(),
    investors: z.array(z.strictObject({ ...named, ...investorAttributes.shape })),
    signing_parties: z.array(z.strictObject({ ...named, ...signingPartyAttributes.shape })),
    payments: z.array(z.strictObject({ ...named, ...paymentAttributes.shape })),
    events: z.array(z.strictObject({ ...named, ...eventMembers.shape })),
  })
  .meta({
    description: "An investment with its investors, signing parties, payments and events; nothing is redacted.",
  });

const investmentSummary = z.strictObject({
  id: uuid,
  alias: z.string().nullable(),
  offering_id: uuid,
  number: z.int().meta({ description: "Its investment_number." }),
  status: z.string(),
  step: z.string().nullable(),
  amount: z.number(),
  create_date: instant,
  modify_date: instant,
  investors: z.array(z.strictObject({ name: z.string(), email: z.string() })),
});

const fault = faultMembers.extend({
  id: z.string(),
  used: countFromZero.meta({ description: "Number of requests it was applied to." }),
  active: z.boolean(),
  from: instant.nullable(),
  until: instant.nullable(),
});

const limit = z.strictObject({
  key_id: uuid,
  used: countFromZero,
  limit: countFromZero.meta({ description: "Requests a minute; 0 is off." }),
  resets_in_seconds: countFromZero.meta({
    description: "Seconds of real time until the window ends; 0 when no window is open.",
  }),
});

const assumption = z.strictObject({
  id: z.enum(catalogue.map(({ id }) => id)),
  question: z.string(),
  section: z.string().meta({ description: "The section of the specification that leaves the question open." }),
  value: z.union([z.string(), z.number()]).meta({ description: "The value in force." }),
  profile_value: z.union([z.string(), z.number()]).meta({ description: "The value of the environment's profile." }),
  values: z.record(z.string(), z.string()).meta({ description: "The meaning of each possible value." }),
  accepts: z
    .union([
      z.strictObject({ from: z.int(), to: z.int() }),
      z.enum(Object.keys(textForms) as (keyof typeof textForms)[]),
    ])
    .nullable()
    .meta({ description: "Values beyond these: whole numbers of a range, or texts of a form; null for none." }),
  source: z.enum(["profile", "set", "calibrated"]),
  confidence: z.enum(confidences).nullable().meta({ description: "Of the calibration; null without one." }),
  calibrated: z.string().nullable().meta({ description: "The day of the calibration; null without one." }),
  rested_on: countFromZero.meta({ description: "Number of requests in the journal whose responses rested on it." }),
});

const problem = z
  .strictObject({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: `Such as ${controlErrorCodes.join(", ")}.` }),
  })
  .meta({ description: "A problem document (RFC 9457)." });

function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ data: z.array(item) });
}

/** The schemas of answers, by the names in the table of operations. */
export const answerSchemas = {
  Health: z.strictObject({ status: z.literal("ok"), version: z.string(), uptime_seconds: countFromZero }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  Environment: environment,
  EnvironmentSummary: environmentSummary,
  EnvironmentList: listOf(z.union([environment, environmentSummary])),
  Example: example,
  ExampleList: listOf(example),
  Offering: offering,
  OfferingSummary: offeringSummary,
  OfferingSummaryList: listOf(offeringSummary),
  PreviewedResponse: previewedResponse,
  ...timeSchemas,
  Key: key,
  KeyList: listOf(key),
  Scenario: scenario,
  ScenarioList: listOf(scenario),
  ScenarioDetail: scenarioDetail,
  ScenarioCheck: scenarioCheck,
  FoundMistake: foundMistake,
  Run: run,
  RunDetail: runDetail,
  RunList: listOf(run),
  RunStep: runStep,
  Investment: investment,
  InvestmentSummary: investmentSummary,
  InvestmentPage: z.strictObject({
    data: z.array(investmentSummary),
    total: countFromZero.meta({ description: "Number of investments that pass the filter, on all pages." }),
    searched: z.array(z.string()).meta({ description: "The members that were searched; none without a search." }),
    preceding: countFromZero.meta({ description: "Number of them before the first of data." }),
    next: z.string().nullable().meta({ description: "Continues the list as after; null at its end." }),
    previous: z.string().nullable().meta({ description: "The page before, as before; null at the list's beginning." }),
  }),
  Event: z.strictObject({ id: uuid, ...eventMembers.shape }),
  Request: request,
  RequestList: z.strictObject({
    data: z.array(request).meta({ description: "Oldest first." }),
    dropped: countFromZero.meta({
      description: "Number of older requests that were dropped to keep the journal bounded.",
    }),
  }),
  RequestCount: z.strictObject({ count: countFromZero }),
  Fault: fault,
  FaultList: listOf(fault),
  Limit: limit,
  LimitList: listOf(limit),
  Assumption: assumption,
  AssumptionList: listOf(assumption),
  Snapshot: snapshot,
  Problem: problem,
} as const;
