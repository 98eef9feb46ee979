import type { RequestEntry } from "../public/control.ts";
import type { NewEntry } from "../environment/view.ts";
import type { ErrorCode } from "../model/error-catalogue.ts";
import type { AssumptionId } from "../assumptions/catalogue.ts";
import type { WaitingRequest } from "../public/requests.ts";
import type { Response } from "express";
import { type Call, millisecondsSince } from "./call.ts";
import type { Listing } from "./response-cache.ts";

/** How a call ended, for the journal. */
export interface Outcome {
  /** Null if the call got no answer. */
  readonly status: number | null;
  readonly connection?: RequestEntry["connection"] | undefined;
  readonly code?: ErrorCode | undefined;
  readonly listing?: Listing | undefined;
  /** The digest of the service's own body; undefined without one, and for the body of a fault. */
  readonly digest?: string | undefined;
  readonly retryAfter?: number | undefined;
  /** The assumptions behind a refusal, with their values. */
  readonly restsOn?: readonly string[] | undefined;
}

const gone: Outcome = { status: null };
const nothing: readonly string[] = [];
const noListing = { page: null, size: null, shown: null, total: null };

/**
 * Adds the call of a response to the journal. Sets every member of the entry, and always in the same order, because the
 * object of the entry may have held an earlier call.
 */
export function journal(response: Response, outcome: Outcome, assumptions: readonly AssumptionId[] = []): NewEntry {
  const { call } = response.locals;
  const { method, redactedTarget, start, sentKey, environment, fault, hints, target, reading, fromPortal } = call;
  const { secrets } = call.service.environments;
  const { status, connection, code } = response.req.destroyed ? gone : outcome;
  const { page, size, shown, total } = outcome.listing ?? noListing;
  const { state } = reading;
  const { operation, lowerCaseId = "" } = target.route ?? {};
  const investment = operation?.subject === "investment" ? state.investment(lowerCaseId) : undefined;
  const offering = operation?.subject === "offering" ? state.offering(lowerCaseId) : undefined;
  const label = sentKey?.label ?? null;
  const entry = environment.newEntry();
  entry.date = reading.now;
  entry.method = method;
  entry.path = redactedTarget;
  entry.status = status;
  entry.connection = connection ?? null;
  entry.code = code ?? null;
  entry.milliseconds = millisecondsSince(start);
  entry.key_id = sentKey?.id ?? null;
  entry.key_label = label === null ? null : secrets.redact(label);
  entry.environment = secrets.redact(environment.id);
  entry.fault_id = fault?.id ?? null;
  entry.hints = hints;
  entry.rests_on = outcome.restsOn ?? nothing;
  entry.from_portal = fromPortal;
  entry.operation = operation?.id ?? null;
  entry.key_type = sentKey?.type ?? null;
  entry.offering_id = offering?.id ?? investment?.offering_id ?? null;
  entry.investment_id = investment?.id ?? null;
  entry.assumptions = assumptions;
  entry.page = page;
  entry.size = size;
  entry.shown = shown;
  entry.total = total;
  entry.retry_after_seconds = outcome.retryAfter ?? null;
  entry.digest = (status === null ? null : outcome.digest) ?? null;
  if (!fromPortal) call.isDelayed = call.service.onAnswer?.(call, entry, response) ?? false;
  return entry;
}

/** Returns what the log shows of an entry, with copies of its lists. Outside the service, most have a default. */
export function logEntry(
  entry: Pick<RequestEntry, "method" | "path" | "status"> & Partial<RequestEntry>,
): RequestEntry {
  const { method, path, status, connection = null, code = null, milliseconds = 0, hints = [], rests_on = [] } = entry;
  const { key_id = null, key_label = null, environment = null, fault_id = null, retry_after_seconds = null } = entry;
  const from = { key_id, key_label, environment, fault_id };
  const reasons = { hints: [...hints], rests_on: [...rests_on], retry_after_seconds };
  return { method, path, status, connection, code, milliseconds, ...from, ...reasons };
}

/** Describes a call that waits for its answer. */
export function waitingRequest(call: Call): WaitingRequest {
  const { method, redactedTarget, sentKey, fault, reading, start, service } = call;
  const label = sentKey?.label ?? null;
  return {
    method,
    path: redactedTarget,
    key_id: sentKey?.id ?? null,
    key_label: label === null ? null : service.environments.secrets.redact(label),
    fault_id: fault?.id ?? null,
    date: reading.now,
    milliseconds: millisecondsSince(start),
  };
}
