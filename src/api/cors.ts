import type { IncomingHttpHeaders } from "node:http";
import type { AssumptionValue } from "../assumptions/catalogue.ts";

/** Which origins may call from a browser; `*` among them is any. */
export type CorsOrigins = ReadonlySet<string>;

const exposed = "Retry-After, RateLimit, RateLimit-Policy, Sandbox-Assumptions, Sandbox-Version";

/** The CORS headers of an answer to a request of another origin; none for a request without an origin. */
export function corsHeaders(
  { origin }: IncomingHttpHeaders,
  origins: CorsOrigins,
  allowed: () => AssumptionValue<"cors">,
): Record<string, string> {
  if (origin === undefined || allowed() === "no") return {};
  const any = origins.has("*");
  if (!any && !origins.has(origin)) return { Vary: "Origin" };
  return {
    "Access-Control-Allow-Origin": any ? "*" : origin,
    "Access-Control-Expose-Headers": exposed,
    Vary: "Origin",
  };
}

/** True for the question that a browser asks before a request of another origin. */
export function isPreflight(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** What a preflight is told beside the CORS headers. `*` does not cover Authorization, so it is named. */
export const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, *",
  "Access-Control-Max-Age": "600",
} as const;
