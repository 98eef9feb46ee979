import type { RequestFilter } from "../control.ts";
import { type AdminOperationId, adminOperations } from "../control/operations.ts";
import { ControlError, type ControlErrorCode, controlErrorCodes } from "../errors/control-error.ts";

/** No sandbox answers: the message is one line that says where and why. */
export class CannotConnect extends Error {
  override readonly name = "CannotConnect";

  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(`No sandbox answers at ${url}: ${reason}.`, options);
  }
}

/** What a call of the admin API says beside its name. */
export interface Call {
  readonly environment?: string;
  readonly id?: string;
  readonly filter?: RequestFilter;
  /** Sent as JSON; text is sent as YAML, as which a scenario file is read. */
  readonly body?: unknown;
}

/** The admin API of a sandbox somewhere else. */
export class AdminConnection {
  /** The origin: `http://localhost:4120`. */
  readonly url: string;
  readonly #token: string | undefined;

  constructor(url: string, token: string | undefined) {
    this.url = url;
    this.#token = token;
  }

  get adminUrl(): string {
    return `${this.url}/__admin`;
  }

  /**
   * Makes a call; undefined is answered where its response holds nothing. Rejects with ControlError for what the sandbox
   * refuses, with CannotConnect where none answers.
   */
  async call<Answer>(operationId: AdminOperationId, call: Call = {}): Promise<Answer> {
    const operation = adminOperations.find(({ id }) => id === operationId);
    if (!operation) throw new TypeError(`The admin API has no operation ${operationId}.`);
    const { method, path } = operation;
    const response = await this.#fetch(filled(path, call) + search(call.filter), method, call.body);
    if (!response.headers.has("sandbox-version")) throw new CannotConnect(this.url, "something else does");
    const text = await response.text();
    const answer: unknown = text === "" ? undefined : JSON.parse(text);
    if (!response.ok) throw refusal(response.status, answer as Problem | undefined);
    return answer as Answer;
  }

  async #fetch(path: string, method: string, body: unknown): Promise<Response> {
    const isText = typeof body === "string";
    try {
      return await fetch(this.adminUrl + path, {
        method,
        redirect: "error",
        headers: {
          ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
          ...(body === undefined ? {} : { "content-type": isText ? "application/yaml" : "application/json" }),
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
      const reason = cause?.code ?? cause?.message ?? String(error);
      throw new CannotConnect(this.url, reason, { cause: error });
    }
  }
}

/** A path with its names in braces filled in. */
function filled(path: string, { environment = "default", id = "" }: Call): string {
  const values: Record<string, string> = { environment, id };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    // Addresses cannot hold these: they would lead elsewhere.
    if (["", ".", ".."].includes(value)) throw new ControlError("not_found", `Nothing has the id "${value}".`);
    return encodeURIComponent(value);
  });
}

function search(filter: RequestFilter = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** A problem document, as far as it matters here. */
interface Problem {
  readonly code: string;
  readonly detail: string;
}

/** What a sandbox refuses, as the command rejects with it in process. */
function refusal(status: number, problem: Problem | undefined): Error {
  const { code = "", detail = `The sandbox answered ${status}.` } = problem ?? {};
  const known = controlErrorCodes.find((candidate) => candidate === code);
  if (status >= 500 && known === undefined) return new Error(detail);
  return new ControlError(known ?? codesByStatus[status] ?? "invalid", detail);
}

const codesByStatus: Readonly<Record<number, ControlErrorCode>> = {
  401: "refused",
  403: "refused",
  404: "not_found",
  409: "conflict",
};
