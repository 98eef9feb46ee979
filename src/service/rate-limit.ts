import type { RequestHandler } from "express";
import { type ClientRateLimitInfo, rateLimit, type RateLimitInfo, type Store } from "express-rate-limit";
import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { EnvironmentView } from "../environment/view.ts";
import type { Call } from "./call.ts";

declare global {
  namespace Express {
    interface Request {
      /** Set by express-rate-limit. */
      rateLimit?: RateLimitInfo;
    }
  }
}

/** Counts in an environment, in whose time a window ends earlier when its clock is advanced. */
class EnvironmentStore implements Store {
  readonly localKeys = true;
  readonly #environment: EnvironmentView;

  constructor(environment: EnvironmentView) {
    this.#environment = environment;
  }

  increment(keyId: string): ClientRateLimitInfo {
    const { used, resetsIn } = this.#environment.hit(keyId);
    // The middleware compares with the clock of the machine, not with the environment's.
    return { totalHits: used, resetTime: new Date(Date.now() + resetsIn) };
  }

  // Never called: every request with a valid key counts, whatever its answer (`limit.counts`).
  decrement(): void {}
  resetKey(): void {}
}

/** Creates the middleware that counts each call against the limit of its key, and marks those over it (section 8). */
export function createLimit(): RequestHandler {
  const limiters = {
    none: new WeakMap<EnvironmentView, RequestHandler>(),
    "draft-8": new WeakMap<EnvironmentView, RequestHandler>(),
    "x-ratelimit": new WeakMap<EnvironmentView, RequestHandler>(),
  };
  return function limit(request, response, next) {
    const { environment } = response.locals.call;
    const headers = limitHeaders(response.locals.call);
    if (headers === undefined) return next();
    let limiter = limiters[headers].get(environment);
    if (!limiter) {
      limiter = createLimiter(environment, headers);
      limiters[headers].set(environment, limiter);
    }
    return limiter(request, response, next);
  };
}

/** Returns the form of a call's rate-limit headers; undefined where no limit applies. */
export function limitHeaders({ key, environment, ledger }: Call): AssumptionValue<"limit.headers"> | undefined {
  return key && environment.rateLimit > 0 ? ledger.value("limit.headers") : undefined;
}

function createLimiter(environment: EnvironmentView, headers: AssumptionValue<"limit.headers">): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: environment.rateLimit,
    store: new EnvironmentStore(environment),
    keyGenerator: (_request, { locals: { call } }) => call.key?.id ?? "",
    standardHeaders: headers === "draft-8" && headers,
    legacyHeaders: headers === "x-ratelimit",
    validate: false,
    // The checks refuse the call, in the order of their precedence.
    handler: ({ rateLimit: info }, { locals: { call } }, next) => {
      call.retryIn = Math.max(0, (info?.resetTime?.getTime() ?? 0) - Date.now());
      next();
    },
  });
}

/** Returns a wait in milliseconds as whole seconds, at least 1 and never too early. */
export function retrySeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** Returns `Retry-After` for a wait in milliseconds: seconds, or an HTTP date. */
export function retryAfter(milliseconds: number, form: AssumptionValue<"limit.retry_after">): string {
  const seconds = retrySeconds(milliseconds);
  if (form === "seconds") return String(seconds);
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}
