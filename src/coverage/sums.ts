import { z } from "zod";
import { JsonText } from "../model/located/json.ts";
import { parsedJson } from "../model/json-text.ts";
import { FileMistakes } from "../model/mistakes.ts";
import { readShape } from "../model/shape-mistakes.ts";
import { behaviours, maxExamples, risks } from "./catalogue.ts";

const countSchema = z.int().nonnegative();
const exampleSchema = z.strictObject({
  test: z.string().nullable(),
  request: z.string(),
  environment: z.string(),
  id: countSchema,
});
const idSchema = z.enum([...behaviours, ...risks].map((one) => one.id));

const sumsSchema = z.strictObject({
  /** Names the process's counts: in a folder or several, they are added once. */
  part: z.string(),
  requests: countSchema,
  undecided: countSchema,
  environments: countSchema,
  occurrences: z.array(
    z.strictObject({ id: idSchema, count: countSchema, examples: z.array(exampleSchema).max(maxExamples).readonly() }),
  ),
});

/** The counts of one process, as they are written to a folder. */
export type Sums = z.infer<typeof sumsSchema>;

/** Reads the text of a file with sums. Throws FileMistakes. */
export function readSums(text: string, file: string): Sums {
  const content = parsedJson(text);
  if (content === undefined) throw new FileMistakes(new JsonText(text, file).mistakes);
  const { value, mistakes } = readShape(sumsSchema, content, "the part of a coverage report");
  if (value) return value;
  throw new FileMistakes(new JsonText(text, file, content).locate([...mistakes]));
}
