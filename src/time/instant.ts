import { formatDuration } from "./duration.ts";
import { ConflictError } from "../validation/errors.ts";

/** An instant in the service's format, ISO 8601 in UTC with milliseconds: `2026-01-15T12:00:00.000Z` (section 2). */
export type Instant = string;

/** The first and last instant of the format, in milliseconds since the epoch. */
export const firstInstant = Date.parse("0000-01-01T00:00:00.000Z");
export const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** A string that sorts after every instant. */
export const never = "~";

/** Returns the earlier of two instants, either of which may be `never`. */
export function earlier(left: Instant, right: Instant): Instant {
  return left < right ? left : right;
}

/**
 * Returns milliseconds since the epoch that only run forward: the machine's time at the start of the process, plus the
 * time since then. Durations are measured in it, so setting the machine's clock changes none.
 */
export function realTime(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}

/** Writes milliseconds since the epoch in the service's format. Throws RangeError outside the years 0000 to 9999. */
export function formatInstant(milliseconds: number): Instant {
  if (milliseconds < firstInstant || milliseconds > lastInstant)
    throw new RangeError("an instant lies in the years 0000 to 9999");
  return new Date(milliseconds).toISOString();
}

/** Returns the instant some milliseconds after another. Throws ConflictError outside the years 0000 to 9999. */
export function instantAfter(instant: Instant, milliseconds: number): Instant {
  const date = Date.parse(instant) + milliseconds;
  if (date >= firstInstant && date <= lastInstant) return formatInstant(date);
  const [side, year] = milliseconds < 0 ? ["before", "0000"] : ["after", "9999"];
  throw new ConflictError(`${formatDuration(Math.abs(milliseconds))} ${side} ${instant} is ${side} the year ${year}`);
}

/** Instants on the days that every year has: nearly all. The pattern saves parsing a date. */
const plainInstantPattern =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Returns true for an existing instant in exactly the service's format. */
export function isInstant(text: string): text is Instant {
  if (plainInstantPattern.test(text)) return true;
  const milliseconds = text.length === 24 ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
}

export const instantExpected = "an instant such as 2026-01-15T12:00:00Z or 2026-01-15";

/** JSON Schema of an instant. */
export const instantSchema = {
  type: "string",
  pattern: String.raw`^\d{4}-?\d{2}-?\d{2}`,
  description: "An instant of ISO 8601: a date, or a date and a time, with any offset; without one it is UTC.",
  examples: ["2026-01-15T12:00:00.000Z", "2026-01-15"],
};

/** Reads an instant as people write it, `2026-01-15` or `2026-01-15T13:00+01:00`; undefined for any other value. */
export function readInstant(value: unknown): Instant | undefined {
  if (typeof value !== "string") return undefined;
  if (plainInstantPattern.test(value)) return value;
  const date = parseIsoDate(value);
  return date && formatInstant(Math.floor(date.milliseconds));
}

/** Returns true for an existing calendar date, `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  return text.length === 10 && parseIsoDate(text)?.isDateOnly === true;
}

interface IsoDate {
  /** Milliseconds since the epoch, plus 0.5 if the text has a finer fraction. */
  readonly milliseconds: number;
  /** True for a date without a time. */
  readonly isDateOnly: boolean;
}

/** Year, optional hyphen, month, day, hour, minute, second, fraction and zone. Named groups would be slower. */
const isoDatePattern =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,30}))?)?)?([Zz]|[+\- ]\d\d(?::?\d\d)?)?)?$/;

/**
 * Reads an ISO 8601 date, or date and time, extended or basic, with any offset; undefined for any other text. Second 60
 * counts as the second after it. A time without an offset is UTC, like all times of the service (section 2). A space
 * before the offset is read as `+`: query strings turn one into the other.
 */
export function parseIsoDate(text: string): IsoDate | undefined {
  if (plainInstantPattern.test(text)) return { milliseconds: Date.parse(text), isDateOnly: false };
  const parts = isoDatePattern.exec(text);
  if (!parts) return undefined;
  const midnight = utcDay(Number(parts[1]), Number(parts[3]), Number(parts[4]));
  if (midnight === undefined) return undefined;
  if (parts[5] === undefined) return { milliseconds: midnight, isDateOnly: true };
  const [hour, minute, second] = [Number(parts[5]), Number(parts[6] ?? 0), Number(parts[7] ?? 0)];
  const fraction = fractionOf(parts[8] ?? "");
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && fraction === 0;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 60) return undefined;
  const offset = offsetMinutes(parts[9] ?? "");
  if (offset === undefined) return undefined;
  const milliseconds = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
  return milliseconds >= firstInstant && milliseconds <= lastInstant ? { milliseconds, isDateOnly: false } : undefined;
}

function utcDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Returns milliseconds, plus 0.5 for any finer digits: a float would lose the last digits of a long fraction. */
function fractionOf(digits: string): number {
  return Number(digits.slice(0, 3).padEnd(3, "0")) + (/[1-9]/.test(digits.slice(3)) ? 0.5 : 0);
}

/** Returns the offset of a zone. Missing digits, as in `Z`, are zeros. */
function offsetMinutes(zone: string): number | undefined {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
