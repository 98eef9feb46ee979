import { setTimeout as wait } from "node:timers/promises";
import type { AdminOperation } from "../control/operation.ts";
import { type AdminOperationId, adminOperations, type AnswerOf } from "../control/operations.ts";
import {
  asControlError,
  CannotConnect,
  ControlError,
  type ControlErrorCode,
  controlErrorCodes,
} from "../errors/control-error.ts";
import { idOf, plainCopy } from "../model/plain-copy.ts";
import { checkedOptions } from "../settings/values.ts";

/** The parts of a call beside its operation. */
export interface Call {
  readonly environment?: string;
  readonly id?: string;
  /** Parameters by name; undefined ones are left out. */
  readonly query?: object;
  /** Sent as JSON; a string is sent as YAML, the form of a scenario file. */
  readonly body?: unknown;
}

/** Calls the admin API of a running sandbox over HTTP. */
export class AdminConnection {
  /** The origin: `http://localhost:4120`. */
  readonly url: string;
  readonly #token: string | undefined;
  readonly #waiting = new Set<AbortController>();

  constructor(url: string, token: string | undefined) {
    this.url = url;
    this.#token = token;
  }

  get adminUrl(): string {
    return `${this.url}/__admin`;
  }

  /**
   * Makes a call and returns the content of its response; undefined where it is empty. Rejects with ControlError when the
   * sandbox refuses the call, and with CannotConnect when no sandbox answers.
   */
  async call<Id extends AdminOperationId>(id: Id, call: Call = {}): Promise<AnswerOf<Id>> {
    const operation: AdminOperation = adminOperations[id];
    const { method, path, yaml } = operation;
    const { query, body } = await asControlError(() => checked(call, operation));
    const text = yaml && typeof body === "string" ? { yaml: body } : { json: JSON.stringify(body) };
    const { response, content } = await this.#fetch(fillIn(path, call) + search(query), method, text);
    if (!response.headers.has("sandbox-version")) throw new CannotConnect(this.url, "something else does");
    const answer: unknown = content === "" ? undefined : JSON.parse(content);
    if (!response.ok) throw refusal(response.status, answer as Problem | undefined);
    return answer as AnswerOf<Id>;
  }

  /** Resolves when nothing listens at the address. Rejects with ControlError `conflict` if something does for long. */
  async ended(): Promise<void> {
    for (let waited = 0; waited < endingTime; waited += endingInterval) {
      const code = await this.#fetch("/health", "GET").then(() => undefined, failureOf);
      if (code === "ECONNREFUSED") return;
      await wait(endingInterval);
    }
    const message = `Something still answers at ${this.url}, ${endingTime / 1000} s after the sandbox was to stop.`;
    throw new ControlError("conflict", message);
  }

  /** Gives up the calls that are not answered yet. */
  close(): void {
    for (const call of this.#waiting) call.abort();
  }

  async #fetch(
    path: string,
    method: string,
    { yaml, json }: { readonly yaml?: string; readonly json?: string } = {},
  ): Promise<{ response: Response; content: string }> {
    const waiting = new AbortController();
    const text = yaml ?? json;
    this.#waiting.add(waiting);
    try {
      const response = await fetch(this.adminUrl + path, {
        method,
        redirect: "error",
        signal: waiting.signal,
        headers: {
          ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
          ...(text === undefined
            ? {}
            : { "content-type": yaml === undefined ? "application/json" : "application/yaml" }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
      return { response, content: await response.text() };
    } catch (error) {
      throw new CannotConnect(this.url, failureOf(error), { cause: error });
    } finally {
      this.#waiting.delete(waiting);
    }
  }
}

/** Milliseconds that a sandbox gets to end. */
const endingTime = 10_000;
/** Milliseconds between two looks at whether it has. */
const endingInterval = 25;

/** The reason of an error of fetch, or of one that it caused: ECONNREFUSED. */
function failureOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  if (error instanceof CannotConnect) return failureOf(cause);
  return cause?.code ?? cause?.message ?? String(error);
}

/** Replaces the names in braces of a path. Throws ControlError for ids that a URL cannot hold. */
function fillIn(path: string, { environment = "default", id = "" }: Call): string {
  const values: Record<string, string> = { environment: idOf(environment), id: idOf(id) };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    // These segments would lead to another path.
    if (["", ".", ".."].includes(value) || /\p{Surrogate}/u.test(value))
      throw new ControlError("not_found", `Nothing has the id "${value}".`);
    return encodeURIComponent(value);
  });
}

function search(parameters: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The members of a problem document that are read here. */
interface Problem {
  readonly code: string;
  readonly detail: string;
}

/** Returns the error that the command rejects with in process. */
function refusal(status: number, problem: Problem | undefined): Error {
  const { code = "", detail = `The sandbox answered ${status}.` } = problem ?? {};
  if (code === "admin_token_required") return new ControlError("refused", tokenRequired);
  const known = controlErrorCodes.find((candidate) => candidate === code);
  if (status >= 500 && known === undefined) return new Error(detail);
  return new ControlError(known ?? codesByStatus[status] ?? "invalid", detail);
}

const tokenRequired =
  "This sandbox requires its admin token, which is printed where it starts: give it with --token or OFFERING_SANDBOX_ADMIN_TOKEN, in code as { token }.";

const codesByStatus: Readonly<Record<number, ControlErrorCode>> = {
  401: "refused",
  403: "refused",
  404: "not_found",
  409: "conflict",
};

/**
 * The query and the body of a call as they can be sent. Throws Mistake for what JSON cannot hold, and for a query that the
 * operation does not take: as text, one value could be read as another.
 */
function checked(
  { query, body }: Call,
  { query: table = {}, body: name }: AdminOperation,
): Pick<Call, "query" | "body"> {
  const given = plainCopy(query);
  return {
    ...(given !== undefined && { query: checkedOptions(table, given, "the filter") }),
    // A missing body would be an empty object to the sandbox.
    ...(name !== undefined && { body: plainCopy({ body }).body ?? null }),
  };
}
