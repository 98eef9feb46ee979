import type { Request, Response } from "express";
import type { IncomingMessage } from "node:http";
import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { EnvironmentView, IssuedKey, StateView } from "../environment/view.ts";
import { type ErrorCode, HttpError, type Problem } from "../errors/http-error.ts";
import type { Key, Offering } from "../model/resources.ts";
import { Ledger } from "./ledger.ts";
import { type ParameterValues, type ParsedParameters, parseParameters } from "./parameters.ts";
import type { Target, Targets } from "./target.ts";

/** The key of a request, or why it has none that serves (section 5.3). */
type Authentication =
  | { readonly issued: IssuedKey }
  | { readonly refused: ErrorCode; readonly environment?: EnvironmentView };

const credentials = /^(\S+) +(\S+)$/;

/** What an `Authorization` header gives: a scheme and a token, or undefined when it has another form. */
function parseCredentials(header: string): { scheme: string; token: string } | undefined {
  const [, scheme, token] = credentials.exec(header) ?? [];
  return scheme === undefined || token === undefined ? undefined : { scheme, token };
}

/** Finds the key that an `Authorization` header names. `scheme` answers whether the scheme's case counts. */
function authenticate(
  header: string | undefined,
  scheme: () => AssumptionValue<"auth.scheme">,
  find: (secret: string) => IssuedKey | undefined,
): Authentication {
  const text = header?.trim() ?? "";
  if (text === "") return { refused: "key_missing" };
  const given = parseCredentials(text);
  if (!given) return { refused: "key_malformed" };
  if (given.scheme !== "Bearer") {
    if (given.scheme.toLowerCase() !== "bearer" || scheme() === "exact") return { refused: "key_malformed" };
  }
  const issued = find(given.token);
  if (!issued) return { refused: "key_unknown" };
  if (issued.status === "revoked") return { refused: "key_revoked", environment: issued.environment };
  return { issued };
}

const words: Partial<Record<ErrorCode, string>> = {
  key_missing: "Send the header `Authorization: Bearer <API_KEY>`.",
  key_malformed: "The Authorization header is not of the form `Bearer <API_KEY>`.",
  key_unknown: "No such key was issued.",
  key_revoked: "The key was revoked.",
};

/** The 401 for a key that does not serve. */
export function unauthorized(code: ErrorCode, wwwAuthenticate: AssumptionValue<"errors.www_authenticate">): HttpError {
  const problem: Problem = { detail: words[code] ?? "", source: { header: "Authorization" } };
  return new HttpError(code, problem, wwwAuthenticate === "yes" ? { "WWW-Authenticate": "Bearer" } : {});
}

/** One request to the service, read but not yet judged. */
export interface Call {
  readonly method: string;
  readonly target: Target;
  readonly authentication: Authentication;
  /** The one that issued the key; the default one for a request without a key that serves. */
  readonly environment: EnvironmentView;
  readonly ledger: Ledger;
  /** What a developer may want to know. */
  hints: readonly string[];
  /** When it came, in milliseconds of the process's own time. */
  readonly start: number;
  /** From the origin on, without anything that could be a secret. */
  readonly printed: string;
  /** The parameters of its operation, once they were asked for. */
  parameters?: ParsedParameters;
  /** The fault that met it. */
  faultId?: string;
  /** Set when the key is over its limit: milliseconds until it is not. */
  retryIn?: number;
}

/** Who issues keys. */
export interface KeyDirectory {
  /** Decides for requests without a key that serves. */
  readonly fallback: EnvironmentView;
  readonly find: (secret: string) => IssuedKey | undefined;
  /** A text of words, ids, numbers and dates without what is a secret of ours: a key, issued by now or not. */
  readonly conceal: (text: string) => string;
}

/** The id of the key that asked; null where none that serves did. */
export function askedBy({ authentication }: Call): string | null {
  return "issued" in authentication ? authentication.issued.key.id : null;
}

/** Reads a request to the service. */
export function readCall(request: IncomingMessage, directory: KeyDirectory, targets: Targets): Call {
  const { fallback, conceal } = directory;
  const target = targets.read(request.url ?? "");
  const preliminary = new Ledger(fallback.assumptions);
  const authentication = authenticate(
    request.headers.authorization,
    () => preliminary.value("auth.scheme"),
    directory.find,
  );
  const { environment = fallback } = "issued" in authentication ? authentication.issued : authentication;
  const ledger = new Ledger(environment.assumptions);
  ledger.include(preliminary);
  return {
    method: request.method ?? "GET",
    target,
    authentication,
    environment,
    ledger,
    // Nothing new where there are none: the journal keeps it.
    hints: target.hints.length === 0 ? target.hints : target.hints.map((hint) => conceal(hint)),
    start: performance.now(),
    printed: conceal(target.printable),
  };
}

/** The parameters of a call, read once. */
export function parametersOf(call: Call, ledger: Ledger): ParsedParameters {
  call.parameters ??= parseParameters(call.target.given, ledger);
  return call.parameters;
}

/** A call, and what it came with and is answered with. */
export interface Exchange {
  readonly call: Call;
  readonly request: Request;
  readonly response: Response;
}

const name = "call";

/** Begins an exchange: from now on others find the call by the response. */
export function beginExchange(exchange: Exchange): Exchange {
  exchange.response.locals[name] = exchange.call;
  return exchange;
}

/** The call that a response answers; undefined for requests of other paths than the service's. */
export function callOf(response: Response): Call | undefined {
  return response.locals[name] as Call | undefined;
}

/** What an answer is made from: a request that nothing speaks against, and the state at its instant. */
export interface ReadRequest {
  readonly key: Key;
  /** The key's, about which, or about an investment of which, the request is. */
  readonly offering: Offering;
  readonly state: StateView;
  readonly ledger: Ledger;
  /** Seeds the shuffles. */
  readonly seed: number;
  readonly values: ParameterValues;
  /** Where the API begins: `/api/v1`. */
  readonly basePath: string;
}
