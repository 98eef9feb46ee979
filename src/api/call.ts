import type { IncomingMessage } from "node:http";
import type { EnvironmentView, IssuedKey } from "../environment/view.ts";
import { authenticate, type Authentication } from "./authenticate.ts";
import { Ledger } from "./ledger.ts";
import { parseParameters, type ParsedParameters } from "./parameters.ts";
import { printablePath } from "./printable-path.ts";
import { parseTarget, type Query } from "./query.ts";
import { route, type Route } from "./route.ts";

/** One request to the service, read but not yet judged. */
export interface Call {
  readonly method: string;
  /** Below the base address. */
  readonly path: string;
  readonly query: Query;
  readonly route: Route | undefined;
  readonly authentication: Authentication;
  /** The one that issued the key; the default one for a request without a key that serves. */
  readonly environment: EnvironmentView;
  readonly ledger: Ledger;
  /** What a developer may want to know. */
  readonly hints: string[];
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
  find(secret: string): IssuedKey | undefined;
}

/** The id of the key that asked; null where none that serves did. */
export function askedBy({ authentication }: Call): string | null {
  return "issued" in authentication ? authentication.issued.key.id : null;
}

/** Keeps an answered call in the journal of its environment. */
export function keepInJournal(call: Call, status: number): void {
  const { method, printed: path, hints, start, faultId } = call;
  const milliseconds = Math.round((performance.now() - start) * 100) / 100;
  const entry = { method, path, status, milliseconds, key_id: askedBy(call), hints, fault_id: faultId ?? null };
  call.environment.journal(entry);
}

/** Reads a request below the base address, which is at `basePath`. */
export function readCall(request: IncomingMessage, directory: KeyDirectory, basePath: string): Call {
  const target = parseTarget((request.url ?? "").slice(basePath.length));
  const { path, query = [] } = target;
  const routed = route(path);
  const preliminary = new Ledger(directory.fallback.assumptions);
  const authentication = authenticate(
    request.headers.authorization,
    () => preliminary.value("auth.scheme"),
    (secret) => directory.find(secret),
  );
  const { environment = directory.fallback } = "issued" in authentication ? authentication.issued : authentication;
  const ledger = new Ledger(environment.assumptions);
  ledger.include(preliminary);
  return {
    method: request.method ?? "GET",
    path,
    query,
    route: routed,
    authentication,
    environment,
    ledger,
    hints: [],
    start: performance.now(),
    printed: basePath + printablePath(target, (text) => directory.find(text) !== undefined, routed),
  };
}

/** The parameters of the operation that a call names, read once. Throws an Error for a call that names none. */
export function parametersOf(call: Call, ledger: Ledger): ParsedParameters {
  if (!call.route) throw new Error("a call for no operation has no parameters");
  call.parameters ??= parseParameters(call.route.operation, call.query, ledger);
  return call.parameters;
}
