import { z } from "zod";
import { inputLimits } from "../bounds/bounds.ts";
import { type Duration, durationSchema, maxDelay, readDuration, readSpan } from "../time/duration.ts";
import { isMembers } from "../validation/members.ts";
import { duration, objectLike, readBy, span, text, wholeNumber } from "./schemas.ts";

const pathExpected =
  "a path pattern below the base address such as /investments/:id/events, where *, :id or {id} stands for one segment and ** for any number";

const faultPath = z
  .string()
  .regex(/^\/[^\s?#]{0,199}$/, { error: pathExpected })
  .meta({
    description: "A pattern for the path below the base address: *, :id or {id} is one segment, ** any number.",
  });

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, { error: "the name of a header, such as Retry-After" })
  .refine((name) => !/^(?:connection|content-length|transfer-encoding)$/i.test(name), {
    error: "a header that the server does not set itself",
  });

const headerExpected = "the text of a header in printable ASCII, or an integer";
const headerValue = z.union(
  [z.string().regex(/^[\t\x20-\x7e]{0,1000}$/, { error: headerExpected }), z.int({ error: headerExpected })],
  { error: headerExpected },
);

/** Creates the schema of a share from 0 to 1. The error for a percentage has the number that it means. */
function share(expected: string): z.ZodNumber {
  const error = ({ input }: z.core.$ZodRawIssue): string => {
    const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(typeof input === "string" ? input : "") ?? [];
    return percent === undefined ? expected : `${expected}, such as ${Number(percent) / 100}`;
  };
  return z.number({ error }).min(0, { error }).max(1, { error });
}

/** Counts the characters of headers as they are sent: each line has four more, `: ` and its end. */
function lengthOf(headers: Readonly<Record<string, unknown>>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + String(value).length + 4, 0);
}

const faultResponse = z
  .strictObject(
    {
      // No 1xx: those announce a response and do not end it.
      status: wholeNumber(200, 599, "a status from 200 to 599").meta({
        description: "Status of the response, from 200 to 599.",
      }),
      headers: z
        .record(headerName, headerValue)
        .refine((headers) => lengthOf(headers) <= inputLimits.faultHeaders, {
          error: `${inputLimits.faultHeaders.toLocaleString("en")} characters at most in all headers together`,
        })
        .optional(),
      body: z
        .unknown()
        .refine((value) => JSON.stringify(value).length <= inputLimits.faultBody, {
          error: `a value that JSON can hold in ${inputLimits.faultBody.toLocaleString("en")} characters`,
        })
        .optional()
        .meta({ description: "A string is sent as it is, any other value as JSON.", "x-default": "none" }),
    },
    objectLike("{ status: 503 }"),
  )
  .meta({ description: "The response to send instead." });

function readPause(value: unknown): number | undefined {
  const milliseconds = readDuration(value) ?? 0;
  return milliseconds >= 1 && milliseconds <= maxDelay ? milliseconds : undefined;
}

const faultDrip = z
  .strictObject(
    {
      bytes: wholeNumber(1, inputLimits.drip).meta({ description: "Number of bytes in a piece." }),
      every: readBy<Duration>(readPause, "a duration from 1ms to ten minutes", durationSchema).meta({
        description: 'Time between two pieces, from 1 to 600,000 milliseconds: "1s", or a number.',
      }),
    },
    objectLike("{ bytes: 100, every: 1s }"),
  )
  .meta({ description: "Sends the true response's body in pieces, the first one at once. Leaves HEAD alone." });

const faultMatch = z
  .strictObject({
    path: faultPath.optional(),
    method: z
      .enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      .optional()
      .meta({ description: "Method of the request." }),
    key_id: text
      .min(1, { error: "the id, alias or label of a key" })
      .meta({ description: "The id, alias, label or secret of a key." })
      .optional(),
  })
  .meta({ description: "Requests it applies to; all members must match.", "x-default": "every request" });

/** The members of a fault. */
const faultMembers = z.strictObject(
  {
    match: faultMatch.optional(),
    respond: faultResponse.optional(),
    delay: span
      .meta({
        description:
          'Delay before the response, ten minutes at most: milliseconds, "90s", or a span from which each delay is sampled, "1s..3s".',
      })
      .optional(),
    connection: z
      .enum(["reset", "empty"])
      .optional()
      .meta({ description: "Ends the connection without a response: by a reset, or by closing it." }),
    truncate: share("the share of the body to send, from 0 to 1")
      .meta({
        description:
          "Sends the true response's headers and this share of its body's bytes, 0 to 1, then ends the connection. Leaves HEAD alone.",
      })
      .optional(),
    drip: faultDrip.optional(),
    times: z
      .int({ error: "an integer of 1 or more" })
      .min(1, { error: "an integer of 1 or more" })
      .meta({ description: "Number of requests it applies to.", "x-default": "unlimited" })
      .optional(),
    share: share("a share of the matching requests, from 0 to 1")
      .meta({
        description: "The share of the matching requests that it applies to, 0 to 1, sampled from the seed.",
        "x-default": "1",
      })
      .optional(),
  },
  {
    // A member of `respond` may have been written next to it.
    error: ({ code, keys }) =>
      code === "unrecognized_keys" && keys.every((name) => Object.hasOwn(faultResponse.shape, name))
        ? "it in respond: { status: 503 }"
        : undefined,
  },
);

/** Skips the check if a member is unknown, because that may be the misspelled missing member. */
const when = ({ value, issues }: z.core.ParsePayload): boolean =>
  isMembers(value) && !issues.some(({ code }) => code === "unrecognized_keys");

/** Effects on the response; a fault has at most one of them. */
const responseEffects = ["respond", "connection", "truncate", "drip"];
const oneEffect = 'one of "respond", "connection", "truncate" and "drip"';

function effectsExpected({ input }: z.core.$ZodRawIssue): string {
  const namedEffects = responseEffects
    .filter((effect) => isMembers(input) && effect in input)
    .map((effect) => `"${effect}"`);
  return namedEffects.length > 1
    ? `${oneEffect} alone, and has ${namedEffects.join(" and ")}`
    : `${oneEffect}, with or without a "delay", or a "delay" alone`;
}

/** Checks the members together: a fault does one thing to the response, delays it for ten minutes at most, or both. */
function whole<Members extends z.ZodObject>(members: Members): Members {
  return members
    .refine(
      (fault) => {
        const effectCount = responseEffects.filter((effect) => effect in fault).length;
        return effectCount === 1 || (effectCount === 0 && "delay" in fault);
      },
      { error: effectsExpected, when },
    )
    .refine(({ delay }) => (readSpan(delay)?.[1] ?? 0) <= maxDelay, {
      error: "a duration of ten minutes at most",
      path: ["delay"],
      when,
    });
}

/** A fault as it is stored, next to the instant of its end. */
export const storedFault = whole(faultMembers);

export const faultRule = whole(
  faultMembers.extend({
    for: duration.optional().meta({
      description: 'How long it lasts by the environment\'s clock: "30s", or milliseconds.',
      "x-default": "until it is removed",
    }),
  }),
);
