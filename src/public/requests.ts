import type { ProfileName, AssumptionId } from "../assumptions/catalog.ts";
import type { ErrorCode } from "../model/error-catalog.ts";
import type { Instant } from "../time/instant.ts";
import type { OperationId } from "../model/operations.ts";
import type { Count, EnvironmentId, Uuid } from "./scalars.ts";
import type { KeyType } from "../model/vocabulary.ts";

/** The journal of requests, bounded. */
export interface Requests {
  list(filter?: RequestFilter): Promise<RequestList>;
  count(filter?: RequestFilter): Promise<number>;
  /** Repeats the response to a request in the journal, from the state at that time. */
  response(id: number): Promise<ReplayedResponse>;
  clear(): Promise<void>;
}

/** A request, with known keys and everything that looks like a key removed. */
export interface RequestEntry {
  readonly method: string;
  /** Path and query, with possible secrets replaced. */
  readonly path: string;
  /** Null if the connection ended without a response. */
  readonly status: Count | null;
  /**
   * How a fault ended the connection: before the response, or after a part of its body; null if none did. If this and
   * the status are null, the client has left.
   */
  readonly connection: "reset" | "empty" | "truncated" | null;
  /** The code of the error in the response; null if there is no error, or a fault responded. */
  readonly code: ErrorCode | null;
  readonly duration_ms: number;
  /** The key that was sent, even a revoked one; null if there is no such key. */
  readonly key_id: Uuid | null;
  /** The label of the key; null if it does not have one. */
  readonly key_label: string | null;
  /** The environment of the key; `default` without a key, null if no environment serves the path. */
  readonly environment: EnvironmentId | null;
  /** The fault applied to the request; null if none. */
  readonly fault_id: string | null;
  /**
   * The reason for an error, and hints at errors: `size=0 must be an integer from 1 to 100`,
   * `unknown parameter create_date[gt], did you mean create_date[gte]?`.
   */
  readonly hints: readonly string[];
  /**
   * The assumptions on which a refusal depends, with their values: `list.past_end=404`. Assumptions about its form are
   * listed only if their values are not the conventional ones. Empty for other values.
   */
  readonly depends_on: readonly string[];
  /** The seconds of `Retry-After`; null without one. */
  readonly retry_after_seconds: Count | null;
}

export interface RequestFilter {
  /** A path from the origin or the base address, or a pattern with `*`. */
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  /** A status or a class of statuses; 0 is a connection that ended without a response. */
  readonly status?: number | StatusClass | undefined;
  /** The code of an error: `key_missing`. */
  readonly code?: ErrorCode | undefined;
  /** The id of a key, its alias, label or secret. */
  readonly key_id?: string | undefined;
  /** The id after which entries begin. If the journal has not reached it, as after a restore, all entries match. */
  readonly after?: number | undefined;
  /** The first instant, by the environment's clock. */
  readonly since?: Instant | undefined;
  /** The last n requests. */
  readonly limit?: number | undefined;
}

export type StatusClass = "1xx" | "2xx" | "3xx" | "4xx" | "5xx";

/** Requests that have ended. */
export interface RecordedRequests {
  /** The entries, oldest first. */
  readonly data: readonly JournalEntry[];
  /** Number of older entries that were dropped; with `after`, only of entries after it. */
  readonly dropped: Count;
}

export interface RequestList extends RecordedRequests {
  /**
   * Requests that a fault or delay holds, oldest first; empty if the filter has `status` or `code`. They move to `data`
   * when they end; a request whose body drips is in both.
   */
  readonly waiting: readonly WaitingRequest[];
}

/** A request that does not yet have its whole response. */
export interface WaitingRequest extends Pick<RequestEntry, "method" | "path" | "key_id" | "key_label" | "fault_id"> {
  /** The instant of the environment's clock at which the request arrived. */
  readonly date: Instant;
  /** How long the request has waited until now. */
  readonly duration_ms: number;
}

/** A request in the journal, with the names of what it is about, now. */
export interface JournalEntry extends RecordedRequest {
  /** Why the request failed, in a sentence: `The key is revoked.` Null without a failure. */
  readonly cause: string | null;
  /** What to do about it; null for an outcome that a fault or the client caused. */
  readonly remedy: string | null;
  readonly offering_name: string | null;
  /** `#147 Ada Lovelace`: the number and the first investor of the investment. */
  readonly investment_name: string | null;
}

/** A request as it was recorded. */
export interface RecordedRequest extends RequestEntry {
  /** The id, counted from 1; a reset does not restart it. @minimum 1 */
  readonly id: Count;
  /** The instant, by the environment's clock, of the state that the response shows. */
  readonly date: Instant;
  /** When the response was sent, in real time by the machine's clock. The request arrived `duration_ms` earlier. */
  readonly recorded_at: Instant;
  /**
   * Milliseconds since the environment was opened, as its limits count them: real time plus the advances of its clock,
   * of which each counts for at most 100 days.
   */
  readonly elapsed_ms: Count;
  /** Number of changes put on the timeline before this request, including those removed again. */
  readonly as_of: Count;
  /** Whether the portal sent the request, with the header `Sandbox-Portal`, and not a client. */
  readonly from_portal: boolean;
  /** The first 16 hexadecimal digits of the SHA-256 of the service's body; null without one, or for a fault's body. */
  readonly digest: string | null;
  /** The operation of the service; null for other paths. */
  readonly operation: OperationId | null;
  readonly key_type: KeyType | null;
  /** The offering of the path or of its investment; null if the id does not exist. */
  readonly offering_id: Uuid | null;
  /** The investment in the path; null if the id does not exist. */
  readonly investment_id: Uuid | null;
  /** The assumptions on which the response depends, in alphabetical order. */
  readonly assumptions: readonly AssumptionId[];
  /** The page in the response, if it is a list; null for other responses. */
  readonly page: Count | null;
  /** The size of the page. */
  readonly size: Count | null;
  /** Number of investments on the page, or of events in an events document. */
  readonly shown: Count | null;
  /** Number of investments on all pages. */
  readonly total: Count | null;
}

/** A call to respond to without sending it: it is not rate-limited and not recorded in the journal. */
export interface PreviewRequest {
  /** Path and query from the origin, or below the base address: `/investments/…?size=1`. */
  readonly path: string;
  /** The id, alias, label or secret of a key; null for a call without one. */
  readonly key_id: string | null;
}

export interface PreviewedResponse {
  readonly status: Count;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body. */
  readonly body: string;
}

/** How to repeat the requests of a journal. */
export interface ReplayOptions {
  /** The profile to use in place of the assumptions that applied at each request. */
  readonly profile?: ProfileName | undefined;
  /** Single assumptions that replace those of `profile` or, without it, those that applied at each request. */
  readonly assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Whether each entry includes the response. @default false */
  readonly responses?: boolean | undefined;
}

/** The repeated response to a request in the journal, from the state at that time. */
export interface ReplayedResponse {
  /** The status; null if the request did not have a response. */
  readonly status: Count | null;
  /** The headers; empty if the response cannot be repeated. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; null if the response cannot be repeated. */
  readonly body: string | null;
  /** Whether this response equals the one that was sent; null if it cannot be repeated. */
  readonly same: boolean | null;
  /** Why the response cannot be repeated: `fault-1 responded`. */
  readonly reason: string | null;
}

/** A repeated request of a journal. */
export interface ReplayedRequest extends Pick<RecordedRequest, "id" | "date" | "method" | "path" | "status"> {
  readonly result: "same" | "different" | "skipped";
  /** Why the request is skipped: `fault-1 responded`; or the other status: `404 in place of 200`. */
  readonly reason?: string | undefined;
  /**
   * Up to 20 members in which the repeated response differs from the last one at this path that was the same as the
   * sent one; if there is none, from the response before all changes.
   */
  readonly differs?: readonly string[] | undefined;
  /** The new response, if responses are requested and the request is not skipped. */
  readonly response?: PreviewedResponse | undefined;
}

/** The response of `POST …/replay`: the repeated requests of a journal, each from its own state. */
export interface ReplayReport {
  readonly same: Count;
  readonly different: Count;
  readonly skipped: Count;
  readonly entries: readonly ReplayedRequest[];
}
