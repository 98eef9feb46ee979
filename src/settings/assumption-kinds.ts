import {
  type ProfileName,
  profileNames,
  type AssumptionId,
  catalog,
  parseAssumption,
  type CalibrationOption,
  confidences,
} from "../assumptions/catalog.ts";
import { formOf, type Row } from "../assumptions/row.ts";
import { parsedJson } from "../text/json-text.ts";
import { isMembers, type Members } from "../validation/members.ts";
import { ValidationError } from "../validation/errors.ts";
import { didYouMean, quoted } from "../text/text.ts";
import { type ValueKind, valueKind, oneOf } from "./kinds.ts";

export const profile: ValueKind<ProfileName> = oneOf(profileNames);

/** Changes of single assumptions of the profile: `list.order=unordered`, several separated by commas. */
export const assumptions: ValueKind<Members> = valueKind(
  "id=value",
  `an assumption and its value, such as "list.order=unordered"`,
  (value): value is Members => {
    if (!isMembers(value) || value instanceof URL) return false;
    for (const [id, assumptionValue] of Object.entries(value)) parseAssumption(id, assumptionValue);
    return true;
  },
  (written) => {
    // A value may have commas (pending,failed): only one before another id, outside of JSON strings, separates.
    const parts = (written.match(/(?:"(?:[^"\\]|\\.)*"|,(?!\s*[\w.]+=)|[^,])+/gs) ?? [""]).map((part) =>
      /^\s*([^=]+?)\s*=(.*)$/s.exec(part),
    );
    if (parts.includes(null)) return undefined;
    return Object.fromEntries(parts.map((part) => [part?.[1], part?.[2]]));
  },
  {
    expectedInCode: "an object of values by id",
    schema: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(catalog.map((row) => [row.id, rowSchema(row)])),
    },
    shape: "map",
  },
);

function rowSchema({ accepts, question: description, values }: Row): object {
  if (!accepts) return { description, enum: Object.keys(values).flatMap(asWritten) };
  if (typeof accepts === "object") return { description, type: "integer", minimum: accepts.from, maximum: accepts.to };
  return { description, type: "string", examples: [...Object.keys(values), formOf(accepts).example] };
}

/** Returns a value as YAML and JSON write it: 404 is a number there, and `""` is the empty text. */
function asWritten(value: string): (string | number | boolean | null)[] {
  if (/^\d+$/.test(value)) return [value, Number(value)];
  if (value === '""') return [""];
  if (value === "null") return [value, null];
  return [value];
}

const exampleValue = `an object such as { date: "2026-11-22", host: "demo.example.com", confidence: { "list.order": "high" } }`;

const assumptionIds = catalog.map(({ id }) => id);

function isCalibration(value: unknown): value is CalibrationOption {
  if (!isMembers(value)) return false;
  const { date, host, confidence, assumptions: values = {}, ...rest } = value;
  if (Object.keys(rest).length > 0 || !isMembers(confidence) || !assumptions.accepts(values)) return false;
  for (const [id, level] of Object.entries(confidence)) {
    if (!assumptionIds.some((candidate) => candidate === id))
      throw new ValidationError(`There is no assumption ${quoted(id)}.${didYouMean(id, assumptionIds)}`);
    if (!confidences.some((candidate) => candidate === level)) return false;
  }
  const isDay = typeof date === "string" && /^\d{4}-\d\d-\d\d$/.test(date);
  return isDay && typeof host === "string" && /^[\w.:[\]-]{1,300}$/.test(host);
}

export const calibration: ValueKind<CalibrationOption> = valueKind(
  "calibration",
  exampleValue,
  isCalibration,
  parsedJson,
  {
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
          properties: Object.fromEntries(assumptionIds.map((id) => [id, { enum: confidences }])),
        },
      },
    },
    shape: "document",
  },
);

/** Completes a checked option. `siblings` has the assumptions of the option `assumptions`. */
export function calibratedValues(option: CalibrationOption | undefined, siblings: Members = {}) {
  if (!option) return undefined;
  const { assumptions: values = siblings, ...decision } = option;
  const decidedIds = (Object.keys(decision.confidence) as AssumptionId[]).filter((id) => Object.hasOwn(values, id));
  return {
    ...decision,
    values: Object.assign({}, ...decidedIds.map((id) => parseAssumption(id, values[id]))) as object,
  };
}
