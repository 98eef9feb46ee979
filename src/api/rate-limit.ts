import type { RequestHandler, Response } from "express";
import { rateLimit, type ClientRateLimitInfo, type Store } from "express-rate-limit";
import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { EnvironmentView } from "../environment/view.ts";
import type { Call } from "./call.ts";

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

/**
 * Counts each call that has a key against the limit of that key, and marks those over it (section 8). `callOf` finds the
 * call of a response.
 */
export function limitRequests(callOf: (response: Response) => Call): RequestHandler {
  const limiters = new WeakMap<EnvironmentView, Partial<Record<AssumptionValue<"limit.headers">, RequestHandler>>>();
  return (request, response, next) => {
    const { authentication, environment, ledger } = callOf(response);
    if (!("issued" in authentication) || environment.rateLimit === 0) return next();
    const headers = ledger.value("limit.headers");
    const known = limiters.get(environment) ?? {};
    limiters.set(environment, known);
    known[headers] ??= rateLimit({
      windowMs: 60_000,
      limit: environment.rateLimit,
      store: new EnvironmentStore(environment),
      keyGenerator: (_request, answering) => keyIdOf(callOf(answering)),
      standardHeaders: headers === "none" ? false : headers,
      legacyHeaders: false,
      validate: false,
      requestPropertyName: "rateLimit",
      handler(limited, answering, resume) {
        const info = (limited as typeof limited & { rateLimit?: { resetTime?: Date } }).rateLimit;
        callOf(answering).retryIn = Math.max(0, (info?.resetTime?.getTime() ?? 0) - Date.now());
        resume();
      },
    });
    return known[headers](request, response, next);
  };
}

/** `Retry-After` for so many milliseconds, never too early: whole seconds, at least 1, or an HTTP date. */
export function retryAfter(milliseconds: number, form: AssumptionValue<"limit.retry_after">): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (form === "seconds") return String(seconds);
  return new Date(Math.ceil(Date.now() / 1000) * 1000 + seconds * 1000).toUTCString();
}

function keyIdOf({ authentication }: Call): string {
  return "issued" in authentication ? authentication.issued.key.id : "";
}
