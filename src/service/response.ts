import type { Response } from "express";
import type { AssumptionId, AssumptionValue } from "../assumptions/catalog.ts";
import type { PreviewedResponse } from "../public/control.ts";
import type { NewEntry } from "../environment/view.ts";
import type { ControlError } from "../errors/control-error.ts";
import { HttpError, serializeError } from "../errors/http-error.ts";
import { describeDuration, readDuration } from "../time/duration.ts";
import { digestOf, inertHeaders } from "../text/json-text.ts";
import type { FaultRule } from "../model/shapes.ts";
import { version } from "../package.ts";
import { type Call, millisecondsSince, parametersOf, subjectId, waitConnected } from "./call.ts";
import { documents } from "./documents.ts";
import { addJournalEntry, logEntry, type Outcome, waitingRequest } from "./journal.ts";
import { retrySeconds } from "./rate-limit.ts";
import type { JsonBytes } from "./response-cache.ts";

export interface ServiceResponse extends Outcome {
  readonly status: number;
  readonly contentType?: string | undefined;
  /** The body; undefined if the response cannot have one. */
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records a call and responds to it. Also sends headers that were set earlier, such as the CORS headers. */
export function send(res: Response, response: ServiceResponse): void {
  const { call } = res.locals;
  const bodyFault = bodyFaultOf(call, response.body);
  if (bodyFault) call.hints = [...call.hints, bodyFault.hint];
  const fields = headerFields(call, response);
  const entry = addJournalEntry(
    res,
    bodyFault?.isTruncating ? { ...response, connection: "truncated" } : response,
    call.ledger.used.ids,
  );
  if (call.ledger.unrecorded("transport.form") === "chunked") lowerCaseNames(res);
  res.writeHead(response.status, fields);
  const pendingDrip = bodyFault?.send(res);
  if (pendingDrip) return void trackDrip(call, pendingDrip, entry);
  call.service.onRequest?.(logEntry(entry));
  if (!bodyFault) endResponse(res, response.body);
}

/** Ends a response. If it has to wait, it ends after the next turn of the event loop, which reads earlier input. */
function endResponse(res: Response, body?: Buffer | string): void {
  if (res.locals.call.isDelayed) setImmediate(() => setImmediate(() => res.end(body)));
  else res.end(body);
}

/** Responds to a call whose environment no process can use now. No journal records the call. */
export function sendUnrecorded(res: Response, thrown: ControlError): void {
  const { call } = res.locals;
  const response = errorResponse(call, thrown);
  res.writeHead(response.status, headerFields(call, response)).end(response.body);
}

/**
 * Lists a call as waiting until its body is sent or its connection has ended, and then records the outcome. The journal
 * has the call from the start, because its entries are in the order of the states that the responses show.
 */
async function trackDrip(call: Call, pendingDrip: Promise<string | undefined>, entry: NewEntry): Promise<void> {
  const { id } = entry;
  const startEntry = logEntry(entry);
  const release = call.environment.waiting.add(() => waitingRequest(call));
  const hint = await pendingDrip;
  release();
  const hints = hint === undefined ? startEntry.hints : [...startEntry.hints, hint];
  const changes = { duration_ms: millisecondsSince(call.startedAt), hints };
  // The environment may have moved to another process, which then has the journal.
  await call.environment.whenCaughtUp(() => call.environment.endEntry(id, changes)).catch(() => {});
  call.service.onRequest?.({ ...startEntry, ...changes });
}

/** Returns how a call's fault changes a body: the hint for the journal, whether it is cut, and how to send it. */
function bodyFaultOf({ fault }: Call, body: Buffer | undefined) {
  const { truncate, drip } = fault?.rule ?? {};
  if (truncate === undefined && !drip) return undefined;
  if (!body?.length) {
    const hint = "the response has no body for the fault to spoil";
    return { hint, isTruncating: false, send: (res: Response) => void res.end() };
  }
  if (truncate !== undefined) {
    const part = body.subarray(0, Math.floor(body.length * truncate));
    return {
      hint: `the fault sends ${part.length} of ${body.length} bytes of the body, then ends the connection`,
      isTruncating: true,
      // A response queued behind another has no socket yet: its part is written later.
      send: (res: Response) => void res.write(part, () => res.req.socket.destroySoon()),
    };
  }
  if (!drip) return undefined;
  const pauseMs = readDuration(drip.every) ?? 0;
  const pieces = Math.ceil(body.length / drip.bytes);
  return {
    hint: `the fault sends the body of ${body.length} bytes in ${pieces} pieces, one every ${describeDuration(pauseMs)}`,
    isTruncating: false,
    send: (res: Response) => sendPieces(res, body, drip.bytes, pauseMs),
  };
}

/** Sends a body piece by piece. Resolves with a hint for the journal if the connection ended early. */
async function sendPieces(
  res: Response,
  body: Buffer,
  pieceLength: number,
  pauseMs: number,
): Promise<string | undefined> {
  for (let offset = 0; offset < body.length; offset += pieceLength) {
    if (offset > 0 && !(await waitConnected(pauseMs, res.req)))
      return `the connection ended after ${offset} of ${body.length} bytes`;
    res.write(body.subarray(offset, offset + pieceLength));
  }
  res.end();
  return undefined;
}

const plainJson: AssumptionValue<"content_type"> = "application/json; charset=utf-8";

/** Returns the names and values of a response's headers, in turn. */
export function headerFields(call: Call, { contentType, body, headers = {} }: ServiceResponse): string[] {
  const isPlain = call.ledger.value("transport.form") === "plain";
  const { used } = call.ledger;
  const fields = ["Sandbox-Version", version];
  if (contentType !== undefined) fields.push("Content-Type", contentType);
  if (body && isPlain) fields.push("Content-Length", String(body.length));
  for (const [name, value] of Object.entries(headers)) fields.push(name, value);
  if (contentType !== undefined && contentType !== plainJson)
    fields.push(...Object.entries(inertHeaders(contentType)).flat());
  if (call.service.assumptionHeader && used.text !== "") {
    const { calibratedIds } = call.environment;
    fields.push("Sandbox-Assumptions", calibratedIds ? used.markedText(calibratedIds) : used.text);
  }
  return isPlain ? fields : fields.map((field, index) => (index % 2 === 0 ? field.toLowerCase() : field));
}

/** Sets headers that were set earlier, such as the CORS headers, again with names in lower case. */
function lowerCaseNames(res: Response): void {
  for (const [name, value = ""] of Object.entries(res.getHeaders())) {
    res.removeHeader(name);
    res.setHeader(name, value);
  }
}

/** Makes the response to a call that passed all checks. */
export function documentResponse(call: Call): ServiceResponse {
  const { bytes, listing, digest } = documentFor(call);
  return { status: 200, contentType: call.ledger.value("content_type"), body: bytes, listing, digest };
}

/** Makes the response to a call for which an error was thrown, and adds the error to the call's hints. */
export function errorResponse(call: Call, thrown: unknown): ServiceResponse {
  const { ledger, service, retryInMs, parameters } = call;
  const error = HttpError.from(thrown);
  if (error.code === "internal_error") service.onFailure(thrown);
  const reasons = error.problems.map(({ hint, detail }) => service.environments.secrets.redact(hint ?? detail));
  // The cause of the status comes first, because a list of requests shows only one line for each.
  call.hints = [...reasons, ...call.hints];
  const { status, code, headers } = error;
  const shape = ledger.value("errors.body");
  const json = shape === "empty" || shape === "problem" ? "" : ledger.value("content_type");
  const { contentType, text } = serializeError(error, shape, json);
  const retryAfterSeconds = code === "rate_limit_exceeded" ? retrySeconds(retryInMs ?? 0) : undefined;
  const body = Buffer.from(text);
  const digest = body.length > 0 ? digestOf(body) : undefined;
  const dependsOn = ledger.behindRefusal(status, parameters?.validValueRows);
  return { status, code, headers, contentType, body, digest, retryAfterSeconds, dependsOn };
}

/** Makes the response to a request outside of the service. */
export function problemResponse(error: HttpError): PreviewedResponse {
  const { contentType = "", text: body } = serializeError(error, "problem", "");
  const length = String(Buffer.byteLength(body));
  const serviceHeaders = { "Sandbox-Version": version, "Content-Type": contentType, "Content-Length": length };
  return { status: error.status, headers: { ...serviceHeaders, ...error.headers }, body };
}

/** Responds to a call as a fault demands, or breaks its connection. */
export function sendFault(res: Response, { respond, connection }: FaultRule): void {
  // Another value of these rows would have refused the call before its fault, or sent other headers with it.
  const { used } = res.locals.call.ledger;
  if (connection) {
    recordCall(res, { status: null, connection }, used.ids);
    // A response queued behind another has no socket yet; its request does.
    if (connection === "reset") res.req.socket.resetAndDestroy();
    else res.req.socket.destroy();
  } else if (respond) {
    const { status, headers = {}, body = "" } = respond;
    const isText = typeof body === "string";
    const text = isText ? body : JSON.stringify(body);
    res.status(status).set("Sandbox-Version", version);
    if (text !== "") res.type(isText ? "text/plain" : "application/json");
    // Set without Express, which rewrites a media type: a fault may send a wrong one.
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, String(value));
    res.set(inertHeaders(res.get("Content-Type") ?? ""));
    const retryAfter = Number(res.get("Retry-After") ?? NaN);
    const isCount = Number.isSafeInteger(retryAfter) && retryAfter >= 0;
    recordCall(res, { status, retryAfterSeconds: isCount ? retryAfter : undefined }, used.ids);
    endResponse(res, text);
  }
}

/** Records a call in the journal and the log. */
export function recordCall(res: Response, outcome: Outcome, assumptions: readonly AssumptionId[] = []): void {
  const entry = addJournalEntry(res, outcome, assumptions);
  res.locals.call.service.onRequest?.(logEntry(entry));
}

function documentFor(call: Call): JsonBytes<object> {
  const { target, key, environment, ledger, stateAtInstant } = call;
  const { state } = stateAtInstant;
  const offering = key && state.offering(key.offering_id);
  if (!target.route || !offering) throw new Error("a call without path, key or offering passed its checks");
  const { values } = parametersOf(call);
  const input = { key, offering, state, ledger, seed: environment.seed, values };
  return documents[target.route.operation.id](input, subjectId(call));
}
