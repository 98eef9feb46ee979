import { z } from "zod";
import type { CoverageReport } from "../coverage-report.ts";
import { JsonText } from "../model/located/json.ts";
import { FileMistakes } from "../model/mistakes.ts";
import { readShape } from "../model/shape-mistakes.ts";
import { apart } from "./apart.ts";
import { behaviours } from "./catalogue.ts";
import { risks } from "./risks.ts";

const count = z.int().nonnegative();
const example = z.strictObject({
  test: z.string().nullable(),
  request: z.string(),
  environment: z.string(),
  id: count,
});

/** One of the catalogue, or a finding with the nearest. */
function idOf(all: readonly { readonly id: string }[]) {
  return z.enum(all.map(({ id }) => id));
}

function behaviour(all: readonly { readonly id: string }[]) {
  const words = { section: z.string(), sentence: z.string(), group: z.string(), meet: z.string() };
  return z.array(z.strictObject({ id: idOf(all), ...words, count, first: example.nullable() }));
}

const report = z.strictObject({
  met: count,
  of: count,
  requests: count,
  not_looked_at: count,
  environments: count,
  behaviours: behaviour(behaviours),
  risks: z.array(z.strictObject({ id: idOf(risks), sentence: z.string(), count, examples: z.array(example).max(5) })),
  apart: behaviour(apart),
  excepted: z.array(z.strictObject({ id: idOf([...behaviours, ...risks]), reason: z.string(), count })),
  parts: z.array(z.string()).min(1),
});

/** Reads the text of a `coverage.json`. Throws FileMistakes. */
export function readReport(text: string, file: string): CoverageReport {
  const content = parsed(text);
  if (content === undefined) throw new FileMistakes(new JsonText(text, file).mistakes);
  const { value, mistakes } = readShape(report, content, "the coverage report");
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
