import { z } from "zod";
import { jsonErrors, locateInJson } from "../files/located/json.ts";
import { parsedJson } from "../text/json-text.ts";
import { isMembers } from "../validation/members.ts";
import { FileValidationError, ValidationError } from "../validation/errors.ts";
import { readShape } from "../validation/shape-errors.ts";
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
const idSchema = z.enum([...behaviors, ...risks].map((behavior) => behavior.id));

const countsSchema = z.strictObject({
  /** The id of these counts, which are added only once even if their file was copied. */
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
export type SerializedCounts = z.infer<typeof countsSchema>;

/** Reads the text of a file of counts. Throws FileValidationError, or ValidationError for a file of another version. */
export function readCounts(text: string, file: string): SerializedCounts {
  const content = parsedJson(text);
  if (content === undefined) throw new FileValidationError(jsonErrors(text, file));
  const { value, errors } = readShape(countsSchema, content, "the part of a coverage report");
  if (value) return value;
  const program = isMembers(content) ? content["program"] : undefined;
  if (typeof program === "string" && program !== version)
    throw new ValidationError(
      escaped(`${file} is of offering-sandbox ${program}, and this is ${version}; write all parts with one version.`),
    );
  throw new FileValidationError(locateInJson(text, file, errors));
}
