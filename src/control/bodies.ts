import { z } from "zod";
import { sparseInvestment } from "../fixture/schema.ts";
import { faultRule, investmentAttributes, uuid } from "../model/schemas.ts";
import type { KeyType } from "../model/vocabulary.ts";
import type { EnvironmentOptions } from "../options.ts";
import { environmentSettings } from "../settings/environment-settings.ts";
import type { Setting } from "../settings/settings.ts";

/*
 * What the bodies of the admin API may hold. Whether a value will do is for the command to say, in the same words in
 * process and over HTTP; so these schemas ask for members and types, and tell of values in descriptions only.
 */

/** Text of which the command knows what it may be. */
function text<Value extends string = string>(description: string) {
  return z.string().meta({ description }) as unknown as z.ZodType<Value>;
}

const instant = "An instant, such as 2026-01-15T12:00:00.000Z";
const duration = "A duration, such as 90s, 1h30m, 2d or PT1H; a number is milliseconds.";
const seconds = "Seconds of the clock in one real second: 1 real time, 0 frozen.";

/** One member for each setting of an environment, whose values are checked when it is opened. */
const environmentOptions = z.strictObject(
  Object.fromEntries(
    Object.entries<Setting>(environmentSettings).map(([name, { kind, words, default: value, defaultInWords }]) => {
      const left = defaultInWords ?? String(value);
      return [
        name,
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
  speed: z.number().optional().meta({ description: seconds }),
});

const clockStep = z
  .strictObject({
    by: z.union([z.string(), z.number()], { error: "a duration" }).optional().meta({ description: duration }),
    to: text(`${instant}.`).optional(),
  })
  .refine(({ by, to }) => (by === undefined) !== (to === undefined), {
    error: `"by", a duration, or "to", an instant`,
  });

const keyOrder = z.strictObject({
  type: text<KeyType>("marketing or partner."),
  offering_id: text("The id or the alias of an offering."),
  label: text("A name of your own.").optional(),
});

const subject = {
  offering_id: text("The id or the alias of an offering.").optional(),
  investment_id: text("The id or the alias of an investment.").optional(),
};

const scenarioDocument = z.looseObject({}).meta({ description: "What a scenario file holds." });

const playOrder = z.strictObject({
  scenario: z
    .union([z.string(), scenarioDocument], { error: "the name of a scenario, or a scenario" })
    .meta({ description: "The name of a scenario, or what a scenario file holds." }),
  ...subject,
});

export const newInvestment = sparseInvestment.extend({
  offering_id: text("The alias or the id of an offering; left out: the first.").optional(),
});

export const investmentChange = investmentAttributes
  .omit({ id: true })
  .partial()
  .extend({ broker: uuid.nullable().optional() });

const eventOrder = z.strictObject({
  event: text("Kind of event."),
  action: text("What happened."),
  description: z.string().nullable().optional().meta({ description: "Left out: null." }),
});

const limitSetting = z.strictObject({ used: z.number().meta({ description: "How many requests." }) });

const assumptionChanges = z.record(z.string(), z.unknown()).meta({ description: "Values by the ids of assumptions." });

export const snapshot = z
  .looseObject({ format: z.literal("offering-sandbox-environment"), version: z.literal(1) })
  .meta({ description: "An environment as one document. What else is in it is for restoring alone." });

/** The shape of a body. `whole` names it in mistakes; left out where the command itself checks the shape. */
interface Body {
  readonly schema: z.ZodType;
  readonly whole?: string;
}

/** The shapes of bodies, by name. */
export const bodies = {
  EnvironmentOptions: { schema: environmentOptions, whole: "the environment" },
  ClockSetting: { schema: clockSetting, whole: "the clock" },
  ClockStep: { schema: clockStep, whole: "the step" },
  KeyOrder: { schema: keyOrder, whole: "the key" },
  ScenarioDocument: { schema: scenarioDocument, whole: "the scenario" },
  PlayOrder: { schema: playOrder, whole: "the order" },
  NewInvestment: { schema: newInvestment },
  InvestmentChange: { schema: investmentChange },
  EventOrder: { schema: eventOrder, whole: "the event" },
  FaultRule: { schema: faultRule },
  LimitSetting: { schema: limitSetting, whole: "the limit" },
  AssumptionChanges: { schema: assumptionChanges, whole: "the assumptions" },
  Snapshot: { schema: snapshot },
} as const satisfies Readonly<Record<string, Body>>;

export type BodyName = keyof typeof bodies;

/** A body that has its shape. */
export type BodyValue<Name extends BodyName> = z.infer<(typeof bodies)[Name]["schema"]>;
