import { messageOf, ValidationError } from "../validation/errors.ts";
import { describeValue, didYouMean, either, quoted } from "../text/text.ts";
import { dataRows } from "./data.ts";
import { documentRows } from "./documents.ts";
import { requestRows } from "./requests.ts";
import { formOf, type FormTypes, type Row } from "./row.ts";
import { transportRows } from "./transport.ts";

const rows = [...requestRows, ...documentRows, ...dataRows, ...transportRows];

type Rows = (typeof rows)[number];

export type AssumptionId = Rows["id"];

/** Every point where the specification is silent, as data. No other code makes such a decision. */
export const catalog: readonly (Row & { readonly id: AssumptionId; readonly minimal: string | number })[] = rows.map(
  (row) => ({
    ...row,
    minimal: "minimal" in row ? row.minimal : row.conventional,
  }),
);

type Accepted<R> = R extends { readonly accepts: infer Form extends keyof FormTypes }
  ? FormTypes[Form]
  : R extends { readonly accepts: object }
    ? number
    : never;

export type AssumptionValue<Id extends AssumptionId> =
  Extract<Rows, { id: Id }> extends infer R extends { values: object }
    ? (keyof R["values"] & string) | Accepted<R>
    : never;

/** A complete set of assumptions: one value for each row of the catalog. */
export type Assumptions = { readonly [Id in AssumptionId]: AssumptionValue<Id> };

/**
 * `conventional` does as a JSON API of this style usually does; `minimal` adds nothing to the specification's promises.
 * If a client passes under both, it depends on nothing unspecified.
 */
export const profileNames = ["conventional", "minimal"] as const;

export type ProfileName = (typeof profileNames)[number];

/** Returns the assumptions of a profile with some of them changed. */
export function assume(profile: ProfileName, changes: Partial<Assumptions> = {}): Assumptions {
  const values: Partial<Record<AssumptionId, string | number>> = {};
  for (const row of catalog) values[row.id] = row[profile];
  return { ...(values as Assumptions), ...changes };
}

const conventionalValues: Readonly<Record<string, string | number>> = assume("conventional");
const responseFormIds = new Set<string>(catalog.flatMap((row) => (row.isForm ? [row.id] : [])));

/**
 * Formats an assumption on which a response with this status depends: `["list.past_end=404"]`. Empty for the usual
 * form of every response, which says nothing about a single response, except two rows that decide a 429.
 */
export function formatReliance(id: string, value: unknown, status: number): readonly string[] {
  const isForm = responseFormIds.has(id) && !(status === 429 && /^limit\.[wc]/.test(id));
  if (isForm && value === conventionalValues[id]) return [];
  return [`${id}=${String(value).replace(/^like:.*/s, "like:…")}`];
}

/** Parses an assumption of a command, config file or admin call. Throws ValidationError for an unknown id or value. */
export function parseAssumption(id: string, value: unknown): Partial<Assumptions> {
  const row = catalog.find((candidate) => candidate.id === id);
  if (row) return { [row.id]: parseValue(row, value) };
  const ids = catalog.map((candidate) => candidate.id);
  throw new ValidationError(`There is no assumption ${quoted(id)}.${didYouMean(id, ids)}`);
}

function parseValue(row: Row, value: unknown): string | number {
  const text = value === "" ? '""' : typeof value === "string" ? value : describeValue(value);
  if (Object.hasOwn(row.values, text)) return text;
  // Only numbers and strings can have a form.
  const writtenValue = typeof value === "number" ? text : value;
  let reason: string | undefined;
  try {
    const parsedValue =
      row.accepts && typeof writtenValue === "string" ? formOf(row.accepts).read(writtenValue) : undefined;
    if (parsedValue !== undefined) return parsedValue;
  } catch (error) {
    reason = messageOf(error);
  }
  const expected = `expected ${expectedValues(row)}.${didYouMean(text, Object.keys(row.values))}`;
  throw new ValidationError(`${row.id} cannot be ${text === '""' ? text : quoted(text)}: ${reason ?? expected}`);
}

/** Lists the values of a row: `"reject" or "clamp"`. */
function expectedValues(row: Row): string {
  const names = Object.keys(row.values).map((value) => (value === '""' ? value : `"${value}"`));
  if (row.accepts) names.push(formOf(row.accepts).description);
  return either(names);
}

/** The rows with at least two values for `exec --vary`. */
export const variedRows = catalog
  .map(({ id, values, vary }) => ({
    id,
    values: (typeof vary === "object" ? vary : Object.keys(values)).flatMap((value) =>
      Object.values(parseAssumption(id, value)),
    ),
    isByName: vary === "by name",
  }))
  .filter(({ values }) => values.length > 1);

/** Returns the rows of these ids, by default all except `byName`. Throws ValidationError for an id that cannot vary. */
export function rowsToVary(ids: readonly string[] | undefined): typeof variedRows {
  for (const id of ids ?? []) {
    if (variedRows.some((row) => row.id === id)) continue;
    if (catalog.some((row) => row.id === id)) throw new ValidationError(`${id} cannot vary: it has one value.`);
    const known = variedRows.map((row) => row.id);
    throw new ValidationError(`There is no assumption ${quoted(id)} to vary.${didYouMean(id, known)}`);
  }
  return variedRows.filter(({ id, isByName }) => ids?.includes(id) ?? !isByName);
}

export const confidences = ["high", "medium", "low"] as const;

export type Confidence = (typeof confidences)[number];

/** The decisions of `offering-sandbox calibrate`, from the responses of a real service. */
interface Calibration {
  /** `2026-11-22` */
  readonly date: string;
  /** The host of the service: `demo.example.com`. */
  readonly host: string;
  readonly confidence: Readonly<Partial<Record<AssumptionId, Confidence>>>;
}

/** A calibration as an option. Its values are `assumptions`, by default the option `assumptions` next to it. */
export interface CalibrationOption extends Calibration {
  readonly assumptions?: Readonly<Record<string, unknown>> | undefined;
}

export interface CalibratedValues extends Calibration {
  readonly values: Partial<Assumptions>;
}

/** The sources of the current values. */
interface Origins {
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  readonly calibrated: CalibratedValues | undefined;
}

/** Returns the origin of a value: the profile, a command or option, or a calibration with its confidence and date. */
export function originOfValue(id: AssumptionId, { profile, assumptions, calibrated }: Origins) {
  const confidence = calibrated && isCalibrated(id, assumptions, calibrated) ? calibrated.confidence[id] : undefined;
  if (calibrated && confidence) return { source: "calibrated", confidence, calibrated: calibrated.date } as const;
  const source = assumptions[id] === assume(profile)[id] ? "profile" : "set";
  return { source, confidence: null, calibrated: null } as const;
}

/** Returns the rows whose current values a calibration decided; undefined without any. */
export function calibratedIdsOf({
  assumptions,
  calibrated,
}: Omit<Origins, "profile">): ReadonlySet<AssumptionId> | undefined {
  if (!calibrated) return undefined;
  const ids = Object.keys(assumptions) as AssumptionId[];
  const calibratedIds = new Set(ids.filter((id) => isCalibrated(id, assumptions, calibrated)));
  return calibratedIds.size > 0 ? calibratedIds : undefined;
}

function isCalibrated(id: AssumptionId, assumptions: Assumptions, { confidence, values }: CalibratedValues): boolean {
  return confidence[id] !== undefined && values[id] === assumptions[id];
}
