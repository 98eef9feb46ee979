import { z } from "zod";
import { parseDuration } from "../duration.ts";
import { isMembers } from "../members.ts";
import { duration } from "./duration.ts";
import { uuid } from "./values.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const pathExpected =
  "a path pattern below the base address such as /investments/:id/events, where * or :id stands for one segment and ** for any number";

const path = z
  .string()
  .regex(/^\/[^\s?#]{0,199}$/, { error: pathExpected })
  .meta({ description: "A pattern for the path below the base address: * or :id is one segment, ** any number." });

/** An answer ends with a status of 200 or more. */
const statusExpected = "a status from 200 to 599";
const status = z.int({ error: statusExpected }).min(200, { error: statusExpected }).max(599, { error: statusExpected });

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, { error: "the name of a header, such as Retry-After" })
  .refine((name) => !/^(?:connection|content-length|transfer-encoding)$/i.test(name), {
    error: "a header that the server does not set itself",
  });

const headerExpected = "the text of a header in printable ASCII, or a whole number";
const headerValue = z.union(
  [z.string().regex(/^[\t\x20-\x7e]{0,1000}$/, { error: headerExpected }), z.int({ error: headerExpected })],
  { error: headerExpected },
);

const respond = z
  .strictObject({
    status,
    headers: z.record(headerName, headerValue).optional(),
    body: z.unknown().optional().meta({ description: "A text is sent as it is, anything else as JSON; left out: none." }),
  })
  .meta({ description: "What is answered instead." });

/** As long as anybody waits for an answer. */
const longestDelay = 10 * 60_000;
const delay = duration
  .refine((text) => (parseDuration(text) ?? 0) <= longestDelay, { error: "a duration of ten minutes at most" })
  .meta({ description: "How long an answer waits." });

const times = z
  .int({ error: "a whole number of 1 or more" })
  .min(1, { error: "a whole number of 1 or more" })
  .meta({ description: "How many requests it strikes; left out: any number." });

const match = z
  .strictObject({ path: path.optional(), method: z.enum(methods).optional(), key_id: uuid.optional() })
  .meta({ description: "Which requests; those of which all of this is true. Left out: all." });

/** The members of a fault, for what a fault is part of. */
export const faultMembers = z.strictObject({
  match: match.optional(),
  respond: respond.optional(),
  delay: delay.optional(),
  connection: z.enum(["reset", "empty"]).optional().meta({ description: "How the connection ends without an answer." }),
  times: times.optional(),
});

/** What a fault must do: the check of a schema made of `faultMembers`. */
export const doesSomething = [
  (fault: object): boolean => {
    const [responds, breaks] = ["respond" in fault, "connection" in fault];
    return !(responds && breaks) && (responds || breaks || "delay" in fault);
  },
  {
    error: `one of "respond" and "connection", with or without a "delay", or a "delay" alone`,
    when: ({ value }: { value: unknown }): boolean => isMembers(value),
  },
] as const;

/** A rule that makes matching requests fail or wait. */
export const faultRule = faultMembers.refine(...doesSomething);
