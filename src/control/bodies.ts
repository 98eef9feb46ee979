import { z } from "zod";
import { smallInvestment } from "../fixture/schema.ts";
import { faultRule, investmentAttributes, uuid } from "../model/schemas.ts";
import type { KeyType } from "../model/vocabulary.ts";
import type { EnvironmentOptions } from "../options.ts";
import { environmentSettings } from "../settings/environment-settings.ts";
import { clockSpeed } from "../settings/kinds.ts";
import type { Setting } from "../settings/settings.ts";
import { inSnakeCase } from "../settings/values.ts";

/*
 * The schemas of the admin API's bodies. They check members and types only. The commands check values, so that a mistake
 * reads the same in process and over HTTP.
 */

/** Creates the schema of a text whose values the command checks. */
function text<Value extends string = string>(description: string) {
  return z.string().meta({ description }) as unknown as z.ZodType<Value>;
}

const instant = "An instant, such as 2026-01-15T12:00:00.000Z";
const duration = "A duration, such as 90s, 1h30m, 2d or PT1H; a number is milliseconds.";
const seconds = "Seconds of the clock in one real second: 1 real time, 0 frozen.";

/** One member for each setting of an environment; names and values are checked when it is opened. */
const environmentOptions = z.strictObject(
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

const clockSetting = z.strictObject({
  now: text(`${instant}.`).optional(),
  speed: (z.unknown() as z.ZodType<number | undefined>).meta({ ...clockSpeed.schema, description: seconds }).optional(),
});

const clockStep = z
  .strictObject({
    by: z.union([z.string(), z.number()], { error: "a duration" }).optional().meta({ description: duration }),
    to: text(`${instant}.`).optional(),
  })
  .refine(({ by, to }) => (by === undefined) !== (to === undefined), {
    error: `one of "by", a duration, and "to", an instant`,
  });

const keyOrder = z.strictObject({
  type: text<KeyType>("marketing or partner."),
  offering_id: text("The id or the alias of an offering. Left out: the first offering.").optional(),
  label: text("A name of your own.").optional(),
});

const subject = {
  offering_id: text("The id or the alias of an offering.").optional(),
  investment_id: text("The id or the alias of an investment.").optional(),
};

const scenarioDocument = z.looseObject({}).meta({ description: "The content of a scenario file." });

const playOrder = z.strictObject({
  scenario: z
    .union([z.string(), scenarioDocument], { error: "the name of a scenario, or a scenario" })
    .meta({ description: "The name of a scenario, or the content of a scenario file." }),
  ...subject,
});

export const newInvestment = smallInvestment.extend({
  offering_id: text("The alias or the id of an offering. Left out: the first offering.").optional(),
});

export const investmentChange = investmentAttributes
  .omit({ id: true })
  .partial()
  .extend({ broker: uuid.nullable().optional() });

const eventOrder = z.strictObject({
  event: text("Kind of event."),
  action: text("The action within that kind."),
  description: z.string().nullable().optional().meta({ description: "Left out: null." }),
});

const limitSetting = z.strictObject({ used: z.number().meta({ description: "Number of requests used." }) });

const assumptionChanges = z.record(z.string(), z.unknown()).meta({ description: "Values by the ids of assumptions." });

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
  KeyOrder: { schema: keyOrder, whole: "the key" },
  ScenarioDocument: { schema: scenarioDocument, whole: "the scenario" },
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
