/*
 * A call passes one chain of handlers. It waits until its environment has caught up with its clock (`readyCall`), and
 * is read again after each wait (`callAfter`). The next handlers set the headers for pages of other origins, apply a
 * fault, which may respond or delay the call, count the call against the rate limit and mark it if it is over the
 * limit, and apply the delay of the environment (`waitFor`: the client may disconnect or the environment be deleted
 * meanwhile). The checks refuse the call with the first error in order; if there is none, its document is sent. The
 * last handler turns every thrown error into a response. Apart from the waits, everything happens in one tick, so no
 * call sees half a change.
 */

import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from "express";
import { ControlError } from "../errors/control-error.ts";
import { documentResponse, errorResponse, recordCall, send, sendFault, sendUnrecorded } from "./response.ts";
import { readCall, secretIn, type Call, type ServiceOptions, subjectId, waitConnected } from "./call.ts";
import { check } from "./checks.ts";
import { waitingRequest } from "./journal.ts";
import { createLimit } from "./rate-limit.ts";
import { parseStrayTarget, parseTarget, servicePaths, strayError } from "./target.ts";

/** Adds the emulated service to an app: it responds to every request at its base path and below. */
export function addService(app: Express, options: ServiceOptions): void {
  // One route, not a router with middlewares: Express would match and parse the path for each middleware.
  app
    .route(servicePaths)
    .all(
      readyCall(options, parseTarget),
      setCorsHeaders,
      applyFault,
      createLimit(wouldGetDocument),
      delayResponse,
      runChecks,
      sendResponse,
    );
  app.use(sendError);
}

/** Paths that no journal records: browsers request them by themselves, or the server serves them for other methods. */
const ownPaths = new Set(["/", "/openapi.json", "/favicon.ico"]);

/** Creates the handler for unknown paths. It records the calls, since most are meant for the service. */
export function refuseStray(options: ServiceOptions): RequestHandler {
  const readStray = readyCall(options, parseStrayTarget);
  return (req, res) => {
    const error = strayError();
    if (ownPaths.has(req.path)) throw error;
    return readStray(req, res, () => {
      recordCall(res, error);
      throw error;
    });
  };
}

/**
 * Creates the handler that reads a request, finds its key and environment, and calls `next` when the environment has
 * caught up with its clock, usually at once. The request is read again after each wait, because a step of a scenario or
 * another process may have issued its key meanwhile.
 */
function readyCall(options: ServiceOptions, parse: typeof parseTarget) {
  return ({ url, method, headers }: Request, res: Response, next: () => void): Promise<void> | void => {
    const { authorization, "sandbox-portal": portalHeader } = headers;
    const head = { target: parse(url), method, authorization, isFromPortal: portalHeader !== undefined };
    let hasSynced = false;
    const prepare = (): Promise<void> | undefined => {
      const call = (res.locals.call = readCall(head, options));
      const { keyError, environment, isFromPortal } = call;
      if (!isFromPortal) options.onArrival?.(call, res);
      const { shared } = options.environments;
      if (!shared || keyError !== "key_unknown" || hasSynced) return environment.catchUp();
      hasSynced = true;
      return shared.syncCopyByKey(secretIn(authorization) ?? "");
    };
    const preparation = prepare();
    return preparation ? callAfter(preparation, prepare, next) : next();
  };
}

async function callAfter(
  preparation: Promise<void>,
  prepare: () => Promise<void> | undefined,
  next: () => void,
): Promise<void> {
  for (let wait: Promise<void> | undefined = preparation; wait; wait = prepare()) {
    await wait.catch((error: unknown) => {
      // If another process has deleted the environment of a key, the key is unknown, which the checks report.
      if (!(error instanceof ControlError) || error.code !== "not_found") throw error;
    });
  }
  next();
}

const exposedHeaders =
  "Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
  "Sandbox-Assumptions, Sandbox-Version";

/** Headers of the response to a preflight. `*` does not cover Authorization, so it is named. */
const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, *",
  "Access-Control-Max-Age": "600",
};

/** Lets pages of other origins read the responses of all later handlers, even of faults. Responds to preflights. */
const setCorsHeaders: RequestHandler = ({ method, headers }, res, next) => {
  const { ledger, service } = res.locals.call;
  const { origin } = headers;
  if (origin === undefined || ledger.value("cors") === "no") return next();
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
  const isAny = service.corsOrigins.has("*");
  res.set("Vary", "Origin");
  if (isAny || service.corsOrigins.has(origin)) {
    res.set("Access-Control-Allow-Origin", isAny ? "*" : origin);
    res.set(isPreflight ? preflightHeaders : { "Access-Control-Expose-Headers": exposedHeaders });
  }
  return isPreflight ? send(res, { status: 204 }) : next();
};

/** Applies the first matching active fault to a call with a key. */
const applyFault: RequestHandler = (_req, res, next) => {
  const { call } = res.locals;
  const { environment, method, target, key, stateAtInstant } = call;
  const match = key && environment.matchFault({ method, path: target.path, key_id: key.id }, stateAtInstant);
  if (!match) return next();
  const { rule } = match.fault;
  call.fault = match.fault;
  return runAfterDelay(match.delay, res, () => (rule.respond || rule.connection ? sendFault(res, rule) : next()));
};

/** Returns true if a call would get a document. Called only with `limit.counts=answered`; does not change the call. */
function wouldGetDocument(call: Call): boolean {
  const scratchCall = { ...call, ledger: call.ledger.emptyCopy() };
  try {
    check(scratchCall);
    documentResponse(scratchCall);
    return true;
  } catch {
    return false;
  }
}

const delayResponse: RequestHandler = (_req, res, next) =>
  runAfterDelay(res.locals.call.environment.nextDelay(), res, next);

/** Calls `next` after a delay, with the state of that moment; for 0 milliseconds, at once and without a promise. */
function runAfterDelay(milliseconds: number, res: Response, next: () => void): Promise<void> | void {
  return milliseconds === 0 ? next() : waitFor(milliseconds, res, next);
}

/** Calls `next` after a wait. Ends the call early if its client disconnects or the server closes. */
async function waitFor(milliseconds: number, res: Response, next: () => void): Promise<void> {
  const { call } = res.locals;
  const disconnect = (): void => void res.req.socket.destroy();
  const release = call.environment.waiting.add(() => waitingRequest(call), disconnect);
  try {
    const isConnected = await waitConnected(milliseconds, res.req);
    // The environment may have moved to another process, which then has the journal.
    await call.environment.whenCaughtUp((stateAtInstant) => {
      release();
      if (!isConnected) return recordCall(res, { status: null });
      call.stateAtInstant = stateAtInstant;
      next();
    });
  } catch (error) {
    if (!(error instanceof ControlError) || error.code === "storage_unavailable") throw error;
    // The environment was deleted during the wait.
    recordCall(res, { status: null });
    disconnect();
  } finally {
    release();
  }
}

const runChecks: RequestHandler = (_req, { locals: { call } }, next) => {
  check(call);
  next();
};

const sendResponse: RequestHandler = (_req, res) => {
  const { call } = res.locals;
  send(res, documentResponse(call));
  // A step of a scenario may be waiting for this read.
  if (call.target.route?.operation.subject === "investment") call.environment.countRead(subjectId(call));
};

const sendError: ErrorRequestHandler = (thrown: unknown, _req, res, next) => {
  if (res.headersSent || !("call" in res.locals)) next(thrown);
  else if (thrown instanceof ControlError) sendUnrecorded(res, thrown);
  else send(res, errorResponse(res.locals.call, thrown));
};
