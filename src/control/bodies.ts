import { z } from "zod";
import { profileNames, catalog } from "../assumptions/catalog.ts";
import type { PreviewRequest } from "../public/control.ts";
import { smallInvestment } from "../fixture/schema.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { faultRule } from "../model/fault-schema.ts";
import { instantSchema } from "../time/instant.ts";
import { isMembers } from "../validation/members.ts";
import {
  duration,
  eventWord,
  investmentAttributes,
  investorAttributes,
  label,
  objectLike,
  paymentAttributes,
  signingPartyAttributes,
  text,
  uuid,
  wholeNumber,
  written,
  writtenInstant,
} from "../model/schemas.ts";
import { parseShape } from "../validation/shape-errors.ts";
import { investmentDocuments, keyTypes } from "../model/vocabulary.ts";
import type { EnvironmentOptions } from "../public/options.ts";
import { environmentMembers } from "../settings/environment-settings.ts";
import { clockAhead, clockAnywhere, clockSpeed, type ValueKind } from "../settings/kinds.ts";
import { formatDefault, type Setting } from "../settings/settings.ts";

/* The schemas of the bodies of operations. Each body is checked once, in process and over HTTP. */

/** Creates the schema of a string that the handler checks, because its values depend on the environment. */
function textSchema(description: string, defaultText?: string) {
  return z.string().meta({ description, ...(defaultText !== undefined && { "x-default": defaultText }) });
}

const instantDescription = `${instantSchema.description} Or "now" for the machine's, or "fixture" for the fixture's own.`;
const speedDescription = "Seconds of the clock in one real second: 1 real time, 0 paused.";

/** Creates the schema of an instant, or of a word for an instant. */
function clockInstant(kind: ValueKind<string>, description: string) {
  const instant = z.unknown() as z.ZodType<string>;
  const refusal = { error: kind.expected, params: { names: kind.suggestions } };
  return instant.refine((value) => kind.accepts(value), refusal).meta({ type: "string", description });
}

/** Creates the schema of an object; refusals show the example. */
function objectOf<Shape extends z.core.$ZodLooseShape>(example: string, shape: Shape) {
  return z.strictObject(shape, objectLike(example));
}

/** One member for each setting of an environment; names and values are checked when it is opened. */
const environmentOptions = objectOf(
  `{ clock: "2026-01-15T12:00:00Z" }`,
  Object.fromEntries(
    Object.entries<Setting>(environmentMembers).map(([name, setting]) => {
      const { kind, help: description } = setting;
      return [
        name,
        z
          .unknown()
          .meta({ ...kind.schema, description, "x-default": formatDefault(setting) })
          .optional(),
      ];
    }),
  ),
) as unknown as z.ZodType<EnvironmentOptions>;

const subject = {
  offering_id: textSchema("The id or the alias of an offering.").optional(),
  investment_id: textSchema("The id or the alias of an investment.").optional(),
};

/** The subject of a clock step: the changes of one resource or run, or all changes. */
const stepSubject = { ...subject, run: textSchema("The id of a run.").optional() };

const ifAny = z.boolean().optional().meta({
  description: "Whether the clock stays as it is if there is no such change, in place of a conflict.",
  "x-default": "false",
});

const clockSetting = objectOf(`{ now: "2026-01-15T12:00:00Z", speed: 0 }`, {
  now: clockInstant(clockAnywhere, `${instantDescription} Or "previous", to undo the last applied change.`).optional(),
  speed: (z.unknown() as z.ZodType<number | undefined>)
    .meta({ ...clockSpeed.schema, description: speedDescription })
    .optional(),
  if_any: ifAny,
  ...stepSubject,
});

const clockStep = z
  .strictObject({
    by: duration.optional(),
    to: clockInstant(clockAhead, `${instantDescription} Or "next" for that of the next change.`).optional(),
    if_any: ifAny,
    ...stepSubject,
  })
  .refine(({ by, to }) => (by === undefined) !== (to === undefined), {
    error: `one of "by", a duration, and "to", an instant`,
  })
  .meta({ oneOf: [{ required: ["by"] }, { required: ["to"] }] });

const undoOptions = objectOf(`{ investment_id: "<id>" }`, {
  last: textSchema(
    "The instant to which the move set the clock, or the id of the investment.",
    "the last action",
  ).optional(),
  ...stepSubject,
});

const previewPathExpected =
  'a path and a query, from the origin or below the base address, such as "/investments/<id>?page=1", in ASCII without spaces or "#"';

const previewBody = objectOf(`{ path: "/investments/<id>", key_id: "<id, or null>" }`, {
  // No client can send other paths: a fragment is never sent, and a request line is ASCII without spaces.
  path: z
    .string()
    .regex(/^\/[!"$-~]*$/, { error: previewPathExpected, abort: true })
    .max(8000, { error: "a path and a query with few characters, 8000 at most" })
    .meta({
      description: "Path and query, from the origin or below the base address: /investments/…?page=1.",
    }),
  key_id: z
    .unknown()
    .refine((key) => typeof key === "string" || key === null, { error: "a string or null" })
    .meta({
      type: ["string", "null"],
      description: "The id, alias, label or secret of a key; null for a call without one.",
    }),
}) as unknown as z.ZodType<PreviewRequest>;

const comparisonBody = objectOf(`{ investment_id: "<id>", document: "status" }`, {
  ...subject,
  document: z.enum(investmentDocuments).optional().meta({
    description: "The document of an investment.",
    "x-default": "investment",
  }),
  key_ids: z.array(z.string()).max(100, { error: "a list of 100 keys at most" }).optional().meta({
    description: "Ids, aliases, labels or secrets of keys.",
    "x-default": "the oldest active key of each type for the offering, partner first",
  }),
})
  .refine(({ offering_id, investment_id }) => (offering_id === undefined) !== (investment_id === undefined), {
    error: `one of "offering_id" and "investment_id"`,
  })
  .refine(({ offering_id, document }) => offering_id === undefined || document === undefined, {
    error: `"document" next to "investment_id" alone`,
  })
  .meta({
    oneOf: [{ required: ["investment_id"] }, { required: ["offering_id"], not: { required: ["document"] } }],
  });

const keyBody = objectOf(`{ type: "partner", offering_id: "aurora" }`, {
  type: z.enum(keyTypes).meta({ description: "marketing or partner." }),
  offering_id: textSchema("The id or the alias of an offering.", "the first offering").optional(),
  label: label.optional().meta({ description: "A name for people." }),
});

const recordBody = objectOf(`{ investment_id: "at-signers" }`, {
  from: writtenInstant.optional().meta({ description: "Only changes at this instant and later." }),
  investment_id: subject.investment_id.meta({
    description: "The id or the alias of an investment.",
    "x-default": "the only investment with manual changes",
  }),
  name: label.optional().meta({ description: "The name of the scenario.", "x-default": "recorded" }),
});

const scenarioContent = z.looseObject({}).meta({
  description: "The content of a scenario file, as schema/scenario.schema.json and the tool checkScenario describe it.",
});

const playBody = objectOf(`{ offering_id: "aurora" }`, {
  scenario: z
    .union([z.string(), scenarioContent], { error: "the name of a scenario, or a scenario" })
    .meta({ description: "The name of a scenario, or the content of a scenario file." }),
  ...subject,
});

const investmentBody = smallInvestment.extend({
  offering_id: textSchema("The alias or the id of an offering.", "the first offering").optional(),
});

/** Creates the schema of changes of an investment's investors, signing parties or payments, each with its id. */
function childChanges<Shape extends z.core.$ZodLooseShape>(noun: string, attributes: z.ZodObject<Shape>) {
  const id = z.string({ error: `the id of ${noun} of the investment` });
  const change = z.strictObject(written(attributes.shape)).partial().extend({ id });
  return z
    .array(change)
    .max(inputLimits.listed, { error: `at most ${inputLimits.listed} items` })
    .optional()
    .meta({ description: `Each with the id of ${noun}, and the members to change.` });
}

const investmentChange = z
  .strictObject(written(investmentAttributes.shape))
  .omit({ id: true })
  .partial()
  .extend({
    broker: uuid.nullable().optional(),
    investors: childChanges("an investor", investorAttributes),
    signing_parties: childChanges("a signing party", signingPartyAttributes),
    payments: childChanges("a payment", paymentAttributes),
  });

const eventBody = objectOf(`{ event: "PAYMENT", action: "APPROVED" }`, {
  event: eventWord("PAYMENT").meta({ description: "Kind of event." }),
  action: eventWord("SUBMITTED").meta({ description: "The action within that kind." }),
  description: text.nullable().optional().meta({ description: "What happened, in words.", "x-default": "null" }),
});

const limitSetting = objectOf(`{ used: 120 }`, {
  used: wholeNumber(0, 1_000_000)
    .optional()
    .meta({ description: "Number of requests used.", "x-default": "the limit" }),
});

/** The schema of any object. `z.record` would remove a member `__proto__`. */
const assumptionValues = (z.unknown() as z.ZodType<Readonly<Record<string, unknown>>>)
  .refine(isMembers, { error: "an object of values by id" })
  .meta({
    type: "object",
    propertyNames: { enum: catalog.map(({ id }) => id) },
    additionalProperties: {},
    description: "Values by the ids of assumptions.",
  });

const snapshotBody = z
  // `readDocument` refuses another version by the name of the program that opens it.
  .looseObject({ format: z.literal("offering-sandbox-environment"), version: z.number().meta({ const: 3 }) })
  .meta({ description: "An environment as one document; its other members are for restoring only." });

const replayBody = objectOf(`{ profile: "minimal" }`, {
  snapshot: snapshotBody
    .optional()
    .meta({ description: "A snapshot; not with a view token.", "x-default": "the environment as it is" }),
  profile: z.enum(profileNames).optional().meta({ description: "In place of the assumptions at each request." }),
  assumptions: assumptionValues.optional(),
  responses: z.boolean().optional().meta({ description: "Whether each entry has its response.", "x-default": "false" }),
});

/** The schemas of bodies, by the names in the table of operations. */
export const bodies = {
  EnvironmentOptions: environmentOptions,
  ClockSetting: clockSetting,
  ClockStep: clockStep,
  UndoOptions: undoOptions,
  PreviewRequest: previewBody,
  ComparisonRequest: comparisonBody,
  NewKey: keyBody,
  ScenarioDocument: scenarioContent,
  PlayOptions: playBody,
  RecordOptions: recordBody,
  NewInvestment: investmentBody,
  InvestmentChange: investmentChange,
  NewEvent: eventBody,
  FaultRule: faultRule,
  LimitSetting: limitSetting,
  AssumptionChanges: assumptionValues,
  ReplayOptions: replayBody,
  Snapshot: snapshotBody,
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type BodyName = keyof typeof bodies;

export type BodyValue<Name extends BodyName> = z.infer<(typeof bodies)[Name]>;

/** Checks a body against its schema. Throws ValidationError with every error; `noun` names the body. */
export function checkedBody(name: BodyName, body: unknown, noun: string): unknown {
  return parseShape(bodies[name], body, noun);
}
