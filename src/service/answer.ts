import type { AssumptionId, AssumptionValue } from "../assumptions/catalogue.ts";
import type { RequestEntry } from "../control.ts";
import type { EnvironmentView } from "../environment/view.ts";
import { type ErrorCode, HttpError, serializeError } from "../errors/http-error.ts";
import { digestOf, inertHeaders } from "../model/json-text.ts";
import type { OperationId } from "../model/operations.ts";
import type { Investment } from "../model/resources.ts";
import type { FaultRule } from "../model/shapes.ts";
import type { WaitingRequest } from "../options.ts";
import { version } from "../package.ts";
import { type Call, millisecondsSince, parametersOf, subjectId } from "./call.ts";
import {
  type DocumentInput,
  investmentDocument,
  investmentEventsDocument,
  investmentStatusDocument,
  offeringDocument,
} from "./documents.ts";
import type { Ledger } from "./ledger.ts";
import { connectionOf, noteFree } from "./free-connections.ts";
import { investmentListDocument } from "./list.ts";
import { retrySeconds } from "./rate-limit.ts";
import type { JsonBytes, Listing } from "./response-cache.ts";
import { type Dripped, spoiled } from "./spoil.ts";

/** The end of a call as it is recorded. */
interface Outcome {
  /** Null without an answer. */
  readonly status: number | null;
  readonly connection?: "reset" | "empty" | undefined;
  readonly code?: ErrorCode | undefined;
  readonly listing?: Listing | undefined;
  /** Undefined without a body of the service's own. */
  readonly digest?: string | undefined;
  /** The seconds of `Retry-After`. */
  readonly retryAfter?: number | undefined;
  readonly assumptions?: readonly AssumptionId[] | undefined;
}

export interface Answer extends Outcome {
  readonly status: number;
  readonly contentType?: string | undefined;
  /** Undefined where no body can be. */
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records and answers a call. Sends headers set earlier too, such as those of CORS. */
export function send(call: Call, answer: Answer): void {
  const { status, code, listing, digest, retryAfter, body } = answer;
  const spoil = spoiled(call, body);
  if (spoil) call.hints = sharedHints([...call.hints, spoil.hint]);
  const fields = headerFields(call, answer);
  const entry = recordedEntry(call, { status, code, listing, digest, retryAfter, assumptions: call.ledger.used.ids });
  const id = journal(call, entry);
  if (call.ledger.peek("transport.form") === "chunked") lowerCaseNames(call);
  call.response.writeHead(status, fields);
  const dripping = spoil?.send();
  if (dripping) return void follow(call, { entry, id, dripping });
  call.service.onRequest?.(logEntry(entry));
  if (!spoil) call.response.end(body);
}

interface DrippingAnswer {
  /** In the journal from its beginning, because its order is that of the states of the answers. */
  readonly entry: RecordedRequest;
  readonly id: number;
  readonly dripping: Promise<Dripped>;
}

/** Lists a call as waiting until its body is sent or its connection ended; then the journal and the log have how. */
async function follow(call: Call, { entry, id, dripping }: DrippingAnswer): Promise<void> {
  const release = call.environment.hold(() => waitingRequest(call));
  const hint = await dripping;
  release();
  const hints = hint === undefined ? entry.hints : sharedHints([...entry.hints, hint]);
  const end = { milliseconds: millisecondsSince(call.start), hints };
  call.environment.amendJournal(id, end);
  call.service.onRequest?.(logEntry({ ...entry, ...end }));
}

const plainJson: AssumptionValue<"content_type"> = "application/json; charset=utf-8";

/** Returns the names and values of an answer's headers, in turn. */
export function headerFields(call: Call, { contentType, body, headers = {} }: Answer): string[] {
  const isPlain = call.ledger.value("transport.form") === "plain";
  const { used } = call.ledger;
  const fields = ["Sandbox-Version", version];
  if (contentType !== undefined) fields.push("Content-Type", contentType);
  if (body && isPlain) fields.push("Content-Length", String(body.length));
  for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  if (contentType !== undefined && contentType !== plainJson)
    fields.push(...Object.entries(inertHeaders(contentType)).flat());
  if (call.service.assumptionHeader && used.text !== "") {
    const { marks } = call.environment;
    fields.push("Sandbox-Assumptions", marks ? used.marked(marks) : used.text);
  }
  return isPlain ? fields : fields.map((field, at) => (at % 2 === 0 ? field.toLowerCase() : field));
}

/** Sets the headers set earlier, such as those of CORS, again with names in lower case. */
function lowerCaseNames({ response }: Call): void {
  for (const [name, value = ""] of Object.entries(response.getHeaders())) {
    response.removeHeader(name);
    response.setHeader(name, value);
  }
}

/** Makes the answer to a call past all checks. */
export function documentAnswer(call: Call): Answer {
  const { bytes, listing, digest } = documentFor(call);
  return { status: 200, contentType: call.ledger.value("content_type"), body: bytes, listing, digest };
}

/** Makes the answer to a call from an error on its way. */
export function errorAnswer(call: Call, thrown: unknown): Answer {
  const { ledger, service, retryIn } = call;
  const error = HttpError.from(thrown);
  if (error !== thrown) service.onFailure(thrown);
  const reasons = error.problems.map(({ hint, detail }) => service.environments.secrets.redact(hint ?? detail));
  // The cause of the status is read first; the journal shows one line of a request.
  call.hints = sharedHints([...reasons, ...call.hints]);
  const { status, code, headers } = error;
  const { contentType, text } = errorBody(error, ledger);
  const retryAfter = code === "rate_limit_exceeded" ? retrySeconds(retryIn ?? 0) : undefined;
  const body = Buffer.from(text);
  return { status, code, headers, contentType, body, digest: body.length > 0 ? digestOf(body) : undefined, retryAfter };
}

/** Lists of hints by their text. */
const knownHints = new Map<string, readonly string[]>();
const mostKnownHints = 512;

/** Returns the same list for the same hints, because the journal keeps it and clients repeat their mistakes. */
function sharedHints(hints: readonly string[]): readonly string[] {
  const text = hints.join("\n");
  const known = knownHints.get(text);
  if (known) return known;
  if (knownHints.size === mostKnownHints) knownHints.clear();
  knownHints.set(text, hints);
  return hints;
}

/** Writes the body of an error as the assumptions in force have it. */
function errorBody(error: HttpError, ledger: Ledger): ReturnType<typeof serializeError> {
  const shape = ledger.value("errors.body");
  const json = shape === "empty" || shape === "problem" ? "" : ledger.value("content_type");
  return serializeError(error, shape, json);
}

/** Answers a call as a fault says, or breaks its connection. */
export function sendFault(call: Call, { respond, connection }: FaultRule): void {
  const { response } = call;
  if (connection) {
    recordRequest(call, { status: null, connection });
    // A response queued behind another has no socket yet; its request does.
    if (connection === "reset") response.req.socket.resetAndDestroy();
    else response.req.socket.destroy();
  } else if (respond) {
    const { status, headers = {}, body = "" } = respond;
    const isText = typeof body === "string";
    const text = isText ? body : JSON.stringify(body);
    response.status(status).set("Sandbox-Version", version);
    if (text !== "") response.type(isText ? "text/plain" : "application/json");
    // Not Express's own, which rewrites a media type: a fault may send a wrong one.
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
    response.set(inertHeaders(response.get("Content-Type") ?? ""));
    const retryAfter = Number(response.get("Retry-After") ?? NaN);
    recordRequest(call, { status, retryAfter: Number.isInteger(retryAfter) ? retryAfter : undefined });
    response.end(text);
  }
}

/** Records a call in the journal and the log. */
export function recordRequest(call: Call, outcome: Outcome): void {
  const entry = recordedEntry(call, outcome);
  journal(call, entry);
  call.service.onRequest?.(logEntry(entry));
}

/** Adds an answered call to the journal; its connection waits for the next. Returns the entry's id. */
function journal({ environment, response }: Call, entry: RecordedRequest): number {
  const { socket } = response.req;
  const id = environment.journal(entry, connectionOf(socket));
  noteFree(socket);
  return id;
}

/** Describes a call without an answer yet. */
export function waitingRequest(call: Call): WaitingRequest {
  const { method, path, key_id, key_label, fault_id, date, milliseconds } = recordedEntry(call, { status: null });
  return { method, path, key_id, key_label, fault_id, date, milliseconds };
}

type RecordedRequest = Parameters<EnvironmentView["journal"]>[0];

const gone: Outcome = { status: null };
const noAssumptions: readonly AssumptionId[] = [];
const noListing = { page: null, size: null, shown: null, total: null };

/** One literal, because spreading several objects into one costs a third of a whole request. */
function recordedEntry(call: Call, outcome: Outcome): RecordedRequest {
  const { method, printable, start, sentKey, environment, fault, hints, target, reading } = call;
  const { secrets } = call.service.environments;
  const { status, connection, code } = call.response.req.destroyed ? gone : outcome;
  const label = sentKey?.label ?? null;
  const { offering_id, investment_id } = subjectIds(call);
  const { page, size, shown, total } = outcome.listing ?? noListing;
  return {
    date: reading.now,
    method,
    path: printable,
    status,
    connection: connection ?? null,
    code: code ?? null,
    milliseconds: millisecondsSince(start),
    key_id: sentKey?.id ?? null,
    key_label: label === null ? null : secrets.redact(label),
    environment: secrets.redact(environment.id),
    fault_id: fault?.id ?? null,
    hints,
    operation: target.route?.operation.id ?? null,
    key_type: sentKey?.type ?? null,
    offering_id,
    investment_id,
    assumptions: outcome.assumptions ?? noAssumptions,
    page,
    size,
    shown,
    total,
    retry_after_seconds: outcome.retryAfter ?? null,
    digest: (status === null ? null : outcome.digest) ?? null,
  };
}

/** The log's part of a journal entry, with a copy of the hints: the journal keeps its own. */
function logEntry(entry: RequestEntry): RequestEntry {
  const { method, path, status, connection, code, milliseconds, key_id, key_label, environment, fault_id } = entry;
  const hints = [...entry.hints];
  return { method, path, status, connection, code, milliseconds, key_id, key_label, environment, fault_id, hints };
}

/** The offering or investment in the path of a call, and the investment's offering; null if there is none of this id. */
function subjectIds({ target: { route }, reading: { state } }: Call) {
  const investment = route?.operation.subject === "investment" ? state.investment(route.lowerCaseId) : undefined;
  const offering = route?.operation.subject === "offering" ? state.offering(route.lowerCaseId) : undefined;
  return { offering_id: offering?.id ?? investment?.offering_id ?? null, investment_id: investment?.id ?? null };
}

type Document = (input: DocumentInput, id: string) => JsonBytes<object>;

/** The documents of the operations, made for the offering or investment of an id. */
export const documents: Record<OperationId, Document> = {
  getOffering: offeringDocument,
  listInvestments: investmentListDocument,
  getInvestment: investmentBytes(investmentDocument),
  getInvestmentStatus: investmentBytes(investmentStatusDocument),
  listInvestmentEvents: investmentBytes(investmentEventsDocument),
};

function investmentBytes(document: (investment: Investment, input: DocumentInput) => JsonBytes<object>): Document {
  return (input, id) => {
    const investment = input.state.investment(id);
    if (!investment) throw new Error("a call for no investment passed its checks");
    return document(investment, input);
  };
}

/** Returns the document for a call past all checks. */
function documentFor(call: Call): JsonBytes<object> {
  const { target, key, environment, ledger, service, reading } = call;
  const { state } = reading;
  const offering = key && state.offering(key.offering_id);
  if (!target.route || !offering) throw new Error("a call without path, key or offering passed its checks");
  const { seed } = environment;
  const { values } = parametersOf(call);
  const input: DocumentInput = { key, offering, state, ledger, seed, values, basePath: service.basePath };
  return documents[target.route.operation.id](input, subjectId(call));
}
