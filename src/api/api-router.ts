import { setTimeout as wait } from "node:timers/promises";
import { Router, type ErrorRequestHandler, type Request, type Response } from "express";
import { HttpError } from "../errors/http-error.ts";
import { serializeError } from "../errors/serialize.ts";
import { parseDuration } from "../model/duration.ts";
import { answer } from "./answer.ts";
import { keepInJournal, readCall, type Call, type KeyDirectory } from "./call.ts";
import { subjectId } from "./checks.ts";
import { corsHeaders, isPreflight, type CorsOrigins } from "./cors.ts";
import { answerFault, endsHere } from "./fault.ts";
import { limitRequests } from "./rate-limit.ts";

/** What the emulated service is made with. */
export interface ApiOptions {
  readonly directory: KeyDirectory;
  /** Where it is mounted: `/api/v1`. */
  readonly basePath: string;
  readonly corsOrigins: CorsOrigins;
  /** Whether responses carry `Sandbox-Assumptions`. */
  readonly assumptionHeader: boolean;
  /** Told of what failed unforeseen. */
  readonly onFailure: (error: unknown) => void;
}

/** The emulated service: every path below where it is mounted, and nothing else. */
export function createApiRouter(options: ApiOptions): Router {
  const { directory, basePath, onFailure } = options;
  const router = Router();
  router.use(async (request, response, next) => {
    await directory.fallback.preparation();
    response.locals["call"] = readCall(request, directory, basePath);
    const { environment, ledger } = callOf(response);
    await environment.preparation();
    if (!isPreflight(request) || ledger.value("cors") === "no") return next();
    return send(request, response, options, { status: 204, text: "" });
  });
  router.use(async (request, response, next) => {
    const call = callOf(response);
    if (!("issued" in call.authentication)) return next();
    const { method, path, environment, authentication } = call;
    const fault = environment.meetFault({ method, path, key_id: authentication.issued.key.id });
    if (!fault) return next();
    call.faultId = fault.id;
    if (fault.rule.delay !== undefined) await wait(parseDuration(fault.rule.delay) ?? 0);
    if (!endsHere(fault.rule)) return next();
    keepInJournal(call, fault.rule.respond?.status ?? 0);
    // Without them a page of another origin would see a CORS error instead of the fault.
    response.set(corsHeaders(request, options.corsOrigins, () => call.ledger.value("cors")));
    return answerFault(request, response, fault.rule);
  });
  router.use(limitRequests(callOf));
  router.use(async (request, response) => {
    const call = callOf(response);
    const delay = call.environment.nextDelay();
    if (delay > 0) await wait(delay);
    const text = JSON.stringify(answer(call, basePath));
    send(request, response, options, { status: 200, contentType: call.ledger.value("content_type"), text });
    if (call.route?.operation.subject === "investment") call.environment.wasRead(subjectId(call, call.ledger));
  });
  const answerError: ErrorRequestHandler = (thrown: unknown, request, response, _next) => {
    const { ledger } = callOf(response);
    const error = HttpError.from(thrown);
    if (error !== thrown) onFailure(thrown);
    const shape = ledger.value("errors.body");
    const json = shape === "jsonapi" || shape === "message" ? ledger.value("content_type") : "";
    const { status, headers } = error;
    send(request, response, options, { status, headers, ...serializeError(error, shape, json) });
  };
  router.use(answerError);
  return router;
}

/** The call that a response of the service answers. */
function callOf(response: Response): Call {
  return response.locals["call"] as Call;
}

interface Answer {
  readonly status: number;
  readonly contentType?: string | undefined;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The one place that writes the service's responses. */
function send(request: Request, response: Response, options: ApiOptions, answered: Answer): void {
  const call = callOf(response);
  const { ledger } = call;
  keepInJournal(call, answered.status);
  const cors = corsHeaders(request, options.corsOrigins, () => ledger.value("cors"));
  const { status, contentType, text, headers } = answered;
  response.writeHead(status, {
    ...(contentType === undefined ? {} : { "Content-Type": contentType }),
    ...(status === 204 ? {} : { "Content-Length": Buffer.byteLength(text) }),
    ...cors,
    ...headers,
    ...(options.assumptionHeader && ledger.used.length > 0 ? { "Sandbox-Assumptions": ledger.used.join(", ") } : {}),
  });
  response.end(text);
}
