import type { ProfileName } from "./assumptions/assume.ts";
import type { Count } from "./model/scalars.ts";
import type { JournalEntry } from "./options.ts";

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
