import type { NextFunction, Request, RequestHandler } from "express";
import { type ClientRateLimitInfo, rateLimit, type RateLimitInfo, type Store } from "express-rate-limit";
import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { EnvironmentView } from "../environment/view.ts";
import type { Exchange } from "./call.ts";

/** Counts in an environment, whose time real requests and advances of its clock both move. */
class EnvironmentStore implements Store {
  readonly localKeys = true;
  readonly #environment: EnvironmentView;

  constructor(environment: EnvironmentView) {
    this.#environment = environment;
  }

  increment(keyId: string): ClientRateLimitInfo {
    const { used, resetsIn } = this.#environment.hit(keyId);
    // The middleware measures against the machine's clock; what is left of the window is put in its terms.
    return { totalHits: used, resetTime: new Date(Date.now() + resetsIn) };
  }

  // Nothing here takes a request back: every one with a valid key counts, whatever its answer (`limit.counts`).
  decrement(): void {}
  resetKey(): void {}
}

/** Counts each call that has a key against the limit of that key, and marks those over it (section 8). */
export function createLimit(): (exchange: Exchange) => Promise<unknown> | undefined {
  const limiters = new WeakMap<EnvironmentView, Partial<Record<AssumptionValue<"limit.headers">, RequestHandler>>>();
  return ({ call, response }) => {
    const { authentication, environment, ledger } = call;
    if (!("issued" in authentication) || environment.rateLimit === 0) return undefined;
    const headers = ledger.value("limit.headers");
    const known = limiters.get(environment) ?? {};
    limiters.set(environment, known);
    known[headers] ??= createLimiter(environment, headers);
    const counted: Counted = { keyId: authentication.issued.key.id };
    const goOn: NextFunction = (error?: unknown) => {
      if (error) throw error;
      const { used, limit, resetTime } = (counted as Limited).rateLimit;
      if (used > limit) call.retryIn = Math.max(0, (resetTime?.getTime() ?? 0) - Date.now());
    };
    return Promise.resolve(known[headers](counted as unknown as Request, response, goOn));
  };
}

/**
 * What the middleware has in place of a request, of which it needs no more: from a whole one it would work out an address
 * that nobody asks for.
 */
interface Counted {
  readonly keyId: string;
}

type Limited = Counted & { readonly rateLimit: RateLimitInfo };

function createLimiter(environment: EnvironmentView, headers: AssumptionValue<"limit.headers">): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: environment.rateLimit,
    store: new EnvironmentStore(environment),
    keyGenerator: (request) => (request as unknown as Counted).keyId,
    standardHeaders: headers === "none" ? false : headers,
    legacyHeaders: false,
    validate: false,
    requestPropertyName: "rateLimit",
    // Whether the limit is what refuses the call is for the checks to say.
    handler: (_request, _response, next) => next(),
  });
}

/** `Retry-After` for so many milliseconds, never too early: whole seconds, at least 1, or an HTTP date. */
export function retryAfter(milliseconds: number, form: AssumptionValue<"limit.retry_after">): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (form === "seconds") return String(seconds);
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}
