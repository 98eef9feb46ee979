import { HttpError, serializeError } from "../errors/http-error.ts";
import type { FaultRule } from "../model/fault.ts";
import type { OperationId } from "../model/operations.ts";
import type { Investment } from "../model/resources.ts";
import { version } from "../package.ts";
import { type Call, millisecondsSince, parametersOf, subjectId } from "./call.ts";
import {
  type DocumentInput,
  investmentDocument,
  investmentEventsDocument,
  investmentStatusDocument,
  offeringDocument,
} from "./documents.ts";
import { investmentListDocument } from "./list.ts";
import type { JsonBytes } from "./response-cache.ts";

interface Answer {
  readonly status: number;
  readonly contentType?: string | undefined;
  /** Undefined where no body can be. */
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records and answers a call. Headers that are set already, such as those of CORS, are sent too. */
export function send(call: Call, { status, contentType, body, headers = {} }: Answer): void {
  recordRequest(call, status);
  const fields = ["Sandbox-Version", version];
  if (contentType !== undefined) fields.push("Content-Type", contentType);
  if (body) fields.push("Content-Length", String(body.length));
  for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  const { text } = call.ledger.used;
  if (call.service.assumptionHeader && text !== "") fields.push("Sandbox-Assumptions", text);
  call.response.writeHead(status, fields);
  call.response.end(body);
}

/** Answers a call with the error that was thrown on its way. */
export function sendError(call: Call, thrown: unknown): void {
  const { ledger, service } = call;
  const error = HttpError.from(thrown);
  if (error !== thrown) service.onFailure(thrown);
  const shape = ledger.value("errors.body");
  const json = shape === "jsonapi" || shape === "message" ? ledger.value("content_type") : "";
  const { contentType, text } = serializeError(error, shape, json);
  send(call, { status: error.status, headers: error.headers, contentType, body: Buffer.from(text) });
}

/** Answers a call as a fault says, or breaks its connection. */
export function sendFault(call: Call, { respond, connection }: FaultRule): void {
  const { response } = call;
  recordRequest(call, respond?.status ?? 0);
  // A response that has to wait for the one before it has no socket yet; its request does.
  if (connection === "reset") {
    response.req.socket.resetAndDestroy();
  } else if (connection === "empty") {
    response.req.socket.destroy();
  } else if (respond) {
    const { status, headers = {}, body = "" } = respond;
    const isText = typeof body === "string";
    const text = isText ? body : JSON.stringify(body);
    response.status(status).set("Sandbox-Version", version);
    if (text !== "") response.type(isText ? "text/plain" : "application/json");
    for (const [name, value] of Object.entries(headers)) response.set(name, String(value));
    response.end(text);
  }
}

/** Records a call in the journal and the log with the status of its answer; 0 if its client is gone. */
export function recordRequest(call: Call, answered: number): void {
  const { response, method, printable: path, environment, key, hints, start, faultId, service } = call;
  const status = response.req.destroyed ? 0 : answered;
  const milliseconds = millisecondsSince(start);
  const key_id = key?.id ?? null;
  environment.journal({ method, path, status, milliseconds, key_id, hints, fault_id: faultId ?? null });
  if (!service.onRequest) return;
  // The hints are copied, because the journal keeps these.
  service.onRequest({ method, path, status, milliseconds, key_id, environment: environment.id, hints: [...hints] });
}

type Document = (input: DocumentInput, id: string) => JsonBytes<object>;

/** The documents of the operations, made for the offering or investment of an id. */
export const documents: Record<OperationId, Document> = {
  getOffering: offeringDocument,
  listInvestments: investmentListDocument,
  getInvestment: ofInvestment(investmentDocument),
  getInvestmentStatus: ofInvestment(investmentStatusDocument),
  listInvestmentEvents: ofInvestment(investmentEventsDocument),
};

function ofInvestment(document: (investment: Investment, input: DocumentInput) => JsonBytes<object>): Document {
  return (input, id) => {
    const investment = input.state.investment(id);
    if (!investment) throw new Error("a call for no investment passed its checks");
    return document(investment, input);
  };
}

/** Returns the document that answers a call which has passed the checks. */
export function documentFor(call: Call): JsonBytes<object> {
  const { target, key, environment, ledger, service, reading } = call;
  const { state } = reading;
  const offering = key && state.offering(key.offering_id);
  if (!target.route || !offering) throw new Error("a call without path, key or offering passed its checks");
  const { seed } = environment;
  const { values } = parametersOf(call);
  const input: DocumentInput = { key, offering, state, ledger, seed, values, basePath: service.basePath };
  return documents[target.route.operation.id](input, subjectId(call));
}
