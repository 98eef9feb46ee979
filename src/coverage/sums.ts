import { z } from "zod";
import { jsonMistakes, locateInJson } from "../files/located/json.ts";
import { parsedJson } from "../text/json-text.ts";
import { isMembers } from "../mistakes/members.ts";
import { FileMistakes, Mistake } from "../mistakes/mistakes.ts";
import { readShape } from "../mistakes/shape-mistakes.ts";
import { escaped } from "../text/text.ts";
import { version } from "../package.ts";
import { behaviors, maxExamples, risks } from "./catalog.ts";

const countSchema = z.int().nonnegative();
const exampleSchema = z.strictObject({
  test: z.string().nullable(),
  request: z.string(),
  environment: z.string(),
  id: countSchema,
});
const idSchema = z.enum([...behaviors, ...risks].map((one) => one.id));

const sumsSchema = z.strictObject({
  /** Names the process's counts: in a folder or several, they are added once. */
  part: z.string(),
  /** The version of offering-sandbox that counted. */
  program: z.string(),
  requests: countSchema,
  undecided: countSchema,
  environments: countSchema,
  occurrences: z.array(
    z.strictObject({ id: idSchema, count: countSchema, examples: z.array(exampleSchema).max(maxExamples).readonly() }),
  ),
});

/** The counts of one process, as they are written to a folder. */
export type Sums = z.infer<typeof sumsSchema>;

/** Reads the text of a file with sums. Throws FileMistakes, or Mistake for the form of another version. */
export function readSums(text: string, file: string): Sums {
  const content = parsedJson(text);
  if (content === undefined) throw new FileMistakes(jsonMistakes(text, file));
  const { value, mistakes } = readShape(sumsSchema, content, "the part of a coverage report");
  if (value) return value;
  const program = isMembers(content) ? content["program"] : undefined;
  if (typeof program === "string" && program !== version)
    throw new Mistake(
      escaped(`${file} is of offering-sandbox ${program}, and this is ${version}; write all parts with one version.`),
    );
  throw new FileMistakes(locateInJson(text, file, mistakes));
}
