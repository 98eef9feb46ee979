import { z } from "zod";
import { bodies } from "../../src/control/bodies.ts";
import {
  duration,
  eventMembers,
  instant,
  investmentAttributes,
  investorAttributes,
  paymentAttributes,
  signingPartyAttributes,
  span,
  uuid,
  writtenInstant,
} from "../../src/model/schemas.ts";
import { type Content, readResponses, type Schema, schemaPath } from "./responses.ts";

const commonMembers = { alias: z.string().optional(), id: uuid };

/** A response whose type leaves its members open. */
const investment = z
  .strictObject({
    ...commonMembers,
    ...investmentAttributes.shape,
    offering_id: uuid,
    broker: uuid.nullable(),
    investors: z.array(z.strictObject({ ...commonMembers, ...investorAttributes.shape })),
    signing_parties: z.array(z.strictObject({ ...commonMembers, ...signingPartyAttributes.shape })),
    payments: z.array(z.strictObject({ ...commonMembers, ...paymentAttributes.shape })),
    events: z.array(z.strictObject({ ...commonMembers, ...eventMembers.shape })),
  })
  .meta({
    description: "An investment with its investors, signing parties, payments and events; nothing is redacted.",
  });

const aliases = {
  Instant: inline(instant),
  Uuid: inline(uuid),
  Count: inline(z.int().min(0)),
  EnvironmentId: inline(z.string().regex(/^[\w-]{1,64}$/)),
};

function inline(schema: z.ZodType): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema);
  return json;
}

/** The named schemas, and the contents of responses by operation. */
interface Components {
  readonly contents: ReadonlyMap<string, Content>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/**
 * Returns the schemas of responses and bodies as JSON Schema 2020-12; they refer to each other by name. Bodies are
 * closed: the admin API refuses unknown members.
 */
export function namedSchemas(): Components {
  const registry = z.registry<{ readonly id: string }>();
  const sharedSchemas = { Duration: duration, Span: span, Instant: writtenInstant, InvestmentRecord: investment };
  for (const [id, schema] of [...Object.entries(sharedSchemas), ...Object.entries(bodies)])
    registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: schemaPath,
    target: "draft-2020-12",
  });
  const components = Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema as Schema]),
  );
  const shapes = { ...components, EventMembers: inline(eventMembers) };
  const responses = readResponses({ aliases, components, shapes });
  const allSchemas = Object.entries({ ...components, ...responses.schemas }).map(([name, schema]) => [
    name,
    rewriteSchema(schema, Object.hasOwn(bodies, name) ? ["enum"] : ["enum", "additionalProperties"]),
  ]);
  return { contents: responses.contents, schemas: Object.fromEntries(allSchemas) as Components["schemas"] };
}

function rewriteSchema(schema: object, keywords: readonly (keyof typeof rewrites)[]): Schema {
  const rewrite = (member: string, value: unknown): unknown =>
    keywords.some((keyword) => keyword === member) ? rewrites[member as keyof typeof rewrites](value) : value;
  // Generators that read OpenAPI 3.0 know no `const`, and Orval makes a constant of an object with only such members.
  return JSON.parse(JSON.stringify(schema, rewrite), (member, value: Schema | string | null) => {
    // As zod writes a slash, openapi-zod-client would end the expression there.
    if (typeof value === "string") return member === "pattern" ? value.replaceAll("\\/", "/") : value;
    if (value?.["const"] === undefined) return value;
    const { const: constant, ...rest } = value;
    return { ...rest, enum: [constant] };
  }) as Schema;
}

const rewrites = {
  additionalProperties: (value: unknown) => (value === false ? undefined : value),
  // Generators name values by their text, and only YAML needs 400 in addition to "400".
  enum: (values: unknown) =>
    Array.isArray(values)
      ? values.filter((value) => typeof value === "string" || !values.includes(String(value)))
      : values,
};
