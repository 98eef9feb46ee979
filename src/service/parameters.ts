import type { AssumptionId } from "../assumptions/catalog.ts";
import { HttpError, type Problem } from "../errors/http-error.ts";
import { formatInstant, type Instant, isInstant, parseIsoDate } from "../time/instant.ts";
import { type ParameterName, parameters } from "../model/operations.ts";
import { encodeQuery, hidden, looksSecret } from "../secrets/secrets.ts";
import type { Ledger } from "./ledger.ts";

/** A parameter in a query, with one unparsed value for each time that it appears. */
export interface QueryParameter {
  readonly name: ParameterName;
  readonly rawValues: readonly string[];
}

/** Parsed query parameters. Bounds are inclusive. */
export type ParameterValues = {
  readonly [Name in ParameterName]?: (typeof parameters)[Name]["kind"] extends "page" | "size" ? number : Instant;
};

/** The parsed values, and a problem for each invalid parameter. */
export interface ParsedParameters {
  readonly values: ParameterValues;
  readonly problems: readonly Problem[];
  /** The assumptions that only the valid values depend on, if there are problems: a refusal does not depend on them. */
  readonly validValueRows: readonly AssumptionId[];
}

/** Parses the parameters of a request (section 4). */
export function parseParameters(queryParameters: readonly QueryParameter[], ledger: Ledger): ParsedParameters {
  const values: { -readonly [Name in ParameterName]?: number | string } = {};
  const problems: Problem[] = [];
  const [valuesLedger, problemsLedger] = [ledger.emptyCopy(), ledger.emptyCopy()];
  for (const { name, rawValues } of queryParameters) {
    const parameterLedger = ledger.emptyCopy();
    const result = parseParameter(name, rawValues, parameterLedger);
    (typeof result === "object" ? problemsLedger : valuesLedger).addAll(parameterLedger);
    if (typeof result === "object") {
      const sentPairs = rawValues.map((text) => `${name}=${looksSecret(text) ? hidden : encodeQuery(text)}`).join("&");
      const hint = `${sentPairs} ${result.expected}`;
      problems.push({ detail: `${name} ${result.expected}.`, hint, source: { parameter: name } });
    } else if (result !== undefined) values[name] = result;
  }
  ledger.addAll(valuesLedger);
  ledger.addAll(problemsLedger);
  const validValueRows =
    problems.length === 0 ? [] : valuesLedger.used.ids.filter((id) => !problemsLedger.used.ids.includes(id));
  return { values: values as ParameterValues, problems, validValueRows };
}

export function parameterError(problems: Problem | readonly Problem[], ledger: Ledger): HttpError {
  const status = ledger.value("errors.invalid_parameter") === "422" ? 422 : 400;
  return new HttpError("parameter_invalid", problems, {}, status);
}

interface InvalidValue {
  readonly expected: string;
}

function parseParameter(
  name: ParameterName,
  rawValues: readonly string[],
  ledger: Ledger,
): number | string | InvalidValue | undefined {
  let [rawValue] = rawValues;
  if (rawValues.length > 1) {
    const repeated = ledger.value("dates.repeated");
    if (repeated === "reject") return { expected: "is given more than once, expected once" };
    if (repeated === "ignore") return undefined;
    if (repeated === "last") rawValue = rawValues.at(-1);
  }
  if (rawValue === undefined) return undefined;
  const result = parsers[parameters[name].kind](rawValue, ledger);
  if (typeof result !== "object" || "isAlwaysInvalid" in result) return result;
  return ledger.value("errors.invalid_parameter") === "ignore" ? undefined : result;
}

/** Parses one value. `isAlwaysInvalid` marks a value that is refused whatever `errors.invalid_parameter` is. */
type Parser = (
  text: string,
  ledger: Ledger,
) => number | string | undefined | (InvalidValue & { readonly isAlwaysInvalid?: true });

const integerPattern = /^\d{1,15}$/;

const parsers: Record<"page" | "size" | "from" | "until", Parser> = {
  page(text, ledger) {
    const first = Number(ledger.value("list.first_page"));
    if (integerPattern.test(text) && Number(text) >= first) return Number(text);
    return { expected: `must be an integer of ${first} or more, with at most 15 digits` };
  },
  size(text, ledger) {
    const size = Number(text);
    // The smallest size is within any limit.
    if (integerPattern.test(text) && size === 1) return size;
    const largest = ledger.value("list.max_size");
    if (!integerPattern.test(text) || size < 1) return { expected: `must be an integer from 1 to ${largest}` };
    if (size <= largest) return size;
    const overMax = ledger.value("list.over_max");
    if (overMax === "reject") return { expected: `must be an integer from 1 to ${largest}`, isAlwaysInvalid: true };
    return overMax === "clamp" ? largest : undefined;
  },
  from: (text, ledger) => parseBound(text, ledger, 0),
  until: (text, ledger) => parseBound(text, ledger, lastMillisecondOfDay),
};

const lastMillisecondOfDay = 86_399_999;

/** Parses a bound. `offsetMs` is the distance from midnight to the bound of a whole day. */
function parseBound(text: string, ledger: Ledger, offsetMs: number): ReturnType<Parser> {
  if (isInstant(text)) return text;
  const date = parseIsoDate(text);
  const example = "an ISO 8601 date, such as 2026-01-15T12:00:00.000Z or 2026-01-15";
  if (!date) return { expected: `must be ${example}` };
  if (!date.isDateOnly)
    return formatInstant(offsetMs === 0 ? Math.ceil(date.milliseconds) : Math.floor(date.milliseconds));
  const dateOnly = ledger.value("dates.date_only");
  if (dateOnly === "reject")
    return { expected: "must have a time, such as 2026-01-15T12:00:00.000Z", isAlwaysInvalid: true };
  return formatInstant(date.milliseconds + (dateOnly === "whole-day" ? offsetMs : 0));
}
