import { z } from "zod";
import { bodies } from "../../src/control/bodies.ts";
import { duration, span, writtenInstant } from "../../src/model/schemas.ts";
import { answerSchemas } from "./schemas.ts";

/**
 * Returns the schemas of answers and bodies as JSON Schema 2020-12; they refer to each other by name. Bodies are closed: the
 * admin API refuses unknown members.
 */
export function namedSchemas(closed: boolean): Record<string, object> {
  const registry = z.registry<{ readonly id: string }>();
  const all: [string, z.ZodType][] = [
    ...Object.entries({ Duration: duration, Span: span, Instant: writtenInstant }),
    ...Object.entries(answerSchemas),
    ...Object.entries(bodies).map(([name, { schema }]): [string, z.ZodType] => [name, schema]),
  ];
  for (const [id, schema] of all) if (!registry.has(schema)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: schemaPath,
    target: "draft-2020-12",
    override: ({ jsonSchema }) => withoutConstants(jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [
      name,
      rewritten(schema, closed || Object.hasOwn(bodies, name) ? ["enum"] : ["enum", "additionalProperties"]),
    ]),
  );
}

/** Orval makes a constant of an object whose members all are constants, even if it may have others, as a snapshot has. */
function withoutConstants({ properties = {}, additionalProperties }: z.core.JSONSchema.BaseSchema): void {
  if (typeof additionalProperties !== "object") return;
  for (const member of Object.values(properties)) {
    if (typeof member !== "object" || member.const === undefined) continue;
    member.enum = [member.const];
    delete member.const;
  }
}

function rewritten(schema: object, keywords: readonly (keyof typeof rewrites)[]): object {
  const rewrite = (member: string, value: unknown): unknown =>
    keywords.some((keyword) => keyword === member) ? rewrites[member as keyof typeof rewrites](value) : value;
  return JSON.parse(JSON.stringify(schema, rewrite)) as object;
}

const rewrites = {
  additionalProperties: (value: unknown) => (value === false ? undefined : value),
  // Generators name values by their text, and YAML alone needs 400 beside "400".
  enum: (values: unknown) =>
    Array.isArray(values)
      ? values.filter((value) => typeof value === "string" || !values.includes(String(value)))
      : values,
};

/** Returns the reference to a named schema. */
export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}
