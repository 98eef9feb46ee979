import type { IncomingMessage } from "node:http";
import type { Ledger } from "./ledger.ts";

/** The origins whose pages may call; `*` means any. */
export type CorsOrigins = ReadonlySet<string>;

type RequestHead = Pick<IncomingMessage, "method" | "headers">;

const exposed =
  "Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
  "Sandbox-Assumptions, Sandbox-Version";

/** Headers of the answer to a preflight. `*` does not cover Authorization, so it is named. */
const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, *",
  "Access-Control-Max-Age": "600",
};

/** Returns the CORS headers of an answer; none for a request without an origin. */
export function corsHeaders(request: RequestHead, origins: CorsOrigins, ledger: Ledger): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined || ledger.value("cors") === "no") return {};
  const any = origins.has("*");
  if (!any && !origins.has(origin)) return { Vary: "Origin" };
  return {
    "Access-Control-Allow-Origin": any ? "*" : origin,
    Vary: "Origin",
    ...(isPreflight(request) ? preflightHeaders : { "Access-Control-Expose-Headers": exposed }),
  };
}

/** Recognizes the request that a browser sends before one to another origin. */
export function isPreflight({ method, headers }: RequestHead): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}
