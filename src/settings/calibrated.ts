import { parseAssumption } from "../assumptions/assume.ts";
import { type CalibratedValues, type CalibrationOption, confidences } from "../assumptions/calibration.ts";
import { type AssumptionId, catalogue } from "../assumptions/catalogue.ts";
import { isMembers, type Members } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { didYouMean, quoted } from "../model/text.ts";
import { assumptions, type Kind } from "./kinds.ts";

const example = `an object such as { date: "2026-11-22", host: "demo.example.com", confidence: { "list.order": "high" } }`;

const ids = catalogue.map(({ id }) => id);

function isCalibration(value: unknown): value is CalibrationOption {
  if (!isMembers(value)) return false;
  const { date, host, confidence, assumptions: values = {}, ...others } = value;
  if (Object.keys(others).length > 0 || !isMembers(confidence) || !assumptions.accepts(values)) return false;
  for (const [id, one] of Object.entries(confidence)) {
    if (!ids.some((known) => known === id))
      throw new Mistake(`There is no assumption ${quoted(id)}.${didYouMean(id, ids)}`);
    if (!confidences.some((known) => known === one)) return false;
  }
  const isDay = typeof date === "string" && /^\d{4}-\d\d-\d\d$/.test(date);
  return isDay && typeof host === "string" && /^[\w.:[\]-]{1,300}$/.test(host);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const calibration: Kind<CalibrationOption> = {
  placeholder: "calibration",
  expected: example,
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["date", "host", "confidence"],
    properties: {
      date: { type: "string", format: "date" },
      host: { type: "string" },
      confidence: {
        type: "object",
        additionalProperties: false,
        properties: Object.fromEntries(ids.map((id) => [id, { enum: confidences }])),
      },
    },
  },
  shape: "document",
  words: [],
  read(text) {
    const value = parsed(text);
    return isCalibration(value) ? value : undefined;
  },
  accepts: isCalibration,
};

/** Completes a checked option. `given` are the assumptions beside it. */
export function calibratedValues(
  option: CalibrationOption | undefined,
  given: Members = {},
): CalibratedValues | undefined {
  if (!option) return undefined;
  const { assumptions: own = given, ...decision } = option;
  const decided = (Object.keys(decision.confidence) as AssumptionId[]).filter((id) => Object.hasOwn(own, id));
  return { ...decision, values: Object.assign({}, ...decided.map((id) => parseAssumption(id, own[id]))) as object };
}
