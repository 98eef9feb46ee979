import { z } from "zod";
import { durationExpected, durationSchema, spanExpected, spanPattern } from "../time/duration.ts";
import { instantExpected, instantSchema } from "../time/instant.ts";
import { describeDefault } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";

type Schema = z.core.JSONSchema.BaseSchema;

const titles: Readonly<Record<string, string>> = { duration: "Duration", span: "Duration or span", instant: "Instant" };

/** The messages that editors show in place of a pattern. */
const patternMessages = new Map<string | undefined, string>([
  [durationSchema.pattern, `Expected ${durationExpected}.`],
  [spanPattern, `Expected ${spanExpected}.`],
  [instantSchema.pattern, `Expected ${instantExpected}.`],
]);

/** The titles for the alternatives of a value, which editors show at the top of a hover. */
const typeTitles: Readonly<Record<string, string>> = {
  string: "Text",
  number: "Number",
  integer: "Number",
  object: "Object",
  array: "List",
  null: "Null",
};

/**
 * Creates the JSON Schema (2020-12) of one kind of file for editors. They would show a member without its own title
 * with the title of the whole schema, once for each alternative of its values.
 */
export function editorSchema(schema: z.ZodType): object {
  const whole = z.toJSONSchema(schema, { io: "input", override: ({ jsonSchema }) => describeDefault(jsonSchema) });
  for (const [id, definition] of schemasIn(whole.$defs)) definition.title ??= titles[id] ?? id;
  describe(whole);
  return whole;
}

function describe(schema: Schema): void {
  const message = patternMessages.get(schema.pattern);
  if (message !== undefined) schema["patternErrorMessage"] = message;
  for (const [name, member] of schemasIn(schema.properties)) member.title ??= name;
  for (const [, alternative] of schemasIn(schema.anyOf)) {
    const { type } = alternative;
    const word = Array.isArray(type) && type.includes("number") ? titles["duration"] : typeTitles[String(type)];
    alternative.title ??= word ?? "Value";
  }
  const { properties, anyOf, $defs, items } = schema;
  for (const part of [properties, anyOf, $defs, [items]]) for (const [, below] of schemasIn(part)) describe(below);
}

/** Returns the schemas in a part of a schema, by name or index, without references: their definitions have titles. */
function schemasIn(part: object | undefined): [name: string, schema: Schema][] {
  return Object.entries(part ?? {}).filter(
    (entry): entry is [string, Schema] => isMembers(entry[1]) && !("$ref" in entry[1]),
  );
}
