import type { ServerResponse } from "node:http";
import type { ErrorCode, ServiceErrorCode } from "../model/error-catalog.ts";
import { basePath, type OperationId } from "../model/operations.ts";
import { hidden } from "../secrets/secrets.ts";
import type { RecordedRequest } from "../public/requests.ts";
import type { onlyIfCovered } from "./catalog.ts";

/** An entry of the journal while its response is created. The journal reuses the object for later entries. */
export type CountedEntry = Omit<RecordedRequest, "recorded_at" | "as_of">;

/** The names of the operations in the ids of behaviors. */
const operationNames: Readonly<Record<OperationId, string>> = {
  getOffering: "offering",
  listInvestments: "investments",
  getInvestment: "investment",
  getInvestmentStatus: "status",
  listInvestmentEvents: "events",
};

/** Returns the key, path and query of a GET; undefined for other requests, and if the journal conceals a part. */
export function requestOf({ key_id, method, path }: CountedEntry): string | undefined {
  return key_id === null || method !== "GET" || path.includes(hidden) ? undefined : `${key_id} ${path}`;
}

/** Returns true if the service returned a document, and no fault changed it. */
export function hasResponse({ status, digest, connection }: CountedEntry): boolean {
  return status === 200 && digest !== null && connection === null;
}

/** Returns the failure of a request: of the service, or of the connection before the end of the response. */
function failureOf({ status, connection }: CountedEntry): string | undefined {
  if (connection === "truncated") return "failures.truncated";
  if (connection !== null) return "failures.connection";
  return status !== null && status >= 500 ? "failures.status" : undefined;
}

/** Returns the behavior that a GET covers independently of other requests. */
export function behaviorOf(entry: CountedEntry): string | undefined {
  const { method, operation, key_type } = entry;
  if (method !== "GET") return undefined;
  if (hasResponse(entry))
    return operation && key_type ? `operations.${operationNames[operation]}.${key_type}` : undefined;
  return failureOf(entry) ?? refusalOf(entry);
}

type Refusal = string | undefined | ((entry: CountedEntry) => string);

/** The behavior that each error covers; undefined for an error that does not count as a refusal. */
const refusals: { readonly [Code in ErrorCode]?: Refusal } = {
  key_missing: "refusals.missing",
  key_malformed: "refusals.malformed",
  key_unknown: "refusals.malformed",
  key_revoked: "refusals.revoked",
  rate_limit_exceeded: "refusals.429",
  path_not_found: undefined,
  method_not_allowed: undefined,
  offering_forbidden: ({ operation }) => (operation === "listInvestments" ? "refusals.list" : "refusals.offering"),
  parameter_invalid: "refusals.400" satisfies typeof onlyIfCovered,
  investment_not_found: ({ investment_id }) =>
    investment_id === null ? "refusals.unknown" : "refusals.other-offering",
  page_not_found: undefined,
  internal_error: undefined,
} satisfies Record<ServiceErrorCode, Refusal>;

function refusalOf(entry: CountedEntry): string | undefined {
  // A fault's response has no code.
  if (entry.code === null) return entry.status === 429 ? "refusals.429" : undefined;
  const refusal = refusals[entry.code];
  return typeof refusal === "function" ? refusal(entry) : refusal;
}

/** Returns true if a path, method or parameter does not exist: section 4 names each of them. */
export function isUnknown({ operation, code, key_id, path }: CountedEntry, hints: readonly string[]): boolean {
  // Browsers themselves request some paths at the origin, without a key.
  if (operation === null) return key_id !== null || path.startsWith(basePath);
  return code === "method_not_allowed" || hints.length > 0;
}

/** Returns true if a response stays the same until the key or the data change. */
function isFinalFor({ status, operation, code }: CountedEntry): boolean {
  if (status === 401 || status === 403) return true;
  // A page after the last is not a resource, and an unknown path is a separate risk.
  return status === 404 && operation !== null && code !== "page_not_found";
}

/** Describes a response to remember; undefined for a response to which no client needs to react. */
export function rememberedResponse(entry: CountedEntry, request: string, res: ServerResponse) {
  const { id, status, code, elapsed_ms, retry_after_seconds: seconds } = entry;
  const isFailure = failureOf(entry) !== undefined;
  const isFinal = isFinalFor(entry);
  if (!isFailure && !isFinal && (seconds === null || status === null)) return undefined;
  const response = {
    id,
    status,
    request,
    isFailure,
    isFinal,
    /** Whether the rate limit, and not a fault, refused the request. */
    isLimit: code === "rate_limit_exceeded",
    /** Weak, because a closed connection need not stay in memory as long as the response. */
    socket: new WeakRef(res.req.socket),
    /** The time in `elapsed_ms` that `Retry-After` names; 0 without one. */
    retryAtMs: seconds === null ? 0 : elapsed_ms + seconds * 1000,
    /** When the response was sent, in milliseconds of `performance.now()`; Infinity until then. */
    closedAt: Infinity,
    /** When the response was sent, in `elapsed_ms`. */
    closedAtMs: elapsed_ms,
    /** The number of times in a row that the client certainly got this response. */
    times: 1,
    /** The time from the previous failure to this request; undefined for the first failure. */
    waitMs: undefined as number | undefined,
    hasWaited: false,
    /** Whether the response counts as a 401 after which the key was not used again. */
    isLastUse: false,
    isUndecided: false,
  };
  const createdAt = performance.now();
  res.once("close", () => {
    response.closedAt = performance.now();
    response.closedAtMs += response.closedAt - createdAt;
  });
  return response;
}
