import type { IncomingMessage } from "node:http";
import type { EnvironmentView, IssuedKey } from "../environment/view.ts";
import { authenticate, type Authentication } from "./authenticate.ts";
import { Ledger } from "./ledger.ts";
import { parseParameters, type ParsedParameters } from "./parameters.ts";
import type { Target, Targets } from "./target.ts";

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
