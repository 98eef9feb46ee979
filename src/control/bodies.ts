import { z } from "zod";
import { catalogue } from "../assumptions/catalogue.ts";
import type { PreviewOrder } from "../control.ts";
import { smallInvestment } from "../fixture/schema.ts";
import { instantSchema } from "../model/instant.ts";
import { type examples, expectedObject } from "../model/members.ts";
import { faultRule } from "../model/fault-schema.ts";
import { duration, investmentAttributes, uuid, written } from "../model/schemas.ts";
import { type KeyType, keyTypes } from "../model/vocabulary.ts";
import type { EnvironmentOptions } from "../options.ts";
import { environmentSettings } from "../settings/environment-settings.ts";
import { clockSpeed } from "../settings/kinds.ts";
import type { Setting } from "../settings/settings.ts";
import { inSnakeCase } from "../settings/values.ts";
import { previewedPath } from "./preview.ts";

/*
 * The schemas of the admin API's bodies. They check members and types only. The commands check values, so that a mistake
 * reads the same in process and over HTTP.
 */

/** Creates the schema of a text whose values the command checks. */
function text<Value extends string = string>(description: string) {
  return z.string().meta({ description }) as unknown as z.ZodType<Value>;
}

/** Creates the schema of a value that the command checks, its type too. */
function given<Value = unknown>(schema: Readonly<Record<string, unknown>>): z.ZodType<Value> {
  return (z.unknown() as z.ZodType<Value>).meta(schema);
}

const instant = `${instantSchema.description} Or "now" for the machine's, or "fixture" for the fixture's own.`;
const seconds = "Seconds of the clock in one real second: 1 real time, 0 frozen.";

/** Creates the schema of an object, whose example a refusal shows. */
function objectOf<Shape extends z.core.$ZodLooseShape>(whole: keyof typeof examples, shape: Shape) {
  const error = ({ code }: { readonly code?: string }) => (code === "invalid_type" ? expectedObject(whole) : undefined);
  return z.strictObject(shape, { error });
}

/** One member for each setting of an environment; names and values are checked when it is opened. */
const environmentOptions = objectOf(
  "the environment",
  Object.fromEntries(
    Object.entries<Setting>(environmentSettings).map(([name, { kind, words, default: value, defaultInWords }]) => {
      const left = defaultInWords ?? String(value);
      return [
        inSnakeCase(name),
        z
          .unknown()
          .meta({ ...kind.schema, description: `${words} Left out: ${left}.` })
          .optional(),
      ];
    }),
  ),
) as unknown as z.ZodType<EnvironmentOptions>;

const clockSetting = objectOf("the clock", {
  now: text(`${instant} Or "previous", to take back the last applied change.`).optional(),
  speed: (z.unknown() as z.ZodType<number | undefined>).meta({ ...clockSpeed.schema, description: seconds }).optional(),
});

const clockStep = z
  .strictObject({
    by: duration.optional(),
    to: given<string>({ type: "string", description: `${instant} Or "next" for that of the next change.` }).optional(),
  })
  .refine(({ by, to }) => (by === undefined) !== (to === undefined), {
    error: `one of "by", a duration, and "to", an instant`,
  })
  .meta({ oneOf: [{ required: ["by"] }, { required: ["to"] }] });

const previewOrder = objectOf("the preview", {
  path: z
    .unknown()
    .refine((path) => typeof path === "string", { error: "text" })
    .meta({
      type: "string",
      ...previewedPath,
      description: "Path and query, from the origin or below the base address: /investments/…?page=1.",
    }),
  key_id: z
    .unknown()
    .refine((key) => typeof key === "string" || key === null, { error: "text or null" })
    .meta({
      type: ["string", "null"],
      description: "The id, alias, label or secret of a key; null for a call without one.",
    }),
}) as unknown as z.ZodType<PreviewOrder>;

const keyOrder = objectOf("the key", {
  type: text<KeyType>("marketing or partner.").meta({ enum: keyTypes }),
  offering_id: text("The id or the alias of an offering. Left out: the first offering.").optional(),
  label: text("A name of your own.").optional(),
});

const subject = {
  offering_id: text("The id or the alias of an offering.").optional(),
  investment_id: text("The id or the alias of an investment.").optional(),
};

const scenarioDocument = z.looseObject({}).meta({ description: "The content of a scenario file." });

const playOrder = objectOf("the order", {
  scenario: z
    .union([z.string(), scenarioDocument], { error: "the name of a scenario, or a scenario" })
    .meta({ description: "The name of a scenario, or the content of a scenario file." }),
  ...subject,
});

export const newInvestment = smallInvestment.extend({
  offering_id: text("The alias or the id of an offering. Left out: the first offering.").optional(),
});

export const investmentChange = z
  .strictObject(written(investmentAttributes.shape))
  .omit({ id: true })
  .partial()
  .extend({ broker: uuid.nullable().optional() });

const eventOrder = objectOf("the event", {
  event: text("Kind of event."),
  action: text("The action within that kind."),
  description: z.string().nullable().optional().meta({ description: "Left out: null." }),
});

const limitSetting = objectOf("the limit", { used: z.number().meta({ description: "Number of requests used." }) });

const assumptionChanges = z
  .record(z.string(), z.unknown())
  .meta({ description: "Values by the ids of assumptions.", propertyNames: { enum: catalogue.map(({ id }) => id) } });

export const snapshot = z
  .looseObject({ format: z.literal("offering-sandbox-environment"), version: z.literal(1) })
  .meta({ description: "An environment as one document; its other members are for restoring only." });

/** `whole` names the body in mistakes; left out where the command itself checks the shape. */
interface Body {
  readonly schema: z.ZodType;
  readonly whole?: string;
}

/** The schemas of bodies, by the names in the table of operations. */
export const bodies = {
  EnvironmentOptions: { schema: environmentOptions },
  ClockSetting: { schema: clockSetting, whole: "the clock" },
  ClockStep: { schema: clockStep, whole: "the advance" },
  PreviewOrder: { schema: previewOrder, whole: "the preview" },
  KeyOrder: { schema: keyOrder, whole: "the key" },
  ScenarioDocument: { schema: scenarioDocument },
  PlayOrder: { schema: playOrder, whole: "the order" },
  NewInvestment: { schema: newInvestment },
  InvestmentChange: { schema: investmentChange },
  EventOrder: { schema: eventOrder, whole: "the event" },
  FaultRule: { schema: faultRule },
  LimitSetting: { schema: limitSetting, whole: "the limit" },
  AssumptionChanges: { schema: assumptionChanges },
  Snapshot: { schema: snapshot },
} as const satisfies Readonly<Record<string, Body>>;

export type BodyName = keyof typeof bodies;

export type BodyValue<Name extends BodyName> = z.infer<(typeof bodies)[Name]["schema"]>;
