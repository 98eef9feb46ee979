import type { AssumptionValue } from "../assumptions/catalog.ts";
import { orderOfErrors } from "../assumptions/precedence.ts";
import { inertHeaders } from "../text/json-text.ts";
import type { HeaderObject, JsonObject, Ref, Terms } from "./openapi-types.ts";

const textHeader = { type: "string" } as const;

const retryAfterHeader = {
  seconds: {
    description: "Whole seconds to wait.",
    schema: { type: "integer", minimum: 1 },
  },
  "http-date": {
    description: "The time when requests succeed again, as an HTTP date.",
    schema: {
      type: "string",
      pattern: String.raw`^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$`,
    },
  },
} as const;

/** Describes each header; undefined where no response carries it. */
const headerObjects = {
  "Sandbox-Version": () => ({ description: "The version of the sandbox.", required: true, schema: textHeader }),
  "Sandbox-Assumptions": () => ({
    description:
      "The assumptions that this response depends on, those that a calibration decided marked; absent without any, or when switched off.",
    required: false,
    schema: {
      type: "string",
      pattern: String.raw`^[a-z_]+(\.[a-z_]+)?(;calibrated)?(, [a-z_]+(\.[a-z_]+)?(;calibrated)?)*$`,
    },
  }),
  "X-Content-Type-Options": (terms) => inertHeader("X-Content-Type-Options", terms),
  "Content-Security-Policy": (terms) => inertHeader("Content-Security-Policy", terms),
  RateLimit: (terms) => draft8("The remaining requests", terms),
  "RateLimit-Policy": (terms) => draft8("The limit", terms),
  "X-RateLimit-Limit": (terms) => xRateLimit("Requests a minute", terms),
  "X-RateLimit-Remaining": (terms) => xRateLimit("The remaining requests", terms),
  "X-RateLimit-Reset": (terms) => xRateLimit("The end of the window, in seconds since 1970", terms),
  "Retry-After": ({ assumptions, rateLimit }) => {
    if (rateLimit === 0) return undefined;
    const ids = ["limit.retry_after", "limit.window"];
    return { ...retryAfterHeader[assumptions["limit.retry_after"]], required: true, "x-assumptions": ids };
  },
  "WWW-Authenticate": ({ assumptions }) => {
    if (assumptions["errors.www_authenticate"] === "no") return undefined;
    const schema = { type: "string", enum: ["Bearer"] };
    return { description: "The scheme to use.", required: true, schema, "x-assumptions": ["errors.www_authenticate"] };
  },
} as const satisfies Readonly<Record<string, (terms: Terms) => HeaderObject | undefined>>;

function inertHeader(name: string, { assumptions }: Terms): HeaderObject | undefined {
  const value = inertHeaders(assumptions.content_type)[name];
  if (value === undefined) return undefined;
  return {
    description: "Next to a body that is not of a JSON type: prevents a browser from running it.",
    required: false,
    schema: { type: "string", enum: [value] },
    "x-assumptions": ["content_type"],
  };
}

function draft8(subject: string, terms: Terms): HeaderObject | undefined {
  return limitHeader("draft-8", terms, `${subject}, as in draft 8 of RateLimit headers for HTTP.`, textHeader);
}

function xRateLimit(subject: string, terms: Terms): HeaderObject | undefined {
  return limitHeader("x-ratelimit", terms, `${subject}.`, { type: "integer", minimum: 0 });
}

function limitHeader(
  form: AssumptionValue<"limit.headers">,
  { assumptions, rateLimit }: Terms,
  description: string,
  schema: JsonObject,
): HeaderObject | undefined {
  if (rateLimit === 0 || assumptions["limit.headers"] !== form) return undefined;
  // Errors that precede the 401 also response requests without a key.
  const required = orderOfErrors(assumptions.precedence)[0] === "401";
  return { description, required, schema, "x-assumptions": ["limit.headers", "limit.window", "limit.counts"] };
}

/** A response header that HTTP itself does not define. */
type HeaderName = keyof typeof headerObjects;

/** The headers of every response to a request with an active key. */
export const limitHeaderNames = [
  "RateLimit",
  "RateLimit-Policy",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly HeaderName[];

/** The headers of every response. */
export const commonHeaders = [
  "Sandbox-Version",
  "Sandbox-Assumptions",
  "X-Content-Type-Options",
  "Content-Security-Policy",
] as const satisfies readonly HeaderName[];

/** Returns references to headers by name, except headers that no response carries under these terms. */
export function headerRefs(names: readonly HeaderName[], terms: Terms): Record<string, Ref> {
  const carried = names.filter((name) => headerObjects[name](terms));
  return Object.fromEntries(carried.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function carriedHeaders(terms: Terms): Record<string, HeaderObject> {
  const described = Object.entries(headerObjects).map(([name, describe]) => [name, describe(terms)] as const);
  return Object.fromEntries(described.filter((entry): entry is [HeaderName, HeaderObject] => entry[1] !== undefined));
}
