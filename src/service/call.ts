import type { Response } from "express";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { RequestEntry } from "../public/control.ts";
import type {
  EnvironmentView,
  IssuedKey,
  LimitRow,
  NewEntry,
  StateAtInstant,
  SharedEnvironments,
} from "../environment/view.ts";
import type { KeyError } from "../model/error-catalog.ts";
import { hidden, type Secrets } from "../secrets/secrets.ts";
import type { Key, Fault } from "../model/resources.ts";
import { Ledger } from "./ledger.ts";
import { type ParsedParameters, parseParameters } from "./parameters.ts";
import type { Target } from "./target.ts";

export interface ServiceOptions {
  readonly environments: EnvironmentDirectory;
  /** The origins whose pages may call; `*` means any. */
  readonly corsOrigins: ReadonlySet<string>;
  /** Whether responses carry `Sandbox-Assumptions`. */
  readonly assumptionHeader: boolean;
  /** Called with each call of a client at its arrival, and again each time that the call is read again. */
  readonly onArrival?: (call: Call, res: Response) => void;
  /**
   * Called with each call of a client and its entry in the journal, before the response goes out. Returns whether the
   * response has to wait until everything that arrived earlier has been read.
   */
  readonly onResponse?: (call: Call, entry: NewEntry, res: Response) => boolean;
  /** Called with every request when it has its response. */
  readonly onRequest: ((entry: RequestEntry) => void) | undefined;
  /** Called with unforeseen errors. */
  readonly onFailure: (error: unknown) => void;
}

/** The environments of a server, found by the secrets of their keys. */
interface EnvironmentDirectory {
  /** The environment that responds to requests without a valid key. */
  readonly default: EnvironmentView;
  readonly secrets: Secrets;
  findKey(secret: string): IssuedKey | undefined;
  /** Finds environments that other processes have opened; undefined without any. */
  readonly shared?: Pick<SharedEnvironments, "syncCopyByKey"> | undefined;
}

/** The parts of a request from which a call is read. */
interface CallHead {
  readonly target: Target;
  readonly method: string;
  readonly authorization: string | undefined;
  readonly isFromPortal: boolean;
}

/** A request to the service. Express's `response.locals` carries it along the chain. */
export interface Call extends CallHead {
  readonly service: ServiceOptions;
  /** The target from the origin, with possible secrets redacted. */
  readonly redactedTarget: string;
  /** The environment of the key, or the default one. */
  readonly environment: EnvironmentView;
  /** The valid key of the request; undefined without one. */
  readonly key: Key | undefined;
  /** The sent key, even a revoked one. */
  readonly sentKey: Key | undefined;
  /** Why there is no key (section 5.3); undefined if there is one. */
  readonly keyError: KeyError | undefined;
  readonly ledger: Ledger;
  /** Time of arrival, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** The state, read on arrival, and again after a wait: another request or command may change it meanwhile. */
  stateAtInstant: StateAtInstant;
  /** Advice for the developer, such as the nearest valid name. */
  hints: readonly string[];
  /** The parameters of the operation; undefined until they are read. */
  parameters?: ParsedParameters;
  fault?: Fault;
  /** Time until the window resets; set only over the limit. */
  retryInMs?: number;
  /** The rows of which another value would have put the request over the limit; undefined without a limit. */
  refusingRows?: readonly LimitRow[];
  /** Whether the response waits until everything that arrived earlier has been read. */
  isDelayed?: boolean;
}

declare global {
  namespace Express {
    interface Locals {
      call: Call;
    }
  }
}

/** Reads a request and finds its key. The state is the current one of the key's environment unless one is passed. */
export function readCall(
  { target, method, authorization, isFromPortal }: CallHead,
  service: ServiceOptions,
  stateAtInstant?: StateAtInstant,
): Call {
  const { default: fallback, secrets } = service.environments;
  const ledger = new Ledger(fallback.assumptions);
  const { issued, keyError } = findIssuedKey(authorization, ledger, service.environments);
  const environment = issued?.environment ?? fallback;
  ledger.assumptions = environment.assumptions;
  return {
    method,
    authorization,
    isFromPortal,
    service,
    target,
    redactedTarget: concealSentKey(secrets.redact(target.redactedText), issued ? undefined : authorization),
    environment,
    key: keyError === undefined ? issued?.key : undefined,
    sentKey: issued?.key,
    keyError,
    ledger,
    startedAt: performance.now(),
    stateAtInstant: stateAtInstant ?? issued?.stateAtInstant ?? environment.read(),
    // An empty list is shared, because the journal would store a new list for each request.
    hints: target.hints.length === 0 ? target.hints : target.hints.map((hint) => secrets.redact(hint)),
  };
}

/** Conceals an unknown key that the client has also put in the path. */
function concealSentKey(target: string, authorization: string | undefined): string {
  const sentKey = authorization?.slice(authorization.lastIndexOf(" ") + 1) ?? "";
  return sentKey.length < 8 ? target : target.replaceAll(sentKey, hidden);
}

/** Returns the time since `startedAt`, a time of `performance.now()`, to a hundredth of a millisecond. */
export function millisecondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 100) / 100;
}

/** Waits some milliseconds. Returns false as soon as the connection ends: the client left, or the server closes. */
export async function waitConnected(milliseconds: number, request: IncomingMessage): Promise<boolean> {
  if (request.destroyed) return false;
  const abortController = new AbortController();
  const abortWait = (): void => abortController.abort();
  request.once("close", abortWait);
  const hasWaited = await wait(milliseconds, true, abortController).catch(() => false);
  request.off("close", abortWait);
  return hasWaited;
}

/** Reads the parameters of a call, once. */
export function parametersOf(call: Call): ParsedParameters {
  call.parameters ??= parseParameters(call.target.queryParameters, call.ledger);
  return call.parameters;
}

/** Returns the id in the path, in the upper or lower case of the resources. */
export function subjectId({ target: { route }, ledger }: Call): string {
  if (!route) return "";
  const { id, lowerCaseId } = route;
  return id === lowerCaseId || ledger.value("ids.case") === "exact" ? id : lowerCaseId;
}

const schemeAndKey = /^(\S+) +(\S+)$/;

/** Returns the key in an `Authorization` header, of any form; undefined if there is none. */
export function secretIn(header = ""): string | undefined {
  return schemeAndKey.exec(header.trim())?.[2];
}

/** Finds the key in an `Authorization` header, and the reason if the key is not valid. */
function findIssuedKey(
  header: string | undefined,
  ledger: Ledger,
  environments: EnvironmentDirectory,
): { readonly issued?: IssuedKey; readonly keyError?: KeyError } {
  const credentials = header?.trim() ?? "";
  if (credentials === "") return { keyError: "key_missing" };
  const [, scheme, secret] = schemeAndKey.exec(credentials) ?? [];
  const isBearer =
    scheme === "Bearer" || (scheme?.toLowerCase() === "bearer" && ledger.value("auth.scheme") !== "exact");
  if (secret === undefined || !isBearer) return { keyError: "key_malformed" };
  const issued = environments.findKey(secret);
  if (!issued) return { keyError: "key_unknown" };
  return issued.status === "revoked" ? { issued, keyError: "key_revoked" } : { issued };
}
