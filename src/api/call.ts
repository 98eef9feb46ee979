import type { IncomingMessage } from "node:http";
import type { EnvironmentView, IssuedKey } from "../environment/view.ts";
import { authenticate, type Authentication } from "./authenticate.ts";
import { Ledger } from "./ledger.ts";
import { route, type Route } from "./route.ts";

/** One request to the service, read but not yet judged. */
export interface Call {
  readonly method: string;
  /** Below the base address. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly route: Route | undefined;
  readonly authentication: Authentication;
  /** The one that issued the key; the default one for a request without a key that serves. */
  readonly environment: EnvironmentView;
  readonly ledger: Ledger;
  /** What a developer may want to know. */
  readonly hints: string[];
  /** Set when the key is over its limit: milliseconds until it is not. */
  retryIn?: number;
}

/** Who issues keys. */
export interface KeyDirectory {
  /** Decides for requests without a key that serves. */
  readonly fallback: EnvironmentView;
  find(secret: string): IssuedKey | undefined;
}

/** Reads a request whose `url` is relative to the base address. */
export function readCall(request: IncomingMessage, directory: KeyDirectory): Call {
  const [path, search] = splitOnce(request.url ?? "", "?");
  const preliminary = new Ledger(directory.fallback.assumptions);
  const authentication = authenticate(
    request.headers.authorization,
    () => preliminary.value("auth.scheme"),
    (secret) => directory.find(secret),
  );
  const environment = "issued" in authentication ? authentication.issued.environment : directory.fallback;
  const ledger = new Ledger(environment.assumptions);
  for (const id of preliminary.used) ledger.value(id);
  return {
    method: request.method ?? "GET",
    path,
    query: new URLSearchParams(search),
    route: route(path),
    authentication,
    environment,
    ledger,
    hints: [],
  };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
