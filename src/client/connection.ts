import { setTimeout as wait } from "node:timers/promises";
import type { CallParts } from "../control/call.ts";
import { type EnvironmentHandle, pathId, type Transport } from "../control/control-client.ts";
import type { AdminOperation } from "../control/operation.ts";
import { type AdminOperationId, adminOperations, type AnswerOf, type Problem } from "../control/operations.ts";
import { CannotConnect, ControlError, type ControlErrorCode, controlErrorCodes } from "../errors/control-error.ts";
import { messageOf, Mistake } from "../model/mistakes.ts";
import { namedBy } from "../model/tokens.ts";
import { sandboxSettings } from "../settings/settings.ts";

/** Maps the body of a call to the one that is sent. */
type BodyMapping = (id: AdminOperationId, body: unknown) => unknown;

/** Calls the admin API of a running sandbox over HTTP. */
export class AdminConnection implements Transport {
  readonly url: string;
  /** The id of the environment that calls are about, unless they name another. */
  readonly environment: string;
  readonly #token: string | undefined;
  readonly #bodyOf: BodyMapping;
  readonly #waiting = new Set<AbortController>();

  /** `bodyOf` may put documents in place of files: a sandbox reads none for callers of its admin API. */
  constructor(url: string, token: string | undefined, environment: string, bodyOf: BodyMapping = (_id, body) => body) {
    this.url = url;
    this.environment = environment;
    this.#token = token;
    this.#bodyOf = bodyOf;
  }

  /**
   * Makes a call and returns the content of its response; undefined where it is empty. A body is sent as JSON; a string
   * as YAML, the form of a scenario file. `stopSandbox` resolves when the sandbox is gone. Rejects with ControlError if
   * the sandbox refuses the call, and with CannotConnect if no sandbox answers.
   */
  async call<Id extends AdminOperationId>(
    id: Id,
    { body, ...parts }: CallParts = {},
    environment: EnvironmentHandle = { id: this.environment },
  ): Promise<AnswerOf<Id>> {
    const operation: AdminOperation = adminOperations[id];
    const { method, path, yaml } = operation;
    const sentBody = await this.#bodyOf(id, body);
    const text = yaml && typeof sentBody === "string" ? { yaml: sentBody } : { json: JSON.stringify(sentBody) };
    const address = fillIn(path, { environment: environment.id, id: parts.id ?? "" }) + search(parts.query);
    const { response, content } = await this.#fetch(address, method, text, environment);
    const answer: unknown = content === "" ? undefined : JSON.parse(content);
    if (!response.ok) throw refusalError(response.status, answer as Problem | undefined, environment);
    if (id === "stopSandbox") await this.#ended();
    return answer as AnswerOf<Id>;
  }

  /** Resolves when nothing listens at the address. Rejects with ControlError `conflict` if something does for long. */
  async #ended(): Promise<void> {
    for (const start = performance.now(); performance.now() - start < stopTime;) {
      const code = await this.#fetch("/health", "GET").then(() => undefined, failureOf);
      if (code === "ECONNREFUSED") return;
      await wait(stopInterval);
    }
    const message = `Something still answers at ${this.url}, ${stopTime / 1000} s after the sandbox was to stop.`;
    throw new ControlError("conflict", message);
  }

  /** Gives up unanswered calls; the server keeps running. */
  async close(): Promise<void> {
    for (const call of this.#waiting) call.abort();
    this.#waiting.clear();
  }

  async #fetch(
    path: string,
    method: string,
    { yaml, json }: { readonly yaml?: string; readonly json?: string } = {},
    { uid, admin_token: token = this.#token }: Partial<EnvironmentHandle> = {},
  ): Promise<{ response: Response; content: string }> {
    const waiting = new AbortController();
    const text = yaml ?? json;
    const seconds = method === "GET" ? readingTime : changeTime;
    const timer = setTimeout(() => waiting.abort(), seconds * 1000);
    this.#waiting.add(waiting);
    try {
      const response = await fetch(`${this.url}/__admin${path}`, {
        method,
        redirect: "error",
        signal: waiting.signal,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(uid === undefined ? {} : { "environment-uid": uid }),
          ...(text === undefined
            ? {}
            : { "content-type": yaml === undefined ? "application/json" : "application/yaml" }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
      if (!response.headers.has("sandbox-version")) throw new Error("another program answers");
      return { response, content: await contentOf(response) };
    } catch (error) {
      const isLate = waiting.signal.aborted && this.#waiting.has(waiting);
      const reason = isLate ? `something there takes longer than ${seconds} s` : failureOf(error);
      throw new CannotConnect(this.url, reason, { cause: error });
    } finally {
      waiting.abort();
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    }
  }
}

/** The token, and the id of the environment. */
interface Address {
  readonly token?: string | undefined;
  readonly environment?: string | undefined;
}

/**
 * Prepares calls of a sandbox, by any of its addresses. `bodyOf` maps the body of a call to the one that is sent.
 * Throws Mistake for a malformed address or token.
 */
export function connectionTo(url: unknown, { token, environment }: Address, bodyOf?: BodyMapping) {
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new Mistake("The address of a sandbox looks like http://localhost:4120.");
  }
  if (token !== undefined && !sandboxSettings.adminToken.kind.accepts(token)) {
    throw new Mistake(`token: expected ${sandboxSettings.adminToken.kind.expected}.`);
  }
  const id = environment ?? namedBy(token ?? "")?.id ?? "default";
  return new AdminConnection(new URL(url).origin, token, id, bodyOf);
}

/** Puts documents in place of files. Most calls name none. */
export async function withDocuments(id: AdminOperationId, body: unknown): Promise<unknown> {
  if (id !== "openEnvironment" && id !== "playScenario") return body;
  const files = await import("../control/files.ts");
  return id === "openEnvironment" ? files.withDocuments(body as object) : files.withScenario(body as object);
}

/** Seconds for an answer to a read, and to a command: this may generate a large fixture. */
const [readingTime, changeTime] = [20, 600];
/** The longest answer in bytes: more than any snapshot, and half of what a text can hold. */
const maxAnswerBytes = 250_000_000;

/** The body as text. Throws Error for one that is too long. */
async function contentOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxAnswerBytes) throw new Error(`something there sends more than ${maxAnswerBytes / 1e6} MB`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Milliseconds in which a sandbox must end. */
const stopTime = 10_000;
/** Milliseconds between two looks at whether it has. */
const stopInterval = 25;

/** The reason of an error of fetch, or of its cause: ECONNREFUSED. */
function failureOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  if (error instanceof CannotConnect) return failureOf(cause);
  return cause?.code ?? cause?.message ?? messageOf(error);
}

/** Replaces the names in braces of a path by ids. */
function fillIn(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathId(values[name])));
}

function search(parameters: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The token is for other calls. */
export class TokenInsufficient extends ControlError {}

/** Returns the error of the same command in process. */
function refusalError(status: number, problem: Problem | undefined, { admin_token: own }: EnvironmentHandle): Error {
  const { code = "", detail = `The sandbox answered ${status}.` } = problem ?? {};
  // The token of a dropped environment is no longer valid.
  if (code === "admin_token_required" && own !== undefined) return new ControlError("not_found", wasDropped);
  if (code === "admin_token_required") return new ControlError("refused", tokenRequired);
  if (code === "admin_token_insufficient") return new TokenInsufficient("refused", detail);
  const errorCode = controlErrorCodes.find((candidate) => candidate === code);
  if (status >= 500 && errorCode === undefined) return new Error(detail);
  return new ControlError(errorCode ?? codesByStatus[status] ?? "invalid", detail);
}

const wasDropped = "The environment was dropped.";

const tokenRequired =
  "This sandbox requires its admin token, which is printed where it starts: give it with --token or OFFERING_SANDBOX_ADMIN_TOKEN, in code as { token }.";

const codesByStatus: Readonly<Record<number, ControlErrorCode>> = {
  401: "refused",
  403: "refused",
  404: "not_found",
  409: "conflict",
};
