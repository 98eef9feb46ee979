import { z } from "zod";
import { isCalendarDate, isInstant } from "../instant.ts";
import { isExactMoney, largestAmount } from "../money.ts";
import { isUuid } from "../uuid.ts";

/** Checks that more than one resource uses. `error` says what is expected; `meta` is what the JSON Schema shows. */

export const uuid = z
  .string()
  .refine((text) => isUuid(text) && text === text.toLowerCase(), { error: "a UUID in lower case" })
  .meta({ format: "uuid" });

export const instant = z
  .string()
  .refine(isInstant, { error: "an instant in UTC with milliseconds, such as 2026-01-15T12:00:00.000Z" })
  .meta({ format: "date-time", pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$` });

export const calendarDate = z
  .string()
  .refine(isCalendarDate, { error: "a date, such as 1987-04-30" })
  .meta({ format: "date", pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

export const money = z
  .number()
  .nonnegative({ error: "an amount of 0 or more", abort: true })
  .refine((amount) => amount <= largestAmount, {
    error: `an amount of at most ${largestAmount.toLocaleString("en")}`,
    abort: true,
  })
  .refine(isExactMoney, { error: "an amount with at most two decimal places" })
  .meta({ description: "Decimal units with two places." });

export const email = z.email({ error: "an e-mail address, such as ada@example.com" });
