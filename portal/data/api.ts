import type { EnvironmentSummary, EnvironmentBase } from "../../src/public/control.ts";
import type { AdminOperationId, ResponseOf, ArgumentsOf } from "../../src/control/operations.ts";
import type { OpenApiDocument } from "../../src/openapi/openapi-types.ts";
import { route, formatQuery } from "../base/routes.ts";
import { paths } from "./paths.ts";
import { isLocked, tokenEnvironmentId, token } from "../base/token.ts";

/** An error for people: a response of the server, or no response at all. */
export class Problem extends Error {
  readonly status: number;
  /** The code of the catalog, or `unreachable`. */
  readonly code: string;

  constructor(message: string, status: number, code: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Converts a thrown value to an error for people. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // The time may be over while the body of a response arrives.
  if (error instanceof DOMException && error.name === "TimeoutError")
    return new Problem("The sandbox does not respond. A command may or may not have been applied.", 0, "unreachable");
  if (error instanceof SyntaxError)
    return new Problem("The response cannot be read: it ended early, or is not from the sandbox.", 0, "");
  return new Problem(`Internal error in this page: ${String(error)}`, 0, "");
}

interface CallOptions {
  /** @default the environment on screen */
  readonly environment?: string;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

type CallParts<Id extends AdminOperationId> = ArgumentsOf<Id> & CallOptions;

/** The arguments of `call` after the operation: its parts, omitted where the operation needs none. */
export type Arguments<Id extends AdminOperationId> =
  CallOptions extends CallParts<Id> ? [parts?: CallParts<Id>] : [parts: CallParts<Id>];

/** The items in the response of a list operation. */
export type ItemOf<Id extends AdminOperationId> =
  ResponseOf<Id> extends { readonly data: readonly (infer Item)[] } ? Item : never;

/** Calls an operation of the admin API: `call("stopRun", { id })`. Rejects with Problem. */
export async function call<Id extends AdminOperationId>(
  operation: Id,
  ...parts: Arguments<Id>
): Promise<ResponseOf<Id>> {
  const response = await requestAdmin(operation, parts[0]);
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<Id>;
}

/** Calls a list operation and returns its items: `list("listFaults")`. */
export async function list<Id extends AdminOperationId>(
  operation: Id,
  ...parts: Arguments<Id>
): Promise<readonly ItemOf<Id>[]> {
  const response: unknown = await call(operation, ...parts);
  return (response as { readonly data: readonly ItemOf<Id>[] }).data;
}

/** An environment in a list; the only one of a token comes without its use in real time. */
export type ListedEnvironment = EnvironmentBase & Partial<EnvironmentSummary>;

/** Lists the environments that the token gives access to. */
export async function listEnvironments(abortSignal: AbortSignal): Promise<readonly ListedEnvironment[]> {
  return tokenEnvironmentId.value === undefined
    ? list("listEnvironments", { query: { summary: true }, signal: abortSignal })
    : [await call("getEnvironment", { signal: abortSignal })];
}

/** Returns the snapshot of an environment as bytes, because it is only saved. */
export async function snapshotOf(environment: string): Promise<Blob> {
  return (await requestAdmin("getSnapshot", { environment })).blob();
}

/**
 * Passes the values of a form, or a file, as the body of any call: the sandbox checks them, and its errors name the
 * fields. The compiler checks all other bodies.
 */
export function uncheckedBody(content: object): never {
  return content as never;
}

/** Loads the OpenAPI document of the service. */
export async function getServiceDocument(signal?: AbortSignal): Promise<OpenApiDocument> {
  const response = await fetchWithin("/openapi.json", { signal }, readTimeoutMs);
  if (!response.ok) throw await problemFromResponse(response);
  return (await response.json()) as OpenApiDocument;
}

/** A response of the service, as received. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs: number;
}

/**
 * Sends a real request to the service: it counts against the key's limit and is recorded in the journal. The path is
 * below `/api/v1`.
 */
export async function callService(path: string, secret: string | null, method = "GET"): Promise<ServiceResponse> {
  const startedAtMs = performance.now();
  // Coverage ignores the request: no client sent it.
  const headers = { "sandbox-portal": "1", ...(secret !== null && { authorization: `Bearer ${secret}` }) };
  const response = await fetchWithin(`/api/v1${path}`, { method, headers }, commandTimeoutMs, noResponseMessage);
  const body = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    durationMs: performance.now() - startedAtMs,
  };
}

interface AnyParts extends CallOptions {
  readonly id?: string;
  readonly query?: object;
  readonly body?: unknown;
}

/** The time after which a request fails: a wait without an end would not show that something is wrong. */
const [readTimeoutMs, moveTimeoutMs, commandTimeoutMs] = [15_000, 30_000, 60_000];

function timeoutOf(operation: AdminOperationId): number {
  // A snapshot is large enough to arrive slowly.
  if (paths[operation].startsWith("GET ") && operation !== "getSnapshot") return readTimeoutMs;
  // The next moves of the clock wait for the response.
  return paths[operation].includes(" ~/clock") ? moveTimeoutMs : commandTimeoutMs;
}

async function requestAdmin(operation: AdminOperationId, parts: AnyParts = {}): Promise<Response> {
  const { environment = route.value.environment, id = "", query = {}, body, signal } = parts;
  const [method = "", path = ""] = paths[operation].split(" ");
  const resource = path
    .replace("~", `/environments/${encodeURIComponent(environment)}`)
    .replace("{id}", encodeURIComponent(id));
  const headers: Record<string, string> = {};
  if (token.value !== "") headers["authorization"] = `Bearer ${token.value}`;
  const init: Init = { method, headers, signal };
  if (body !== undefined) {
    // A string body is a scenario, which the admin API takes as YAML. The bytes of a file are JSON.
    headers["content-type"] = typeof body === "string" ? "application/yaml" : "application/json";
    init.body = typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body);
  }
  const response = await fetchWithin(`/__admin${resource}${formatQuery(query)}`, init, timeoutOf(operation));
  if (!response.ok) throw await problemFromResponse(response);
  isLocked.value = false;
  return response;
}

const noResponseMessage = "The connection ended without a response: by a fault, or because the sandbox stopped.";

type Init = Omit<RequestInit, "signal"> & { readonly signal?: AbortSignal | undefined };

/** Sends a request to a path of the sandbox. Rejects with `Problem` if the connection fails. */
async function fetchWithin(
  path: string,
  { signal, ...init }: Init,
  timeoutMs: number,
  failureMessage = "Cannot reach the sandbox. Is it running?",
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const anySignal = signal ? AbortSignal.any([timeout, signal]) : timeout;
  try {
    return await fetch(path, { ...init, signal: anySignal, cache: "no-store", credentials: "omit" });
  } catch (error) {
    throw anySignal.aborted ? error : new Problem(failureMessage, 0, "unreachable");
  }
}

async function problemFromResponse(response: Response): Promise<Problem> {
  const problem = (await response.json().catch(() => ({}))) as { title?: string; detail?: string; code?: string };
  // The open token does not give access to any page.
  if (response.status === 401 || problem.code === "admin_token_insufficient") isLocked.value = true;
  const message = problem.detail ?? problem.title ?? `The sandbox returned the status ${response.status}.`;
  return new Problem(message, response.status, problem.code ?? "");
}
