import type { Request, Response } from "express";
import { setTimeout as wait } from "node:timers/promises";
import { HttpError, serializeError } from "../errors/http-error.ts";
import { parseDuration } from "../model/duration.ts";
import type { FaultRule } from "../model/fault.ts";
import { version } from "../package.ts";
import { answer } from "./answer.ts";
import { askedBy, beginExchange, type Call, type Exchange, type KeyDirectory, readCall } from "./call.ts";
import { subjectId } from "./checks.ts";
import { corsHeaders, type CorsOrigins, isPreflight } from "./cors.ts";
import { createLimit } from "./rate-limit.ts";
import { Targets } from "./target.ts";

/** The fault that meets a call, which has a key that serves; undefined when none does. */
function meetFault(call: Call): FaultRule | undefined {
  const { method, target, environment } = call;
  const key_id = askedBy(call);
  const fault =
    key_id === null ? undefined : environment.meetFault({ method, path: target.path, key_id }, environment.read());
  if (fault) call.faultId = fault.id;
  return fault?.rule;
}

/** Whether a fault answers, or breaks the connection, so that the service does not. */
function endsHere({ respond, connection }: FaultRule): boolean {
  return respond !== undefined || connection !== undefined;
}

/** Answers a request as a fault says, instead of the service. */
function answerFault(request: Request, response: Response, { respond, connection }: FaultRule): void {
  if (connection === "reset") {
    request.socket.resetAndDestroy();
  } else if (connection === "empty") {
    request.socket.destroy();
  } else if (respond) {
    const { status, headers = {}, body = "" } = respond;
    const isText = typeof body === "string";
    const text = isText ? body : JSON.stringify(body);
    response.status(status);
    if (text !== "") response.type(isText ? "text/plain" : "application/json");
    for (const [name, value] of Object.entries(headers)) response.set(name, String(value));
    response.end(text);
  }
}

/** Keeps a call in the journal with the status that it is about to be answered with: 0 where nobody is there any more. */
function keepInJournal({ call, response }: Exchange, answered: number): void {
  const { method, printed: path, hints, start, faultId } = call;
  const status = response.destroyed ? 0 : answered;
  const milliseconds = Math.round((performance.now() - start) * 100) / 100;
  const entry = { method, path, status, milliseconds, key_id: askedBy(call), hints, fault_id: faultId ?? null };
  call.environment.journal(entry);
}

/** What the emulated service is made with. */
export interface ServiceOptions {
  readonly directory: KeyDirectory;
  /** Where it is mounted: `/api/v1`. */
  readonly basePath: string;
  readonly corsOrigins: CorsOrigins;
  /** Whether responses carry `Sandbox-Assumptions`. */
  readonly assumptionHeader: boolean;
  /** Told of what failed unforeseen. */
  readonly onFailure: (error: unknown) => void;
}

/** The emulated service: answers every request below where it is mounted. */
export function createService(options: ServiceOptions): (request: Request, response: Response) => Promise<void> {
  const { directory, basePath, corsOrigins, assumptionHeader, onFailure } = options;
  const limit = createLimit();
  const targets = new Targets(basePath);

  /** Answers a call. Throws HttpError when it is to be refused. */
  const serve = async (exchange: Exchange): Promise<void> => {
    const { call, request, response } = exchange;
    const { environment, ledger, target } = call;
    const preparation = environment.preparation();
    if (preparation) await preparation;
    if (isPreflight(request) && ledger.value("cors") === "yes") return send(exchange, { status: 204 });
    const fault = meetFault(call);
    if (fault?.delay !== undefined) await wait(parseDuration(fault.delay) ?? 0);
    if (fault && endsHere(fault)) {
      keepInJournal(exchange, fault.respond?.status ?? 0);
      // Without them a page of another origin would see a CORS error instead of the fault.
      response.set(corsHeaders(request, corsOrigins, ledger));
      return answerFault(request, response, fault);
    }
    await limit(exchange);
    const delay = environment.nextDelay();
    if (delay > 0) await wait(delay);
    const { bytes: body } = answer(call, basePath);
    send(exchange, { status: 200, contentType: ledger.value("content_type"), body });
    if (target.route?.operation.subject === "investment") environment.wasRead(subjectId(call, ledger));
  };

  /** Answers a call that is refused. */
  const refuse = (exchange: Exchange, thrown: unknown): void => {
    const { ledger } = exchange.call;
    const error = HttpError.from(thrown);
    if (error !== thrown) onFailure(thrown);
    const shape = ledger.value("errors.body");
    const json = shape === "jsonapi" || shape === "message" ? ledger.value("content_type") : "";
    const { status, headers } = error;
    const { contentType, text } = serializeError(error, shape, json);
    send(exchange, { status, headers, contentType, body: Buffer.from(text) });
  };

  /** The one place that writes the service's responses. */
  const send = (exchange: Exchange, { status, headers, contentType, body }: Answer): void => {
    const { call, request, response } = exchange;
    const { ledger } = call;
    keepInJournal(exchange, status);
    const fields = ["Sandbox-Version", version];
    const add = (more: Readonly<Record<string, string>>): void => {
      for (const name in more) fields.push(name, more[name] ?? "");
    };
    if (contentType !== undefined) fields.push("Content-Type", contentType);
    if (body) fields.push("Content-Length", String(body.length));
    add(corsHeaders(request, corsOrigins, ledger));
    if (headers) add(headers);
    const { text } = ledger.used;
    if (assumptionHeader && text !== "") fields.push("Sandbox-Assumptions", text);
    response.writeHead(status, fields);
    response.end(body);
  };

  return async (request, response) => {
    const preparation = directory.fallback.preparation();
    if (preparation) await preparation;
    const exchange = beginExchange({ call: readCall(request, directory, targets), request, response });
    try {
      await serve(exchange);
    } catch (thrown) {
      refuse(exchange, thrown);
    }
  };
}

interface Answer {
  readonly status: number;
  readonly contentType?: string | undefined;
  /** Undefined where there is none and none could be. */
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}
