import { z } from "zod";
import { JsonText } from "../model/located/json.ts";
import { FileMistakes } from "../model/mistakes.ts";
import { readShape } from "../model/shape-mistakes.ts";
import { behaviours, risks } from "./catalogue.ts";
import { maxExamples, type Sums } from "./tally.ts";

const count = z.int().nonnegative();
const example = z.strictObject({
  test: z.string().nullable(),
  request: z.string(),
  environment: z.string(),
  id: count,
});
const id = z.enum([...behaviours, ...risks].map((one) => one.id));

const sums = z.strictObject({
  part: z.string(),
  requests: count,
  undecided: count,
  environments: count,
  meetings: z.array(z.strictObject({ id, count, examples: z.array(example).max(maxExamples) })),
});

/** Reads the text of a file with sums. Throws FileMistakes. */
export function readSums(text: string, file: string): Sums {
  const content = parsed(text);
  if (content === undefined) throw new FileMistakes(new JsonText(text, file).mistakes);
  const { value, mistakes } = readShape(sums, content, "the part of a coverage report");
  if (value) return value;
  throw new FileMistakes(new JsonText(text, file, content).locate([...mistakes]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
