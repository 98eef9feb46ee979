/** An instant as the service writes it: ISO 8601, UTC, milliseconds: `2026-01-15T12:00:00.000Z` (section 2). */
export type Instant = string;

/** The first and the last instant that the format can name, in milliseconds since the epoch. */
export const firstInstant = Date.parse("0000-01-01T00:00:00.000Z");
export const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** Writes milliseconds since the epoch in the service's format. Throws RangeError outside the years 0000 to 9999. */
export function formatInstant(milliseconds: number): Instant {
  if (milliseconds < firstInstant || milliseconds > lastInstant)
    throw new RangeError("an instant lies in the years 0000 to 9999");
  return new Date(milliseconds).toISOString();
}

/** Instants of days that are in every year: all but a few, and told without working out a date. */
const plainInstant =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** True for text in exactly the service's format that names an existing instant. */
export function isInstant(text: string): text is Instant {
  if (plainInstant.test(text)) return true;
  const milliseconds = text.length === 24 ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
}

/** True for a calendar date that exists, written `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  return text.length === 10 && parseIsoDate(text)?.dateOnly === true;
}

/** What an ISO 8601 text says. */
export interface IsoDate {
  /** Milliseconds since the epoch; half a one more where the text is finer than a millisecond, by however little. */
  readonly milliseconds: number;
  /** True when the text names a day and no time of day. */
  readonly dateOnly: boolean;
}

/** Year, hyphen or none, month, day, hour, minute, second, fraction and zone. Its groups have no names: naming them costs more than they do. */
const isoDate =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,30}))?)?)?([Zz]|[+\- ]\d\d(?::?\d\d)?)?)?$/;

/**
 * Reads a calendar date or date and time of ISO 8601, extended or basic, with any offset; a leap second counts as the
 * second after it. A time without an offset is
 * UTC, as all the service's times are (section 2). Answers undefined for anything else.
 *
 * A `+` that a query string turned into a space is read as the `+` it was.
 */
export function parseIsoDate(text: string): IsoDate | undefined {
  if (plainInstant.test(text)) return { milliseconds: Date.parse(text), dateOnly: false };
  const parts = isoDate.exec(text);
  if (!parts) return undefined;
  const midnight = utcDay(Number(parts[1]), Number(parts[3]), Number(parts[4]));
  if (midnight === undefined) return undefined;
  if (parts[5] === undefined) return { milliseconds: midnight, dateOnly: true };
  const [hour, minute, second] = [Number(parts[5]), Number(parts[6] ?? 0), Number(parts[7] ?? 0)];
  const fraction = fractionOf(parts[8] ?? "");
  const endOfDay = hour === 24 && minute === 0 && second === 0 && fraction === 0;
  if ((hour > 23 && !endOfDay) || minute > 59 || second > 60) return undefined;
  const offset = offsetMinutes(parts[9] ?? "Z");
  if (offset === undefined) return undefined;
  const milliseconds = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
  return milliseconds >= firstInstant && milliseconds <= lastInstant ? { milliseconds, dateOnly: false } : undefined;
}

function utcDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Milliseconds, and half a one for all that is finer: a number would lose the last of many digits. */
function fractionOf(digits: string): number {
  return Number(digits.slice(0, 3).padEnd(3, "0")) + (/[1-9]/.test(digits.slice(3)) ? 0.5 : 0);
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
