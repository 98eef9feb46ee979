import type { Duration } from "../time/duration.ts";
import type { Instant } from "../time/instant.ts";
import type { Count } from "./scalars.ts";
import type { RecordedRequests } from "./requests.ts";
import type { PlaySubject } from "./scenarios.ts";

/** The only source of time in an environment. */
export interface Clock {
  get(): Promise<ClockReading>;
  /**
   * Sets the instant, past or future, or the speed, or both. An instant is ISO 8601, `"2026-01-15"` or
   * `"2026-01-15T12:00:00Z"`, or `"now"` for the machine's, or `"fixture"` for the fixture's own; `"previous"` is
   * `previous()`, with a speed if one is given.
   */
  set(to: Instant | ClockSetting): Promise<ClockMove>;
  /** Moves the clock forward by a duration (`"2d"`, `"PT1H"`, or milliseconds), and the rate limits' windows too. */
  advance(by: Duration, of?: StepOptions): Promise<ClockMove>;
  /** Moves the clock forward to an instant, written as for `set`; `"next"` is `next()`. */
  advanceTo(instant: Instant, of?: StepOptions): Promise<ClockMove>;
  /**
   * Moves the clock forward to the next change of the named offering, investment or run, or else of anything. Rejects
   * with ControlError `conflict` if there is no next change.
   */
  next(of?: StepOptions): Promise<ClockMove>;
  /**
   * Sets the clock to the instant of the change before the last applied one, or to 1 ms before the first; of an
   * offering, an investment or a run where one is named. The speed stays. Rejects with ControlError `conflict` if no
   * change can be undone.
   */
  previous(of?: StepOptions): Promise<ClockMove>;
  /**
   * Undoes the last move of the clock, or the last change of an investment, from any client: up to ten, and none from
   * before another command. Rejects with ControlError `conflict` if there is none.
   */
  undo(options?: UndoOptions): Promise<ClockMove>;
}

export interface ClockReading {
  readonly now: Instant;
  /** Seconds of the clock per real second: 1 is real time, 0 paused. @minimum 0 */
  readonly speed: number;
}

/** A new state of a clock; omitted members stay. */
export interface ClockSetting extends StepOptions {
  readonly now?: Instant | undefined;
  readonly speed?: number | undefined;
}

/**
 * An offering, with its investments and keys, an investment or a run. The clock steps along its changes, and the
 * summary of every move is about it. @default all changes
 */
export interface StepSubject extends PlaySubject {
  readonly run?: string | undefined;
}

export interface StepOptions extends StepSubject {
  /** Whether the clock stays where there is no such change, in place of a `conflict`. @default false */
  readonly if_any?: boolean | undefined;
}

export interface UndoOptions extends StepSubject {
  /**
   * What has to be undone: the instant to which a move set the clock, or the id of a changed investment.
   * @default the last action
   */
  readonly last?: string | undefined;
}

/** What a command did to the clock. */
export interface ClockMove extends ClockReading {
  /** The changes on the way forward, in order: the first 1,000. The timeline has all. */
  readonly applied: readonly ChangeDescription[];
  /** Number of all changes on the way forward. */
  readonly applied_count: Count;
  /** The changes on the way back, in order: the first 1,000. They are applied again when the clock reaches them. */
  readonly undone: readonly ChangeDescription[];
  /** Number of all changes on the way back. */
  readonly undone_count: Count;
  /** The runs that stopped on the way, because a step or repetition was impossible. */
  readonly stopped: readonly StoppedRun[];
  /** What the move did: `#148 Ada Lovelace is CLOSED, 5,000.00 paid.` */
  readonly summary: string;
}

/** A run that stopped because of a problem. */
export interface StoppedRun {
  readonly id: string;
  readonly scenario: string;
  /** The impossible step or repetition. */
  readonly problem: string;
}

/** One dated change of a timeline. */
export interface ChangeDescription {
  readonly date: Instant;
  readonly sequence: Count;
  /** The run that recorded it; null for a command. */
  readonly run: string | null;
  readonly kind: string;
  /** The change in words: `Subscription submitted`, `Status CLOSED`. */
  readonly summary: string;
  /** The id of the changed investment, offering, key or fault. */
  readonly subject_id: string;
  /** `#147 Ada Lovelace`: the name of the changed investment; null for another subject. */
  readonly investment_name: string | null;
  readonly [member: string]: unknown;
}

/** A filter for the changes of a timeline; all members must match. */
export interface TimelineFilter extends StepSubject {
  /** The first instant, inclusive. */
  readonly from?: Instant | undefined;
  /** The last instant, inclusive. */
  readonly to?: Instant | undefined;
  /** Maximum number of changes: the first ones, or the last ones if only `to` is given. @default all */
  readonly limit?: number | undefined;
}

/** What a histogram is about, and its size. */
export interface HistogramFilter extends StepSubject {
  /** Maximum number of buckets, 1 to 1000. @default 200 */
  readonly buckets?: number | undefined;
}

/** The extent of the subject's changes, and how all changes are spread, those of the subject among them. */
export interface TimelineHistogram {
  /** The instant of the first change; null without changes. */
  readonly first: Instant | null;
  /** The instant of the last change; null without changes. */
  readonly last: Instant | null;
  readonly now: Instant;
  /** The last change up to now. */
  readonly previous: Instant | null;
  /** The first change after now, even of a repetition that has not begun; null if time does not bring one. */
  readonly next: Instant | null;
  /** Number of changes. */
  readonly total: Count;
  /** Number of changes up to now. */
  readonly applied: Count;
  /**
   * The buckets in order. Each has about the same number of instants, so a time without changes takes no space. The
   * present is between two buckets: past and future have at least one each.
   */
  readonly buckets: readonly TimelineBucket[];
}

/** The changes of one instant, or of several consecutive ones if there are more instants than buckets. */
export interface TimelineBucket {
  readonly from: Instant;
  readonly to: Instant;
  readonly count: Count;
  /** Number of changes of the subject. */
  readonly subject_count: Count;
  /** Number of changes by kind. */
  readonly kinds: Readonly<Record<string, Count>>;
}

/** The news that a caller already has: members of its last pulse. */
export interface PulseSince {
  /** `journal.last`. @default 0 */
  readonly after?: number | undefined;
  /** The `revision`; with it, `after` only applies to the same journal. */
  readonly revision?: string | undefined;
}

/** News of an environment since a journal entry. */
export interface Pulse {
  /**
   * Changes with each command, each applied change and each reset, and from process to process. While it stays equal,
   * only requests have arrived. These may have used up limits, whose windows also end with real time.
   */
  readonly revision: string;
  /** The version of the sandbox. A page of another one is out of date. */
  readonly version: string;
  readonly clock: ClockReading;
  /** The time of the machine, to compare with `recorded_at` of entries. */
  readonly real_time: Instant;
  /** The date of the last change up to now. */
  readonly previous: Instant | null;
  /** The first change after now, even of a repetition that has not begun; null if time does not bring one. */
  readonly next: Instant | null;
  readonly journal: PulseJournal;
}

/** The entries of a journal after a given one; if there are more than 200, only the newest of them. */
export interface PulseJournal extends RecordedRequests {
  /** The id of the newest entry; 0 without one. */
  readonly last: Count;
  /** The id after which `data` begins: your `after`, or 0 if another journal has replaced the one that it refers to. */
  readonly after: Count;
}
