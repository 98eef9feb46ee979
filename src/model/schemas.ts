import { z } from "zod";
import { inputLimits } from "../bounds/bounds.ts";
import {
  type Duration,
  durationExpected,
  durationSchema,
  readDuration,
  readSpan,
  type Span,
  spanExpected,
  spanSchema,
} from "../time/duration.ts";
import { instantExpected, instantSchema, isCalendarDate, isInstant, readInstant } from "../time/instant.ts";
import { minUnits, isExactMoney, isQuantity, maxAmount, maxUnits } from "./money.ts";
import { isLabel, isUuid, labelExpected } from "../text/text.ts";
import { keyTypes, shownStatuses } from "./vocabulary.ts";

/** Schemas of values, then of resources. `error` is the expected value; `meta` goes into the JSON Schemas. */

export const uuid = z
  .string()
  .refine((text) => isUuid(text) && text === text.toLowerCase(), { error: "a UUID in lower case" })
  .meta({ format: "uuid" });

export const instant = z
  .string()
  .refine(isInstant, { error: "an instant in UTC with milliseconds, such as 2026-01-15T12:00:00.000Z" })
  .meta({ format: "date-time", pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$` });

/** An instant as people write it. Parsing gives it the service's format. */
export const writtenInstant = z
  .string()
  .refine((text) => readInstant(text) !== undefined, { error: instantExpected, abort: true })
  .overwrite((text) => readInstant(text) ?? text)
  .meta({ id: "instant", ...instantSchema });

/** Returns the members of a resource as people write them: with instants of any form. */
export function written<Shape extends z.core.$ZodLooseShape>(shape: Shape): Shape {
  const members = Object.entries(shape).map(([name, schema]) => [name, schema === instant ? writtenInstant : schema]);
  return Object.fromEntries(members) as Shape;
}

export const calendarDate = z
  .string()
  .refine(isCalendarDate, { error: "a date, such as 1987-04-30" })
  .meta({ format: "date", pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });

const money = z
  .number()
  .nonnegative({ error: "an amount of 0 or more", abort: true })
  .refine((amount) => amount <= maxAmount, {
    error: `an amount of at most ${maxAmount.toLocaleString("en")}`,
    abort: true,
  })
  .refine(isExactMoney, { error: "an amount with at most two decimal places" })
  .meta({ description: "Decimal units with two places." });

const emailExpected = "an email address, such as ada@example.com";
export const email = z.email({ error: emailExpected }).max(254, { error: emailExpected });

const textMax = z.maxLength(inputLimits.text, {
  error: `a string of at most ${inputLimits.text.toLocaleString("en")} characters`,
});

/** A string of a resource. */
export const text = z.string().check(textMax);

/** Creates the schema of an integer in a range. Stops at the first issue, since all have the same message. */
export function wholeNumber(from: number, to: number, error = `an integer from ${from} to ${to}`): z.ZodInt {
  return z.int({ error, abort: true }).min(from, { error }).max(to, { error });
}

/** The issues so far in items of the value that is being read, by the context of the reading. */
const issueCounts = new WeakMap<object, number>();

/**
 * Creates the schema of a list whose items are counted before any of them is read, and read only up to the last error
 * that is looked for: each wrong item takes time. In a union, no other alternative may take a list.
 */
export function listOf<Item extends z.ZodType>(item: Item, max = Infinity, noun = "items"): z.ZodArray<Item> {
  const { _zod: internals } = item;
  const run = internals.run.bind(internals);
  internals.run = (payload, context) => {
    const before = issueCounts.get(context) ?? 0;
    if (before >= inputLimits.foundErrors) return payload;
    const result = run(payload, context) as z.core.ParsePayload;
    const [first] = result.issues;
    if (!first) return result;
    // A union shows one issue in place of those in its alternatives.
    const count = Math.max(issueCounts.get(context) ?? 0, before + result.issues.length);
    issueCounts.set(context, count);
    // No refinement may rely on items that are not read.
    if (count >= inputLimits.foundErrors) Object.assign(first, { continue: false });
    return result;
  };
  const list = z.array(item);
  return max < Infinity ? list.max(max, { error: `at most ${max.toLocaleString("en")} ${noun}` }) : list;
}

/** Returns the error for a value that is not an object; the example names the object's members. */
export function objectLike(example: string) {
  const error = ({ code }: z.core.$ZodRawIssue): string | undefined =>
    code === "invalid_type" ? `an object such as ${example}` : undefined;
  return { error };
}

/** Creates the schema of a value that is checked by the function that reads it. */
export function readBy<Value>(
  read: (value: unknown) => unknown,
  error: string,
  schema: z.core.GlobalMeta,
): z.ZodType<Value> {
  const value = z.unknown().refine((input) => read(input) !== undefined, { error });
  return value.meta(schema) as unknown as z.ZodType<Value>;
}

export const duration = readBy<Duration>(readDuration, durationExpected, { id: "duration", ...durationSchema });

export const span = readBy<Span>(readSpan, spanExpected, { id: "span", ...spanSchema });

/** Section 2.4. */
export const offeringAttributes = z.strictObject({
  name: text,
  status: text.meta({ description: "Value seen: ACTIVE.", examples: ["ACTIVE"] }),
  create_date: instant,
  modify_date: instant,
});

const quantityExpected = `a number of units: 0, or from ${minUnits} to ${maxUnits.toLocaleString("en")}`;
const numberExpected = `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`;

/** Section 2.1. */
export const investmentAttributes = z.strictObject({
  id: uuid.meta({ description: "Same as the resource's id." }),
  amount: money.meta({ description: "Total amount of the investment." }),
  price: money.meta({ description: "Price per unit." }),
  quantity: z
    .number()
    .nonnegative({ error: quantityExpected, abort: true })
    .refine(isQuantity, { error: quantityExpected })
    .meta({ description: "Number of units." }),
  paid_amount: money.meta({ description: "Amount paid so far." }),
  investment_number: z
    .int({ error: numberExpected })
    .positive({ error: numberExpected })
    .meta({ description: "Sequence number of the investment." }),
  expedited: z.boolean(),
  step: text.nullable().meta({
    description: "Current step; null when no step applies. Value seen: SIGNERS.",
    examples: ["SIGNERS", null],
  }),
  status: text.meta({ description: "Values seen: CLOSED, PENDING.", examples: [...shownStatuses] }),
  create_date: instant,
  modify_date: instant,
});

/** Section 2.3. */
export const investorAttributes = z.strictObject({
  first_name: text,
  middle_name: text.nullable(),
  last_name: text,
  email,
  company: text.nullable(),
  is_primary: z.boolean(),
  is_kyc: z.boolean(),
  is_signer: z.boolean(),
  tax_id: text.nullable().meta({ description: "Personal data." }),
  ein: text.nullable().meta({ description: "Personal data." }),
  address_street_1: text.nullable().meta({ description: "Personal data." }),
  address_street_2: text.nullable().meta({ description: "Personal data." }),
  address_city: text.nullable().meta({ description: "Personal data." }),
  address_state: text.nullable().meta({ description: "Personal data." }),
  address_postal_code: text.nullable().meta({ description: "Personal data." }),
  address_country_code: text.nullable().meta({ description: "Personal data." }),
  accredited: z.boolean().nullable().meta({ description: "Personal data." }),
  annual_income: z.number().nullable().meta({ description: "Personal data." }),
  birthdate: calendarDate.nullable().meta({ description: "Personal data. A date, YYYY-MM-DD." }),
  citizenship: text.nullable().meta({ description: "Value seen: US_CITIZEN.", examples: ["US_CITIZEN", null] }),
  ta_account_type: text.nullable().meta({ description: "Redacted for a Marketing API key, as personal data is." }),
  ta_sub_type: text.nullable().meta({
    description: "Value seen: an uppercase code with spaces. Redacted for a Marketing API key, as personal data is.",
  }),
});

/** Section 2.2. */
export const signingPartyAttributes = z.strictObject({
  first_name: text.nullable(),
  middle_name: text.nullable(),
  last_name: text.nullable(),
  email,
  phone_number: text.meta({ description: "Present for a Marketing API key; omitted for a Partner API key." }),
  status: text.optional().meta({ description: "Value seen: signed. Derived from `signed` if omitted." }),
  signed: z.boolean(),
  countersigner: z.boolean(),
});

/** Section 2.5. */
export const paymentAttributes = z.strictObject({
  amount: money,
  status: z
    .enum(["succeeded", "pending", "failed"])
    .meta({ description: "Value seen: succeeded; the others are assumed (payment.statuses)." }),
  category: text.meta({ description: "The payment processor's name in uppercase." }),
  create_date: instant,
  modify_date: instant,
});

/** Section 2.6. */
export const eventMembers = z.strictObject({
  event: text.meta({
    description: "Kind of event.",
    examples: ["REGISTRATION", "PROFILE", "SUBSCRIPTION", "PAYMENT", "ADDRESS"],
  }),
  action: z
    .string({ error: 'the second word of an event, such as SUBMITTED next to "event": "PAYMENT"' })
    .check(textMax)
    .meta({ description: "The action within that kind.", examples: ["SUBMITTED", "COMPLETED", "APPROVED"] }),
  description: text.nullable().meta({ description: "Null in every case seen." }),
  create_date: instant,
});

/** Creates the schema of an event's `event` or `action` in commands and scenarios; a terminal shows both. */
export function eventWord(example: string) {
  const error = { error: `a word of up to 100 characters, such as ${example}` };
  return z
    .string(error)
    .regex(/^\S{1,100}$/, { ...error, abort: true })
    .refine(isLabel, error);
}

/** The name of a key. */
export const label = z.string().refine(isLabel, { error: labelExpected });

/** A fake API key (section 5). */
export const keyRecord = z.strictObject({
  id: uuid,
  key: z
    .string()
    .regex(/^[A-Za-z0-9._~+/-]{8,200}=*$/, { error: "a bearer token: 8 to 200 letters, digits or . _ ~ + / -" })
    .meta({ description: "The secret itself." }),
  type: z.enum(keyTypes),
  label: label.nullable(),
  create_date: instant,
  revoke_date: instant.nullable().meta({ description: "From this instant on the key is revoked." }),
  personal_data: z.boolean().meta({
    description: "True if access to personal data was granted; matters under `auth.partner_data=on-request`.",
  }),
  at_limit: z.boolean().meta({ description: "True if the key's first minute begins with all its requests used." }),
});
