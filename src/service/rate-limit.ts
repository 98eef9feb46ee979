import type { RequestHandler } from "express";
import { rateLimit, type RateLimitInfo, type Store } from "express-rate-limit";
import type { AssumptionValue } from "../assumptions/catalog.ts";
import { type CountScope, type EnvironmentView, type LimitHit, limitRows } from "../environment/view.ts";
import type { Call } from "./call.ts";

declare global {
  namespace Express {
    interface Request {
      /** The state of the limit, set by express-rate-limit. */
      rateLimit?: RateLimitInfo;
    }
  }
}

/** Creates a store that counts requests by the clock of an environment: a window ends earlier when it is advanced. */
function storeOf(environment: EnvironmentView, countScope: CountScope): Store {
  return {
    increment(keyId) {
      const { used, resetsInMs } = hitLimit(keyId, environment, countScope);
      // The middleware compares with the clock of the machine, not with the environment's.
      return { totalHits: used, resetTime: new Date(Date.now() + resetsInMs) };
    },
    // The middleware never calls these: a request is counted when it arrives, or not at all.
    decrement() {},
    resetKey() {},
  };
}

function hitLimit(keyId: string, environment: EnvironmentView, countScope: CountScope): LimitHit {
  if (countScope === "all") return environment.hit(keyId);
  const currentHit = environment.hit(keyId, 0);
  if (currentHit.used >= environment.rateLimit) return { ...currentHit, used: environment.rateLimit + 1 };
  return countScope === "within" ? environment.hit(keyId) : currentHit;
}

/**
 * Creates the middleware to count each call against the limit of its key, and to mark calls over it (section 8). With
 * `limit.counts=answered`, a refused call does not count.
 */
export function createLimit(wouldGetDocument: (call: Call) => boolean): RequestHandler {
  const limiters = new Map<string, WeakMap<EnvironmentView, RequestHandler>>();
  return function limit(req, res, next) {
    const { call } = res.locals;
    const headers = limitHeaders(call);
    if (headers === undefined) return next();
    const { environment, ledger } = call;
    const countsAll = ledger.unrecorded("limit.counts") === "every-request";
    const countScope = countsAll ? "all" : wouldGetDocument(call) ? "within" : "none";
    if (call.key) call.refusingRows = environment.refusingRows(call.key.id, countScope);
    const kind = `${headers} ${countScope}`;
    const limitersByEnvironment = limiters.get(kind) ?? new WeakMap<EnvironmentView, RequestHandler>();
    limiters.set(kind, limitersByEnvironment);
    const limiter = limitersByEnvironment.get(environment) ?? createLimiter(environment, headers, countScope);
    limitersByEnvironment.set(environment, limiter);
    return limiter(req, res, next);
  };
}

/** Returns the form of a call's rate-limit headers; undefined where no limit applies. */
export function limitHeaders({ key, environment, ledger }: Call): AssumptionValue<"limit.headers"> | undefined {
  if (!key || environment.rateLimit === 0) return undefined;
  const headers = ledger.value("limit.headers");
  if (headers !== "none") for (const id of limitRows) ledger.value(id);
  return headers;
}

function createLimiter(
  environment: EnvironmentView,
  headers: AssumptionValue<"limit.headers">,
  countScope: CountScope,
): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: environment.rateLimit,
    store: storeOf(environment, countScope),
    keyGenerator: (_request, { locals: { call } }) => call.key?.id ?? "",
    standardHeaders: headers === "draft-8" && headers,
    legacyHeaders: headers === "x-ratelimit",
    validate: false,
    // The call is only marked here: the checks refuse it, in the order of their precedence.
    handler: ({ rateLimit: info }, res, next) => {
      // The call may be refused by another error, which has no such header; the 429 sets its own.
      res.removeHeader("Retry-After");
      const { call } = res.locals;
      call.retryInMs = Math.max(0, (info?.resetTime?.getTime() ?? 0) - Date.now());
      next();
    },
  });
}

/** Returns a wait in milliseconds as whole seconds, at least 1 and never too early. */
export function retrySeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
