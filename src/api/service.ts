import { setTimeout as wait } from "node:timers/promises";
import type { Request, Response } from "express";
import { HttpError } from "../errors/http-error.ts";
import { serializeError } from "../errors/serialize.ts";
import { parseDuration } from "../model/duration.ts";
import { version } from "../version.ts";
import { answer } from "./answer.ts";
import { readCall, type KeyDirectory } from "./call.ts";
import { subjectId } from "./checks.ts";
import { corsHeaders, isPreflight, type CorsOrigins } from "./cors.ts";
import { beginExchange, type Exchange } from "./exchange.ts";
import { answerFault, endsHere, meetFault } from "./fault.ts";
import { keepInJournal } from "./keep-in-journal.ts";
import { createLimit } from "./rate-limit.ts";
import { Targets } from "./target.ts";

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
