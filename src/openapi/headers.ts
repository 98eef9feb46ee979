import type { AssumptionValue } from "../assumptions/catalog.ts";
import { orderOfErrors } from "../assumptions/precedence.ts";
import { inertHeaders } from "../text/json-text.ts";
import type { HeaderObject, JsonObject, Ref, ServiceSettings } from "./openapi-types.ts";

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

/** Describes each header; undefined where no response has it. */
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
  "X-Content-Type-Options": (settings) => inertHeader("X-Content-Type-Options", settings),
  "Content-Security-Policy": (settings) => inertHeader("Content-Security-Policy", settings),
  RateLimit: (settings) => draft8("The remaining requests", settings),
  "RateLimit-Policy": (settings) => draft8("The limit", settings),
  "X-RateLimit-Limit": (settings) => xRateLimit("Requests a minute", settings),
  "X-RateLimit-Remaining": (settings) => xRateLimit("The remaining requests", settings),
  "X-RateLimit-Reset": (settings) => xRateLimit("The end of the window, in seconds since 1970", settings),
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
} as const satisfies Readonly<Record<string, (settings: ServiceSettings) => HeaderObject | undefined>>;

function inertHeader(name: string, { assumptions }: ServiceSettings): HeaderObject | undefined {
  const value = inertHeaders(assumptions.content_type)[name];
  if (value === undefined) return undefined;
  return {
    description: "Next to a body that is not of a JSON type: prevents a browser from running it.",
    required: false,
    schema: { type: "string", enum: [value] },
    "x-assumptions": ["content_type"],
  };
}

function draft8(subject: string, settings: ServiceSettings): HeaderObject | undefined {
  return limitHeader("draft-8", settings, `${subject}, as in draft 8 of RateLimit headers for HTTP.`, textHeader);
}

function xRateLimit(subject: string, settings: ServiceSettings): HeaderObject | undefined {
  return limitHeader("x-ratelimit", settings, `${subject}.`, { type: "integer", minimum: 0 });
}

function limitHeader(
  form: AssumptionValue<"limit.headers">,
  { assumptions, rateLimit }: ServiceSettings,
  description: string,
  schema: JsonObject,
): HeaderObject | undefined {
  if (rateLimit === 0 || assumptions["limit.headers"] !== form) return undefined;
  // A request without a key, which has no limit, gets an error that precedes the 401.
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

/** Returns references to headers by name, except headers that no response has under these settings. */
export function headerRefs(names: readonly HeaderName[], settings: ServiceSettings): Record<string, Ref> {
  const sentNames = names.filter((name) => headerObjects[name](settings));
  return Object.fromEntries(sentNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Describes the headers of responses under these settings, by name. */
export function describeHeaders(settings: ServiceSettings): Record<string, HeaderObject> {
  const described = Object.entries(headerObjects).map(([name, describe]) => [name, describe(settings)] as const);
  return Object.fromEntries(described.filter((entry): entry is [HeaderName, HeaderObject] => entry[1] !== undefined));
}
