import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request, type RequestOptions } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { CallArguments } from "../control/call.ts";
import type { EnvironmentHandle, Transport } from "../control/control-client.ts";
import type { AdminOperation } from "../control/operation.ts";
import { type AdminOperationId, adminOperations, type ResponseOf, type Problem } from "../control/operations.ts";
import { checkPathId } from "../control/path-id.ts";
import { ConnectionError, ControlError, type ControlErrorCode, controlErrorCodes } from "../errors/control-error.ts";
import { isMembers } from "../validation/members.ts";
import { codeOf, messageOf, ValidationError } from "../validation/errors.ts";
import { errorCatalog } from "../model/error-catalog.ts";
import { isLoopback } from "../text/origin.ts";
import { isName } from "../text/text.ts";
import { parseToken } from "../secrets/tokens.ts";
import { sandboxSettings } from "../settings/settings.ts";

interface ConnectionOptions {
  readonly token?: string | undefined;
  readonly environment?: string | undefined;
  /** Whether calls may name files here, whose documents are sent in their place. */
  readonly readsFiles?: boolean;
}

/** Calls the admin API of a running sandbox over HTTP. */
export class AdminConnection implements Transport {
  readonly url: string;
  /** The id of the environment that calls are about, unless they name another. */
  readonly environment: string;
  readonly #token: string | undefined;
  readonly #readsFiles: boolean;
  readonly #pendingRequests = new Set<ClientRequest>();

  /** Throws ValidationError for a malformed address or token. */
  constructor(url: unknown, { token, environment, readsFiles = false }: ConnectionOptions) {
    if (typeof url !== "string" || !URL.canParse(url) || !/^https?:/i.test(url)) {
      throw new ValidationError("The address of a sandbox looks like http://localhost:4120.");
    }
    if (token !== undefined && !sandboxSettings.adminToken.kind.accepts(token)) {
      throw new ValidationError(`token: expected ${sandboxSettings.adminToken.kind.expected}.`);
    }
    this.url = new URL(url).origin;
    this.environment = environment ?? parseToken(token ?? "")?.id ?? "default";
    this.#token = token;
    this.#readsFiles = readsFiles;
  }

  /**
   * Makes a call and returns the content of its response; undefined where it is empty. A body is sent as JSON; a string
   * as YAML, the form of a scenario file. `stopSandbox` resolves when the sandbox is gone. Rejects with ControlError if
   * the sandbox refuses the call, and with ConnectionError if no sandbox responds.
   */
  async call<Id extends AdminOperationId>(
    id: Id,
    { body, ...parts }: CallArguments = {},
    environment: EnvironmentHandle = { id: this.environment },
  ): Promise<ResponseOf<Id>> {
    const operation: AdminOperation = adminOperations[id];
    const { method, path, yaml } = operation;
    const sentBody = this.#readsFiles ? await withDocuments(id, body) : body;
    const isYaml = yaml && typeof sentBody === "string";
    const type = isYaml ? "application/yaml" : "application/json";
    const text = isYaml ? sentBody : JSON.stringify(sentBody);
    const address = fillPath(path, { environment: environment.id, id: parts.id ?? "" }) + formatQuery(parts.query);
    const { status, content } = await this.#sendRequest(address, method, { type, text }, environment);
    const response: unknown = content === "" ? undefined : JSON.parse(content);
    if (status >= 300) throw refusalError(status, response as Problem | undefined, environment.admin_token);
    if (id === "stopSandbox") await this.#waitUntilStopped();
    return response as ResponseOf<Id>;
  }

  /** Resolves when nothing listens at the address. Rejects with ControlError `conflict` if something does for long. */
  async #waitUntilStopped(): Promise<void> {
    for (const start = performance.now(); performance.now() - start < stopTimeoutMs;) {
      const failure = await this.#sendRequest("/health", "GET").catch((error: Error) => error);
      if ("cause" in failure && codeOf(failure.cause) === "ECONNREFUSED") return;
      await wait(stopIntervalMs);
    }
    const message = `Something still responds at ${this.url}, ${stopTimeoutMs / 1000} s after the sandbox was to stop.`;
    throw new ControlError("conflict", message);
  }

  /** Gives up pending calls; the server keeps running. */
  async close(): Promise<void> {
    for (const call of this.#pendingRequests) call.destroy(new Error("the connection was closed"));
  }

  async #sendRequest(
    path: string,
    method: string,
    { type, text }: { readonly type?: string; readonly text?: string | undefined } = {},
    { uid, admin_token: token = this.#token }: Partial<EnvironmentHandle> = {},
  ) {
    const timeoutSeconds = method === "GET" ? readTimeoutSeconds : commandTimeoutSeconds;
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    const outgoing = await openRequest(new URL(`${this.url}/__admin${path}`), {
      method,
      signal,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(uid !== undefined && { "environment-uid": uid }),
        ...(text !== undefined && { "content-type": type, "content-length": Buffer.byteLength(text) }),
      },
    });
    this.#pendingRequests.add(outgoing);
    try {
      // A broken connection may emit a second error.
      outgoing.on("error", () => {}).end(text);
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      if (!("sandbox-version" in response.headers)) throw new Error("another program responds");
      return { status: response.statusCode ?? 0, content: await readContent(response) };
    } catch (error) {
      outgoing.destroy();
      const reason = signal.aborted
        ? `something there takes longer than ${timeoutSeconds} s`
        : (codeOf(error) ?? messageOf(error));
      throw new ConnectionError(this.url, reason, { cause: error });
    } finally {
      this.#pendingRequests.delete(outgoing);
    }
  }
}

/**
 * Opens a request. It does not use `fetch`, which code under test replaces, and whose errors have other names in each
 * runtime. A request to this machine ignores the proxy that an environment variable may name.
 */
export async function openRequest(url: URL, options: RequestOptions): Promise<ClientRequest> {
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === "http:") return request(url, isLocal ? { ...options, agent: directAgent } : options);
  const https = await import("node:https");
  return https.request(url, isLocal ? { ...options, agent: new https.Agent() } : options);
}

/** Connections that go through no proxy. */
const directAgent = new Agent({ keepAlive: true });

function isNameOrMissing(source: unknown): boolean {
  return source === undefined || (typeof source === "string" && isName(source));
}

/** Replaces the names of files with their documents: a sandbox reads no file for its callers. Most calls name none. */
async function withDocuments(id: AdminOperationId, body: unknown): Promise<unknown> {
  if ((id !== "openEnvironment" && id !== "playScenario") || !isMembers(body)) return body;
  const { fixture, scenario, scenarios, snapshot } = body;
  const sources: readonly unknown[] = [fixture, scenario, ...(Array.isArray(scenarios) ? scenarios : [])];
  if (snapshot === undefined && sources.every(isNameOrMissing)) return body;
  const files = await import("../control/files.ts");
  return id === "openEnvironment" ? files.withDocuments(body) : files.withScenario(body);
}

/** The timeouts of a read and of a command, which may generate a large fixture. */
const [readTimeoutSeconds, commandTimeoutSeconds] = [20, 600];
/** The longest response in bytes: more than any snapshot, and half of the maximum length of a string. */
const maxResponseBytes = 250_000_000;

/** Returns a body as text. Throws Error for a body that is too long. */
async function readContent(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > maxResponseBytes) throw new Error(`something there sends more than ${maxResponseBytes / 1e6} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The time that a sandbox may take to end, and the time between two checks. */
const [stopTimeoutMs, stopIntervalMs] = [10_000, 25];

/** Replaces the names in braces of a path with ids. */
function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(checkPathId(values[name])));
}

function formatQuery(parameters: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The reason for a 403: the token does not allow the call. */
export class InsufficientTokenError extends ControlError {}

/** Returns the error of the same command in process. */
function refusalError(status: number, problem: Problem | undefined, environmentToken: string | undefined): Error {
  const { code = "", detail = `The sandbox returned ${status}.` } = problem ?? {};
  // The token of a deleted environment is no longer valid.
  if (code === "admin_token_required" && environmentToken !== undefined)
    return new ControlError("not_found", "The environment was deleted.");
  if (code === "admin_token_required") return new ControlError("refused", tokenRequiredMessage);
  if (code === "admin_token_insufficient") return new InsufficientTokenError("refused", detail);
  const errorCode = controlErrorCodes.find((candidate) => candidate === code);
  if (status >= 500 && errorCode === undefined) return new Error(detail);
  return new ControlError(errorCode ?? codeOfStatus(status), detail);
}

/** Returns the code for a response without a known code: of another version, or of a proxy before the sandbox. */
function codeOfStatus(status: number): ControlErrorCode {
  if (status === 401) return "refused";
  return controlErrorCodes.find((code) => errorCatalog[code].status === status) ?? "invalid";
}

const tokenRequiredMessage =
  "This sandbox requires its admin token, which is printed where it starts: give it with --token or OFFERING_SANDBOX_ADMIN_TOKEN, in code as { token }.";
