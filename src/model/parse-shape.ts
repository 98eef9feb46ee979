import type { z } from "zod";
import { Mistake } from "./mistake.ts";
import { shapeMistakes } from "./shape-mistakes.ts";

/** The value, when it has the shape that a schema declares. Throws Mistake with all that is wrong; `whole` names the value. */
export function parseShape<Schema extends z.ZodType>(schema: Schema, given: unknown, whole: string): z.infer<Schema> {
  const mistakes = [...shapeMistakes(schema, given, whole)];
  if (mistakes.length > 0) throw new Mistake(mistakes.map(({ message }) => message).join("\n"));
  return schema.parse(given);
}
