import { signal } from "@preact/signals";
import { route } from "../routes.ts";
import { token } from "./token.ts";

/** True once the server has asked for a token, until one was accepted. */
export const locked = signal(false);

/** An error in words, whether the server answered with it or did not answer. */
export class Problem extends Error {
  readonly status: number;
  /** The code of the catalogue, or `unreachable`. */
  readonly code: string;

  constructor(words: string, status: number, code: string) {
    super(words);
    this.status = status;
    this.code = code;
  }
}

/** Anything that was thrown, as an error in words. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const words =
    error instanceof SyntaxError
      ? "The answer cannot be read: it ended early, or is not the sandbox's."
      : `This page has made a mistake: ${String(error)}`;
  return new Problem(words, 0, "");
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface Call {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** Ends the wait for the answer. */
  readonly ended?: AbortSignal | undefined;
}

/** A call of the admin API. A path that begins with `/` is below `/__admin`, any other below the environment on screen. */
export function get<Answer>(path: string, query?: Query, ended?: AbortSignal): Promise<Answer> {
  return send("GET", path, { query, ended });
}

/** A list of the admin API, whole. */
export async function getList<Item>(path: string, query?: Query, ended?: AbortSignal): Promise<readonly Item[]> {
  return (await get<{ readonly data: readonly Item[] }>(path, query, ended)).data;
}

/** The same as the bytes that came: what is only saved is not worth reading. */
export async function getBytes(path: string): Promise<Blob> {
  return (await answerTo("GET", path, {})).blob();
}

/** The OpenAPI document of the service. */
export async function getServiceDocument(ended?: AbortSignal): Promise<unknown> {
  const response = await reach(`${location.origin}/openapi.json`, ended ? { signal: ended } : {});
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

export function post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
  return send("POST", path, { body });
}

export function put<Answer>(path: string, body: unknown): Promise<Answer> {
  return send("PUT", path, { body });
}

export function patch<Answer>(path: string, body: unknown): Promise<Answer> {
  return send("PATCH", path, { body });
}

export function del<Answer = undefined>(path: string): Promise<Answer> {
  return send("DELETE", path, {});
}

/** A response of the service, as it came. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly milliseconds: number;
}

/** A real call of the service: it counts against the key's limit and is in the journal. The path is below `/api/v1`. */
export async function callService(path: string, secret: string | null, method = "GET"): Promise<ServiceResponse> {
  const begun = performance.now();
  const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` };
  const response = await reach(`${location.origin}/api/v1${path}`, { method, headers }, noAnswer);
  const body = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    milliseconds: performance.now() - begun,
  };
}

async function send<Answer>(method: string, path: string, call: Call): Promise<Answer> {
  const response = await answerTo(method, path, call);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

async function answerTo(method: string, path: string, call: Call): Promise<Response> {
  const headers: Record<string, string> = {};
  if (token.value !== "") headers["authorization"] = `Bearer ${token.value}`;
  const init: RequestInit = { method, headers };
  if (call.ended) init.signal = call.ended;
  if (call.body !== undefined) {
    // Text is a scenario as it was written; the admin API takes that as YAML. The bytes of a file are JSON.
    headers["content-type"] = typeof call.body === "string" ? "application/yaml" : "application/json";
    const isWritten = typeof call.body === "string" || call.body instanceof Blob;
    init.body = isWritten ? (call.body as BodyInit) : JSON.stringify(call.body);
  }
  const response = await reach(addressOf(path, call.query), init);
  if (!response.ok) throw await problemOf(response);
  locked.value = false;
  return response;
}

function addressOf(path: string, query: Query = {}): string {
  const below = path.startsWith("/") ? path : `/environments/${encodeURIComponent(route.value.environment)}/${path}`;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  return `${location.origin}/__admin${below}${parameters.size > 0 ? `?${parameters}` : ""}`;
}

const noAnswer = "The connection ended without an answer: by a fault, or because the sandbox is gone.";

async function reach(
  address: string,
  init: RequestInit,
  otherwise = "Nobody answers at this address. Is the sandbox running?",
): Promise<Response> {
  try {
    return await fetch(address, { ...init, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Problem(otherwise, 0, "unreachable");
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const said = (await response.json().catch(() => ({}))) as { title?: string; detail?: string; code?: string };
  if (response.status === 401) locked.value = true;
  const words = said.detail ?? said.title ?? `The sandbox answered with the status ${response.status}.`;
  return new Problem(words, response.status, said.code ?? "");
}
