import { z } from "zod";
import { Mistake } from "../src/model/mistakes.ts";
import { escaped } from "../src/model/text.ts";
import { type CalibrationReport, reportFormat } from "./report.ts";
import type { Types } from "./types.ts";

const text = z.string().max(2000);
const words = z.array(text).max(1000);

const types: z.ZodType<Types> = z.lazy(() => z.union([text, z.array(types), z.record(text, types)]));

const schema: z.ZodType<CalibrationReport> = z.object({
  format: z.literal(reportFormat),
  version: z.literal(1),
  host: text,
  date: text,
  program: text,
  requests: z.number(),
  waited: z.number(),
  ended: text.nullable(),
  keys: z.array(z.enum(["partner", "marketing", "ungranted", "unknown"])),
  rows: z.record(
    text,
    z.object({
      value: z.union([text, z.number()]).nullable(),
      confidence: z.enum(["high", "medium", "low", "none"]),
      because: text,
      evidence: z.array(z.object({ probe: text, saw: text })),
    }),
  ),
  outside: z.array(z.object({ row: text, saw: text, nearest: z.union([text, z.number()]) })),
  deviations: z.array(z.object({ section: text, expected: text, saw: text })),
  seen: z.object({ investment_status: words, step: words, events: words }),
  shapes: z.record(text, types),
});

/** Reads the text of a report. Throws a Mistake for any other text. */
export function readReport(file: string, written: string): CalibrationReport {
  let found: unknown;
  try {
    found = JSON.parse(written);
  } catch {
    throw new Mistake(`${escaped(file)} is not JSON; expected the report of a calibration.`);
  }
  const read = schema.safeParse(found);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join(".") ?? "";
  throw new Mistake(
    `${escaped(file)} is no report of a calibration${place === "" ? "" : `: look at ${escaped(place)}`}. Write one: offering-sandbox calibrate without --check.`,
  );
}
