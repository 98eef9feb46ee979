import express, { type ErrorRequestHandler, type RequestHandler, type Router } from "express";
import { setTimeout as wait } from "node:timers/promises";
import { parseDuration } from "../model/duration.ts";
import { documentFor, send, sendError, sendFault } from "./answer.ts";
import { readCall, type ServiceOptions, subjectId } from "./call.ts";
import { check } from "./checks.ts";
import { corsHeaders, isPreflight } from "./cors.ts";
import { createLimit } from "./rate-limit.ts";
import { Targets } from "./target.ts";

/** Creates the emulated service: answers every request below the path at which it is mounted. */
export function createService(options: ServiceOptions): Router {
  const service = express.Router({ caseSensitive: true, strict: true });
  service.use(authenticate(options), cors, fault, createLimit(), delay, refuse, answer, answerError);
  return service;
}

/** Reads the request, finds its key and environment, and catches up with the clock. */
function authenticate(options: ServiceOptions): RequestHandler {
  const targets = new Targets(options.basePath);
  return async (request, response, next) => {
    const { locals } = response;
    locals.call = readCall(request, response, options, targets);
    const preparation = locals.call.environment.preparation();
    if (preparation) {
      await preparation;
      // A key may have been issued by a step that could not begin before.
      locals.call = readCall(request, response, options, targets);
    }
    next();
  };
}

/** Lets pages of other origins read what follows, faults included, and answers preflights. */
const cors: RequestHandler = (request, response, next) => {
  const { call } = response.locals;
  response.set(corsHeaders(request, call.service.corsOrigins, call.ledger));
  if (isPreflight(request) && call.ledger.value("cors") === "yes") send(call, { status: 204 });
  else next();
};

/** Applies the first fault in force that matches a call with a key. */
const fault: RequestHandler = async (_request, { locals: { call } }, next) => {
  const { environment, method, target, key, reading } = call;
  const met = key && environment.meetFault({ method, path: target.path, key_id: key.id }, reading);
  if (!met) return next();
  call.faultId = met.id;
  await pause(parseDuration(met.rule.delay ?? "0s") ?? 0);
  if (met.rule.respond || met.rule.connection) sendFault(call, met.rule);
  else next();
};

/** Waits as long as the environment delays its answers. */
const delay: RequestHandler = async (_request, { locals: { call } }, next) => {
  await pause(call.environment.nextDelay());
  next();
};

/** Refuses a call that one of the checks speaks against. */
const refuse: RequestHandler = (_request, { locals: { call } }, next) => {
  // While the call waited, others may have moved the state.
  call.reading = call.environment.read();
  check(call);
  next();
};

const answer: RequestHandler = (_request, { locals: { call } }) => {
  const { bytes } = documentFor(call);
  send(call, { status: 200, contentType: call.ledger.value("content_type"), body: bytes });
  // A step of a scenario may wait for this read.
  if (call.target.route?.operation.subject === "investment") call.environment.wasRead(subjectId(call));
};

const answerError: ErrorRequestHandler = (thrown: unknown, _request, response, next) => {
  if (response.headersSent || !("call" in response.locals)) next(thrown);
  else sendError(response.locals.call, thrown);
};

async function pause(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await wait(milliseconds);
}
