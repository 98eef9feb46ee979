import { z } from "zod";
import { profileNames } from "../assumptions/assume.ts";
import { catalogue } from "../assumptions/catalogue.ts";
import { bodies, snapshot } from "../control/bodies.ts";
import { controlErrorCodes } from "../errors/control-error.ts";
import {
  eventMembers,
  faultMembers,
  instant,
  investmentAttributes,
  investorAttributes,
  paymentAttributes,
  signingPartyAttributes,
  uuid,
} from "../model/schemas.ts";
import { keyTypes } from "../model/vocabulary.ts";

/*
 * What the admin API answers with: the shapes of `src/control.ts`, to which a test holds them.
 */

const named = { alias: z.string().optional(), id: uuid };
const countFromZero = z.int().min(0);
const environmentId = z.string().regex(/^[\w-]{1,64}$/);

const clock = z.strictObject({
  now: instant,
  speed: z.number().min(0).meta({ description: "Seconds of the clock in one real second: 1 real time, 0 frozen." }),
});

const change = z
  .looseObject({
    date: instant,
    sequence: z.int(),
    run: z.string().nullable().meta({ description: "The run that put it there; null for a command." }),
    kind: z.string(),
  })
  .meta({ description: "One dated fact of a timeline." });

const offering = z.strictObject({
  id: uuid,
  name: z.string(),
  alias: z.string().nullable(),
  investments: countFromZero.meta({ description: "How many investments it has now." }),
});

const key = z.strictObject({
  id: uuid,
  key: z.string().meta({ description: "The secret." }),
  type: z.enum(keyTypes),
  offering_id: uuid,
  environment: environmentId,
  status: z.enum(["active", "revoked"]),
  label: z.string().nullable(),
  create_date: instant,
  revoke_date: instant.nullable(),
});

const runStep = z.strictObject({
  index: countFromZero.meta({ description: "The step's place in the scenario, from 0." }),
  investment_id: uuid,
  status: z.enum(["done", "scheduled", "waiting", "pending", "stopped"]),
  due: instant.nullable().meta({ description: "When it happens or happened; null while that is not known." }),
});

const run = z.strictObject({
  id: z.string(),
  scenario: z.string(),
  status: z.enum(["running", "waiting", "finished", "stopped"]),
  problem: z.string().nullable().meta({ description: "Why it stopped by itself; null while all is well." }),
  investment_ids: z.array(uuid).meta({ description: "One for each repetition." }),
  steps: z.array(runStep),
});

const scenario = z.strictObject({
  name: z.string(),
  description: z.string(),
  steps: countFromZero.meta({ description: "How many steps it has." }),
});

const environment = z.strictObject({
  id: environmentId,
  fixture: z.string(),
  create_date: instant,
  clock,
  profile: z.enum(profileNames),
  rate_limit: countFromZero.meta({ description: "Requests a minute a key; 0 is off." }),
  offerings: z.array(offering),
  keys: z.array(key),
  runs: z.array(run),
});

const foundMistake = z.strictObject({ line: z.int().min(1), column: z.int().min(1), message: z.string() });

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
  .meta({ description: "An investment with all that belongs to it, before a key type decides what is shown." });

const request = z.strictObject({
  id: z.int().min(1).meta({ description: "Counts up from 1." }),
  date: instant,
  method: z.string(),
  path: z.string().meta({ description: "With everything left out that could be a secret." }),
  status: countFromZero.meta({ description: "0 where the connection ended without an answer." }),
  milliseconds: z.number(),
  key_id: uuid.nullable(),
  environment: environmentId.nullable(),
  hints: z.array(z.string()),
  fault_id: z.string().nullable().meta({ description: "The fault that met it, if one did." }),
});

const fault = faultMembers.extend({
  id: z.string(),
  used: countFromZero.meta({ description: "How many requests it has met." }),
  active: z.boolean(),
  from: instant.nullable(),
  until: instant.nullable(),
});

const limit = z.strictObject({
  key_id: uuid,
  used: countFromZero,
  limit: countFromZero.meta({ description: "Requests a minute; 0 is off." }),
  resets_in_seconds: countFromZero.meta({
    description: "Seconds of real time until the window ends; 0 when none is open.",
  }),
});

const assumption = z.strictObject({
  id: z.enum(catalogue.map(({ id }) => id)),
  question: z.string(),
  section: z.string().meta({ description: "The section of the specification that leaves it open." }),
  value: z.union([z.string(), z.number()]).meta({ description: "The one in force." }),
  values: z.record(z.string(), z.string()).meta({ description: "Each value that can be set, with what it means." }),
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

/** The shapes of answers, by name. */
export const answerSchemas = {
  Health: z.strictObject({ status: z.literal("ok"), version: z.string(), uptime_seconds: countFromZero }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  Environment: environment,
  EnvironmentList: listOf(environment),
  Offering: offering,
  Clock: clock,
  ClockAdvance: clock.extend({ applied: z.array(change).meta({ description: "What happened on the way, in order." }) }),
  Change: change,
  ChangeList: listOf(change),
  Key: key,
  KeyList: listOf(key),
  Scenario: scenario,
  ScenarioList: listOf(scenario),
  ScenarioCheck: z.strictObject({
    valid: z.boolean(),
    mistakes: z.array(foundMistake),
    warnings: z.array(foundMistake),
  }),
  FoundMistake: foundMistake,
  Run: run,
  RunList: listOf(run),
  RunStep: runStep,
  Investment: investment,
  Event: z.strictObject({ id: uuid, ...eventMembers.shape }),
  Request: request,
  RequestList: z.strictObject({
    data: z.array(request).meta({ description: "Oldest first." }),
    dropped: countFromZero.meta({ description: "How many older ones were dropped to keep the journal bounded." }),
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

export type SchemaName = keyof typeof answerSchemas;

/** Every named schema, as JSON Schema 2020-12, each referring to the others by name. */
export function namedSchemas(): Record<string, object> {
  const registry = z.registry<{ readonly id: string }>();
  const all: [string, z.ZodType][] = [
    ...Object.entries(answerSchemas),
    ...Object.entries(bodies).map(([name, { schema }]): [string, z.ZodType] => [name, schema]),
  ];
  for (const [id, schema] of all) if (!registry.has(schema)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: schemaPath, target: "draft-2020-12" });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** Where in the document the schema of this name is. */
export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}
