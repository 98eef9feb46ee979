import type { RequestEntry } from "../public/control.ts";
import type { NewEntry } from "../environment/view.ts";
import type { ErrorCode } from "../model/error-catalog.ts";
import type { AssumptionId } from "../assumptions/catalog.ts";
import type { WaitingRequest } from "../public/requests.ts";
import type { Response } from "express";
import { type Call, millisecondsSince } from "./call.ts";
import type { Listing } from "./response-cache.ts";

/** How a call ended, for the journal. */
export interface Outcome {
  /** Null if the call got no response. */
  readonly status: number | null;
  readonly connection?: RequestEntry["connection"] | undefined;
  readonly code?: ErrorCode | undefined;
  readonly listing?: Listing | undefined;
  /** The digest of the service's own body; undefined without one, and for the body of a fault. */
  readonly digest?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The assumptions behind a refusal, with their values. */
  readonly dependsOn?: readonly string[] | undefined;
}

const noResponse: Outcome = { status: null };
const noReasons: readonly string[] = [];
const noListing = { page: null, size: null, shown: null, total: null };

/**
 * Adds the call of a response to the journal. Sets every member of the entry, and always in the same order, because the
 * journal may reuse the object of an earlier entry.
 */
export function addJournalEntry(res: Response, outcome: Outcome, assumptions: readonly AssumptionId[] = []): NewEntry {
  const { call } = res.locals;
  const { sentKey, environment, isFromPortal, service } = call;
  const { status, connection = null, code = null, digest = null } = res.req.destroyed ? noResponse : outcome;
  const { listing = noListing, dependsOn = noReasons, retryAfterSeconds = null } = outcome;
  const entry = environment.addEntry();
  entry.date = call.stateAtInstant.now;
  entry.method = call.method;
  entry.path = call.redactedTarget;
  entry.status = status;
  entry.connection = connection;
  entry.code = code;
  entry.duration_ms = millisecondsSince(call.startedAt);
  entry.key_id = sentKey?.id ?? null;
  entry.key_label = labelOf(call);
  entry.environment = service.environments.secrets.redact(environment.id);
  entry.fault_id = call.fault?.id ?? null;
  entry.hints = call.hints;
  entry.depends_on = dependsOn;
  entry.from_portal = isFromPortal;
  setSubject(entry, call);
  entry.assumptions = assumptions;
  entry.page = listing.page;
  entry.size = listing.size;
  entry.shown = listing.shown;
  entry.total = listing.total;
  entry.retry_after_seconds = retryAfterSeconds;
  entry.digest = digest;
  if (!isFromPortal) call.isDelayed = service.onResponse?.(call, entry, res) ?? false;
  return entry;
}

/** Sets the subject of an entry: its operation, and its key, offering and investment, if there are such. */
function setSubject(entry: NewEntry, { target: { route }, stateAtInstant: { state }, sentKey }: Call): void {
  const { operation, lowerCaseId = "" } = route ?? {};
  const investment = operation?.subject === "investment" ? state.investment(lowerCaseId) : undefined;
  const offering = operation?.subject === "offering" ? state.offering(lowerCaseId) : undefined;
  entry.operation = operation?.id ?? null;
  entry.key_type = sentKey?.type ?? null;
  entry.offering_id = offering?.id ?? investment?.offering_id ?? null;
  entry.investment_id = investment?.id ?? null;
}

function labelOf({ sentKey, service }: Call): string | null {
  const label = sentKey?.label ?? null;
  return label === null ? null : service.environments.secrets.redact(label);
}

/** Returns the members of an entry that the log shows, with copies of its lists. Missing members get a default. */
export function logEntry(
  entry: Pick<RequestEntry, "method" | "path" | "status"> & Partial<RequestEntry>,
): RequestEntry {
  const { method, path, status, connection = null, code = null, duration_ms = 0, hints = [], depends_on = [] } = entry;
  const { key_id = null, key_label = null, environment = null, fault_id = null, retry_after_seconds = null } = entry;
  const from = { key_id, key_label, environment, fault_id };
  const reasons = { hints: [...hints], depends_on: [...depends_on], retry_after_seconds };
  return { method, path, status, connection, code, duration_ms, ...from, ...reasons };
}

/** Returns the description of a call that has no complete response yet. */
export function waitingRequest(call: Call): WaitingRequest {
  return {
    method: call.method,
    path: call.redactedTarget,
    key_id: call.sentKey?.id ?? null,
    key_label: labelOf(call),
    fault_id: call.fault?.id ?? null,
    date: call.stateAtInstant.now,
    duration_ms: millisecondsSince(call.startedAt),
  };
}
