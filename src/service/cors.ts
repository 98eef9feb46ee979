import type { IncomingMessage } from "node:http";
import type { Ledger } from "./ledger.ts";

/** Which origins may call from a browser; `*` among them is any. */
export type CorsOrigins = ReadonlySet<string>;

type Asking = Pick<IncomingMessage, "method" | "headers">;

const exposed = "Retry-After, RateLimit, RateLimit-Policy, Sandbox-Assumptions, Sandbox-Version";

/** What a preflight is told. `*` does not cover Authorization, so it is named. */
const granted = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, *",
  "Access-Control-Max-Age": "600",
};

/** The CORS headers of an answer to a request of another origin; none for a request without an origin. */
export function corsHeaders(request: Asking, origins: CorsOrigins, ledger: Ledger): Readonly<Record<string, string>> {
  const { origin } = request.headers;
  if (origin === undefined || ledger.value("cors") === "no") return {};
  const any = origins.has("*");
  if (!any && !origins.has(origin)) return { Vary: "Origin" };
  return {
    "Access-Control-Allow-Origin": any ? "*" : origin,
    Vary: "Origin",
    ...(isPreflight(request) ? granted : { "Access-Control-Expose-Headers": exposed }),
  };
}

/** True for the question that a browser asks before a request of another origin. */
export function isPreflight({ method, headers }: Asking): boolean {
  return method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}
