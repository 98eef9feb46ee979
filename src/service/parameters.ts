import type { AssumptionId } from "../assumptions/catalog.ts";
import { HttpError, type Problem } from "../errors/http-error.ts";
import { formatInstant, type Instant, isInstant, parseIsoDate } from "../time/instant.ts";
import { type ParameterName, parameters } from "../model/operations.ts";
import { encoded, hidden, looksSecret } from "../secrets/secrets.ts";
import type { Ledger } from "./ledger.ts";

/** A parameter in a query, with a text for each time it appears. */
export interface GivenParameter {
  readonly name: ParameterName;
  readonly texts: readonly string[];
}

/** Parsed query parameters. Bounds are inclusive. */
export type ParameterValues = {
  readonly [Name in ParameterName]?: (typeof parameters)[Name]["kind"] extends "page" | "size" ? number : Instant;
};

/** Values, and a problem for each invalid parameter. */
export interface ParsedParameters {
  readonly values: ParameterValues;
  readonly problems: readonly Problem[];
  /** If there are problems, the assumptions behind the valid values only: a refusal does not depend on them. */
  readonly beside: readonly AssumptionId[];
}

/** Parses the parameters of a request (section 4). */
export function parseParameters(given: readonly GivenParameter[], ledger: Ledger): ParsedParameters {
  const values: { -readonly [Name in ParameterName]?: number | string } = {};
  const problems: Problem[] = [];
  const [ofValues, ofProblems] = [ledger.emptyCopy(), ledger.emptyCopy()];
  for (const { name, texts } of given) {
    const own = ledger.emptyCopy();
    const result = parseParameter(name, texts, own);
    (typeof result === "object" ? ofProblems : ofValues).addAll(own);
    if (typeof result === "object") {
      const sent = texts.map((text) => `${name}=${looksSecret(text) ? hidden : encoded(text)}`).join("&");
      const hint = `${sent} ${result.expected}`;
      problems.push({ detail: `${name} ${result.expected}.`, hint, source: { parameter: name } });
    } else if (result !== undefined) values[name] = result;
  }
  ledger.addAll(ofValues);
  ledger.addAll(ofProblems);
  const beside = problems.length === 0 ? [] : ofValues.used.ids.filter((id) => !ofProblems.used.ids.includes(id));
  return { values: values as ParameterValues, problems, beside };
}

export function parameterError(problems: Problem | readonly Problem[], ledger: Ledger): HttpError {
  const status = ledger.value("errors.invalid_parameter") === "422" ? 422 : 400;
  return new HttpError("parameter_invalid", problems, {}, status);
}

interface Wrong {
  readonly expected: string;
}

function parseParameter(
  name: ParameterName,
  texts: readonly string[],
  ledger: Ledger,
): number | string | Wrong | undefined {
  let [text] = texts;
  if (texts.length > 1) {
    const repeated = ledger.value("dates.repeated");
    if (repeated === "reject") return { expected: "is given more than once, expected once" };
    if (repeated === "ignore") return undefined;
    if (repeated === "last") text = texts.at(-1);
  }
  if (text === undefined) return undefined;
  const result = readers[parameters[name].kind](text, ledger);
  if (typeof result !== "object" || "always" in result) return result;
  return ledger.value("errors.invalid_parameter") === "ignore" ? undefined : result;
}

/** `always` marks values rejected by another assumption, regardless of `errors.invalid_parameter`. */
type Reader = (text: string, ledger: Ledger) => number | string | undefined | (Wrong & { readonly always?: true });

const wholeNumberPattern = /^\d{1,15}$/;

const readers: Record<"page" | "size" | "from" | "until", Reader> = {
  page(text, ledger) {
    const first = Number(ledger.value("list.first_page"));
    if (wholeNumberPattern.test(text) && Number(text) >= first) return Number(text);
    return { expected: `must be an integer of ${first} or more, with at most 15 digits` };
  },
  size(text, ledger) {
    const size = Number(text);
    // The smallest size is within any limit.
    if (wholeNumberPattern.test(text) && size === 1) return size;
    const largest = ledger.value("list.max_size");
    if (!wholeNumberPattern.test(text) || size < 1) return { expected: `must be an integer from 1 to ${largest}` };
    if (size <= largest) return size;
    const meaning = ledger.value("list.over_max");
    if (meaning === "reject") return { expected: `must be an integer from 1 to ${largest}`, always: true };
    return meaning === "clamp" ? largest : undefined;
  },
  from: (text, ledger) => readBound(text, ledger, 0),
  until: (text, ledger) => readBound(text, ledger, lastMillisecondOfDay),
};

const lastMillisecondOfDay = 86_399_999;

/** Reads a bound. `toEdge` is the distance in milliseconds from midnight to the bound of a whole day. */
function readBound(text: string, ledger: Ledger, toEdge: number): ReturnType<Reader> {
  if (isInstant(text)) return text;
  const date = parseIsoDate(text);
  const example = "an ISO 8601 date, such as 2026-01-15T12:00:00.000Z or 2026-01-15";
  if (!date) return { expected: `must be ${example}` };
  if (!date.dateOnly) {
    return formatInstant(toEdge === 0 ? Math.ceil(date.milliseconds) : Math.floor(date.milliseconds));
  }
  const meaning = ledger.value("dates.date_only");
  if (meaning === "reject") return { expected: "must have a time, such as 2026-01-15T12:00:00.000Z", always: true };
  return formatInstant(date.milliseconds + (meaning === "whole-day" ? toEdge : 0));
}
