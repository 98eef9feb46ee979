const second = 1000;
export const minute = 60 * second;
const hour = 60 * minute;
export const day = 24 * hour;

const units = { w: 7 * day, d: day, h: hour, m: minute, s: second, ms: 1 } as const;

type Unit = keyof typeof units;

/** The longest duration, a hundred years, in milliseconds. */
export const maxDuration = 36_525 * day;

/** The longest delay of a response: clients do not wait longer. */
export const maxDelay = 10 * minute;

const countPattern = (unit: Unit): string => String.raw`(?<${unit}>\d+(?:[.,]\d+)?)`;

/** `1h30m`: whole or decimal numbers, each with its unit, larger units first. */
const compactPattern = new RegExp(
  `^(?:${countPattern("w")}w)?(?:${countPattern("d")}d)?(?:${countPattern("h")}h)?(?:${countPattern("m")}m)?(?:${countPattern("s")}s)?(?:${countPattern("ms")}ms)?$`,
);

/** `P1DT12H` of ISO 8601, without years and months: their length varies. */
const isoPattern = new RegExp(
  String.raw`^P(?=[\dT])(?:${countPattern("w")}W)?(?:${countPattern("d")}D)?(?:T(?=\d)(?:${countPattern("h")}H)?(?:${countPattern("m")}M)?(?:${countPattern("s")}S)?)?$`,
);

/** Only a number of milliseconds, without a unit. */
const millisecondsPattern = new RegExp(`^${countPattern("ms")}$`);

/** A duration as people write it: milliseconds, `90s`, `1h30m`, `2d`, or `PT1H30M` of ISO 8601. */
export type Duration = number | string;

/** A duration, or the shortest and the longest of several: `1d..3d`, `50-200` in milliseconds, or a list of the two. */
export type Span = Duration | readonly [shortest: Duration, longest: Duration];

/** The shortest and the longest of a span, in milliseconds. */
export type DurationRange = readonly [shortest: number, longest: number];

export const durationExpected = "a duration such as 90s, 2m, 1h30m, 2d or PT1H30M, of a hundred years at most";
export const spanExpected = "a duration such as 90s, 1h30m or 2d, or a span such as 1d..3d, the shorter one first";

const textPattern = String.raw`(?:(?:[\d.,]+(?:ms|[wdhms])?)+|P[\dTWDHMS.,]+)`;

/** JSON Schema of a duration. */
export const durationSchema = {
  type: ["number", "string"],
  minimum: 0,
  maximum: maxDuration,
  pattern: `^${textPattern}$`,
  description: "A duration: 90s, 2m, 1h30m, 2d, or PT1H30M of ISO 8601; a number is milliseconds.",
  examples: ["90s", "1h30m", "2d"],
};

const { description: _, examples: __, ...singleDurationSchema } = durationSchema;

export const spanPattern = String.raw`^${textPattern}(?:\.\.${textPattern}|-\d+)?$`;

const pairSchema = { type: "array", items: singleDurationSchema, minItems: 2, maxItems: 2 };

/** JSON Schema of a span. */
export const spanSchema = {
  anyOf: [{ ...singleDurationSchema, pattern: spanPattern }, pairSchema],
  description: "A duration: 90s, 1h30m, 2d; a number is milliseconds. Or a span of two: 1d..3d, the shorter one first.",
  examples: ["90s", "1d..3d"],
};

/** Returns the milliseconds of a duration in any form; undefined for any other value, and above a hundred years. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === "string") return readDurationText(value);
  return typeof value === "number" && value >= 0 && value <= maxDuration ? Math.round(value) + 0 : undefined;
}

/** Returns the bounds of a span or of a single duration; undefined for any other value. */
export function readSpan(value: unknown): DurationRange | undefined {
  const [from, to] = endsOf(value);
  const [shortest, longest] = [readDuration(from), readDuration(to)];
  return shortest === undefined || longest === undefined || longest < shortest ? undefined : [shortest, longest];
}

/** Returns the ends of a span: the sides of `..`, or the items of a pair. Any other value is both of its ends. */
export function endsOf(value: unknown): readonly [from: unknown, to: unknown] {
  // Looking back over a long text takes long, and no text of a span has more characters.
  const isText = typeof value === "string" && value.length <= 2 * maxTextLength + 2;
  const ends: readonly unknown[] = isText ? value.split(/\.\.|(?<=^\d+)-(?=\d+$)/) : Array.isArray(value) ? value : [];
  return ends.length === 2 ? [ends[0], ends[1]] : [value, value];
}

/** Characters of one duration or instant. */
const maxTextLength = 60;

function readDurationText(text: string): number | undefined {
  if (text === "" || text.length > maxTextLength) return undefined;
  const counts = (millisecondsPattern.exec(text) ?? compactPattern.exec(text) ?? isoPattern.exec(text))?.groups;
  if (!counts) return undefined;
  let milliseconds = 0;
  for (const [unit, length] of Object.entries(units)) {
    milliseconds += Number((counts[unit] ?? "0").replace(",", ".")) * length;
  }
  return milliseconds <= maxDuration ? Math.round(milliseconds) : undefined;
}

/** Writes a span as `readSpan` reads it: `1d..3d`, or one duration if its bounds are equal. */
export function formatSpan([shortest, longest]: DurationRange): string {
  return shortest === longest ? formatDuration(shortest) : `${formatDuration(shortest)}..${formatDuration(longest)}`;
}

/** Writes a duration in days and smaller units, as `readDuration` reads it: `2d`, `1h30m`, `0s`. */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds;
  const counts = (["d", "h", "m", "s", "ms"] as const).map((unit) => {
    const count = Math.floor(rest / units[unit]);
    rest -= count * units[unit];
    return count > 0 ? `${count}${unit}` : "";
  });
  return counts.join("") || "0s";
}

/** Formats a duration for people: `1 h 30 min`. */
export function describeDuration(milliseconds: number): string {
  const parts = formatDuration(milliseconds).matchAll(/(\d+)([a-z]+)/g);
  return Array.from(parts, ([, count, unit]) => `${count} ${unit === "m" ? "min" : unit}`).join(" ");
}

/** Formats a span for people: `1 d to 3 d`, or one duration if its bounds are equal. */
export function describeSpan([shortest, longest]: DurationRange): string {
  const formatShortest = describeDuration(shortest);
  return shortest === longest ? formatShortest : `${formatShortest} to ${describeDuration(longest)}`;
}
