import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatInstant, isCalendarDate, isInstant, parseIsoDate } from "../../src/time/instant.ts";

const digits = (number: number, length = 2): string => String(number).padStart(length, "0");

const firstInstant = -62_167_219_200_000;
const lastInstant = 253_402_300_799_999;

/** The parts of a point in time; the combination may not exist. */
const parts = fc.record({
  year: fc.constantFrom(0, 1, 99, 100, 1900, 1999, 2000, 2023, 2024, 9999),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.integer({ min: 0, max: 32 }),
  hour: fc.integer({ min: 0, max: 25 }),
  minute: fc.constantFrom(0, 1, 30, 59, 60),
  second: fc.constantFrom(0, 1, 59, 60, 61),
  fraction: fc.stringMatching(/^\d{1,6}$/),
  offset: fc.record({
    sign: fc.constantFrom("+", "-", " "),
    hours: fc.constantFrom(0, 1, 5, 12, 23, 24),
    minutes: fc.constantFrom(0, 1, 30, 45, 59, 60),
  }),
});

/** A written form of a time, with its precision. */
const form = fc.record({
  basic: fc.boolean(),
  separator: fc.constantFrom("T", "t", " "),
  precision: fc.constantFrom("day", "hour", "minute", "second", "fraction"),
  mark: fc.constantFrom(".", ","),
  zone: fc.constantFrom("none", "Z", "z", "hours", "basic", "extended"),
});

const leap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number): number =>
  [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

/** Days since the epoch, computed from the lengths of years and months. */
function dayNumber(year: number, month: number, day: number): number {
  let days = day - 1;
  for (let earlier = 1; earlier < month; earlier++) days += daysIn(year, earlier);
  const yearsDays = (before: number): number =>
    before * 365 + Math.ceil(before / 4) - Math.ceil(before / 100) + Math.ceil(before / 400);
  return days + yearsDays(year) - yearsDays(1970);
}

describe("a date", () => {
  test("in any form is read as its parts, or refused if they do not exist", () => {
    fc.assert(
      fc.property(parts, form, (parsed, { basic, separator, precision, mark, zone }) => {
        const { year, month, day } = parsed;
        const upTo = ["day", "hour", "minute", "second", "fraction"].indexOf(precision);
        const [hour = 0, minute = 0, second = 0] = [parsed.hour, parsed.minute, parsed.second].slice(0, upTo);
        const fraction = upTo === 4 ? parsed.fraction : "";
        const [hyphen, colon] = basic ? ["", ""] : ["-", ":"];
        const hasOffset = upTo > 0 && /hours|basic|extended/.test(zone);
        const { sign, ...offset } = hasOffset ? parsed.offset : { sign: "", hours: 0, minutes: 0 };
        const minutes = zone === "hours" ? 0 : offset.minutes;
        const zones = {
          none: "",
          Z: "Z",
          z: "z",
          hours: digits(offset.hours),
          basic: digits(offset.hours) + digits(minutes),
          extended: `${digits(offset.hours)}:${digits(minutes)}`,
        };
        const date = [digits(year, 4), digits(month), digits(day)].join(hyphen);
        const time = [hour, minute, second]
          .slice(0, upTo)
          .map((part) => digits(part))
          .join(colon);
        const text =
          upTo === 0 ? date : `${date}${separator}${time}${fraction && mark + fraction}${sign}${zones[zone]}`;

        const ahead = (sign === "-" ? -1 : 1) * (offset.hours * 60 + minutes);
        const seconds = dayNumber(year, month, day) * 86_400 + hour * 3600 + (minute - ahead) * 60 + second;
        const finer = Number(fraction.slice(3)) > 0 ? 0.5 : 0;
        const milliseconds = seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0")) + finer;
        const midnight = hour === 24 && minute === 0 && second === 0 && Number(fraction) === 0;
        const exists =
          month >= 1 &&
          month <= 12 &&
          day >= 1 &&
          day <= daysIn(year, month) &&
          (hour < 24 || midnight) &&
          minute < 60 &&
          second < 61 &&
          offset.hours < 24 &&
          minutes < 60 &&
          milliseconds >= firstInstant &&
          milliseconds <= lastInstant;
        expect(parseIsoDate(text), text).toEqual(exists ? { milliseconds, isDateOnly: upTo === 0 } : undefined);
        expect(isCalendarDate(text), text).toBe(exists && upTo === 0 && !basic);
        expect(isInstant(text), text).toBe(exists && text === new Date(milliseconds).toISOString());
        if (exists) expect(isInstant(formatInstant(Math.floor(milliseconds))), text).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("in an incomplete or unknown form is refused", () => {
    const words = `
      2026 2026-01 2026-0115 202601-15 2026-1-15 26-01-15 +2026-01-15 2026-01-15Z 2026-01-15T 2026-01-15T1
      2026-01-15T12: 2026-01-15T12:00:00. 2026-01-15T12.5 2026-01-15T12:00.5 2026-01-15T12:00+
      2026-01-15T24:00:00.001Z 2026-01-15T12:00+1 2026-01-15T12:00+01: 2026-01-15T12:00+01:0 2026-01-15T12:00ZZ
      2026-01-15T12:00:00.1234567890123456789012345678901 +010000-01-01T00:00:00.000Z
      -000001-12-31T23:59:59.999Z ٢٠٢٦-01-15
    `;
    const texts = [...words.split(/\s+/), " 2026-01-15", "2026-01-15 ", "2026-01-15T12:00Z\n"];
    expect(texts.filter((text) => parseIsoDate(text) || isInstant(text) || isCalendarDate(text))).toEqual([]);
  });
});

test("every day of the calendar is a date and an instant at midnight, and no other day is", () => {
  const wrong: string[] = [];
  for (const year of [1900, 2000, 2023, 2024]) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const date = `${year}-${digits(month)}-${digits(day)}`;
        const exists = day >= 1 && day <= daysIn(year, month);
        if (isCalendarDate(date) !== exists || isInstant(`${date}T00:00:00.000Z`) !== exists) wrong.push(date);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("the first instant of the year 0000 and the last of 9999 are read, and none outside", () => {
  expect(parseIsoDate("00000101T000000Z")?.milliseconds).toBe(Date.parse(formatInstant(firstInstant)));
  expect(parseIsoDate("99991231T235959.999Z")?.milliseconds).toBe(Date.parse(formatInstant(lastInstant)));
  expect(parseIsoDate("00000101T005959.999+01")).toBeUndefined();
  expect(parseIsoDate("99991231T235960Z")).toBeUndefined();
});

test.each([firstInstant - 1, lastInstant + 1, Number.NaN])("%d is outside the years 0000 to 9999", (milliseconds) => {
  expect(() => formatInstant(milliseconds)).toThrow(RangeError);
});
