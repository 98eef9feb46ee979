import type { ProfileName } from "./assumptions/assume.ts";
import type { AssumptionId } from "./assumptions/catalogue.ts";
import type { ErrorCode } from "./errors/http-error.ts";
import type { Instant } from "./model/instant.ts";
import type { OperationId } from "./model/operations.ts";
import type { Count, EnvironmentId, Uuid } from "./model/scalars.ts";
import type { ClockReading, InvestmentRecord, KeyDescription, OfferingSummary } from "./descriptions.ts";
import type { InvestmentDocument, KeyType } from "./model/vocabulary.ts";

/** One request. Contains no known key, and nothing that looks like one. */
export interface RequestEntry {
  readonly method: string;
  /** Path and query, with possible secrets replaced. */
  readonly path: string;
  /** Null if the connection ended without an answer. */
  readonly status: Count | null;
  /**
   * How a fault ended the connection: without an answer, or after a part of its body; null if none did. Without this and a status,
   * the client has left.
   */
  readonly connection: "reset" | "empty" | "truncated" | null;
  /** The code of the error in the answer; null if there is none, or a fault answered. */
  readonly code: ErrorCode | null;
  readonly milliseconds: number;
  /** The key that was sent, even a revoked one; null if there is no such key. */
  readonly key_id: Uuid | null;
  /** Its label; null if it has none. */
  readonly key_label: string | null;
  /** The environment of the key; `default` without one, null for what no environment serves. */
  readonly environment: EnvironmentId | null;
  /** The fault applied to it; null if none. */
  readonly fault_id: string | null;
  /**
   * The reason for an error, and hints at mistakes: `size=0 must be a whole number from 1 to 100`,
   * `unknown parameter create_date[gt], did you mean create_date[gte]?`.
   */
  readonly hints: readonly string[];
}

export interface RequestFilter {
  /** A path from the origin or the base address, or a pattern with `*`. */
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  /** A status or a class of them; 0 is a connection ended without an answer. */
  readonly status?: number | StatusClass | undefined;
  /** The code of an error: `key_missing`. */
  readonly code?: ErrorCode | undefined;
  /** The id of a key, its alias, label or secret. */
  readonly key_id?: string | undefined;
  /** Later than the entry of this id. All, if the journal does not reach it: an earlier one was restored. */
  readonly after?: number | undefined;
  /** From this instant of the environment's clock on. */
  readonly since?: Instant | undefined;
  /** The last n requests. */
  readonly limit?: number | undefined;
}

export type StatusClass = "1xx" | "2xx" | "3xx" | "4xx" | "5xx";

/** Requests that are over. */
export interface RecordedRequests {
  /** Oldest first. */
  readonly data: readonly JournalEntry[];
  /** Number of older entries that were dropped; with `after`, of those after it. */
  readonly dropped: Count;
}

export interface RequestList extends RecordedRequests {
  /**
   * Requests held by a fault or a delay, oldest first; with `status` or `code` none. They are in `data` once they are over;
   * one whose body drips is in both.
   */
  readonly waiting: readonly WaitingRequest[];
}

/** A request without an answer yet, or without the whole of it. */
export interface WaitingRequest extends Pick<RequestEntry, "method" | "path" | "key_id" | "key_label" | "fault_id"> {
  /** The instant of the environment's clock at which it came. */
  readonly date: Instant;
  /** How long it has waited by now. */
  readonly milliseconds: number;
}

export interface JournalEntry extends RequestEntry {
  /** Counts from 1, on after a reset. @minimum 1 */
  readonly id: Count;
  /** The instant of the environment's clock at which the state for the answer was read. */
  readonly date: Instant;
  /** When its answer was out, in real time: by the clock of the machine. It came so many `milliseconds` before. */
  readonly recorded_at: Instant;
  /** Milliseconds since the environment was opened: real time and the advances of its clock, as its limits count them. */
  readonly elapsed_ms: Count;
  /** Number of changes that had been put on the timeline, removed ones included. */
  readonly as_of: Count;
  /** Whether the portal sent it, by the header `Sandbox-Portal`: it is no client's. */
  readonly from_portal: boolean;
  /** The first 16 hexadecimal digits of the SHA-256 of the service's body; null without one, and for a fault's own. */
  readonly digest: string | null;
  /** The operation of the service; null for other paths. */
  readonly operation: OperationId | null;
  readonly key_type: KeyType | null;
  /** The offering in the path, or the one of the investment in it; null if there is none of this id. */
  readonly offering_id: Uuid | null;
  /** The investment in the path; null if there is none of this id. */
  readonly investment_id: Uuid | null;
  /** The assumptions on which the answer rests, in alphabetical order. */
  readonly assumptions: readonly AssumptionId[];
  /** The page of a list that was answered; null for other answers. */
  readonly page: Count | null;
  /** Its size. */
  readonly size: Count | null;
  /** Number of investments on it, or of events in the answer about an investment's. */
  readonly shown: Count | null;
  /** Number of investments on all pages. */
  readonly total: Count | null;
  /** The seconds of `Retry-After`; null without one. */
  readonly retry_after_seconds: Count | null;
}

/** A call to answer without making it: it counts against no limit and is in no journal. */
export interface PreviewOrder {
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

/** An offering, or a document of an investment, to read as several keys do: one of `offering_id` and `investment_id`. */
export interface ComparisonOrder {
  /** The id or alias of an offering. */
  readonly offering_id?: string | undefined;
  /** The id or alias of an investment. */
  readonly investment_id?: string | undefined;
  /** The document of an investment. @default "investment" */
  readonly document?: InvestmentDocument | undefined;
  /** Ids, aliases, labels or secrets of keys. @default the oldest active key of each type for the offering, partner first */
  readonly key_ids?: readonly string[] | undefined;
}

/** An offering or an investment as it is held, and as keys read it: all of one instant, however fast the clock runs. */
export interface Comparison {
  readonly now: Instant;
  /** The investment, unredacted and with its events; null where an offering is compared. */
  readonly investment: InvestmentRecord | null;
  /** The offering, or that of the investment. */
  readonly offering: OfferingSummary;
  /** The path that the keys read, below the base address. */
  readonly path: string;
  /** The document at the path as it is held, with every member and nothing redacted. */
  readonly held: Readonly<Record<string, unknown>>;
  /** In the order of the keys. */
  readonly readings: readonly KeyReading[];
}

export interface KeyReading {
  readonly key: KeyDescription;
  /** As `preview` answers. */
  readonly response: PreviewedResponse;
}

/** How to ask the requests of a journal again. */
export interface ReplayOrder {
  /** In place of the assumptions of the time. */
  readonly profile?: ProfileName | undefined;
  /** Single ones in place of those of the time, or of the profile. */
  readonly assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Whether each entry has its answer. @default false */
  readonly answers?: boolean | undefined;
}

/** The answer to a request in the journal, made again at its own state. */
export interface RequestAnswer {
  /** Null where the request had no answer. */
  readonly status: Count | null;
  /** Empty where the answer cannot be made again. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; null where it cannot be made again. */
  readonly body: string | null;
  /** Whether it is the one that was sent; null where it cannot be made again. */
  readonly same: boolean | null;
  /** Why it cannot be made again: `fault-1 answered`. */
  readonly reason: string | null;
}

/** A request of a journal, asked again. */
export interface ReplayedRequest extends Pick<JournalEntry, "id" | "date" | "method" | "path" | "status"> {
  readonly result: "same" | "other" | "skipped";
  /** Why it is skipped: `fault-1 answered`. Or the other status: `404 in place of 200`. */
  readonly reason?: string | undefined;
  /**
   * The members, 20 at most, in which the answer differs: from the last same one at this path or, without one, from that
   * before all changes.
   */
  readonly differs?: readonly string[] | undefined;
  /** The answer now, where answers are asked for; left out where it is skipped. */
  readonly response?: PreviewedResponse | undefined;
}

/** The answer of `POST …/replay`: the requests of a journal, asked again at their own states. */
export interface ReplayReport {
  readonly same: Count;
  readonly other: Count;
  readonly skipped: Count;
  readonly entries: readonly ReplayedRequest[];
}

/** The news a caller has: members of its last pulse. */
export interface PulseSince {
  /** `journal.last`. @default 0 */
  readonly after?: number | undefined;
  /** With it, `after` counts only for the same journal. */
  readonly revision?: string | undefined;
}

/** News of an environment since a journal entry. */
export interface Pulse {
  /**
   * Changes with each command, each applied change and each reset, and with the process. The same text means: only
   * requests have come. They may have counted against limits, which also end by real time.
   */
  readonly revision: string;
  readonly clock: ClockReading;
  /** The machine's own time, with which `recorded_at` of an entry compares. */
  readonly real_time: Instant;
  /** The last change up to now. */
  readonly previous: Instant | null;
  /** The first change after now, also of a repetition that has not begun; null if time alone brings none. */
  readonly next: Instant | null;
  readonly journal: PulseJournal;
}

/** The newest 200 entries of a journal after one of them. */
export interface PulseJournal extends RecordedRequests {
  /** The id of the newest entry, 0 without one. */
  readonly last: Count;
  /** First id minus one. If it differs from your `after`, the journal was replaced and `data` is all of it. */
  readonly after: Count;
}
