import type { ProfileName } from "./assumptions/assume.ts";
import type { AssumptionId } from "./assumptions/catalogue.ts";
import type { ErrorCode } from "./errors/http-error.ts";
import type { CalibrationOption } from "./assumptions/calibration.ts";
import type { Duration, Span } from "./model/duration.ts";
import type { Instant } from "./model/instant.ts";
import type { OperationId } from "./model/operations.ts";
import type { Count, EnvironmentId, Uuid } from "./model/scalars.ts";
import type { KeyType } from "./model/vocabulary.ts";

/** The name of a fixture, its file or the URL of that, or its content. */
type FixtureOption = string | { readonly href: string } | Readonly<Record<string, unknown>>;

/** A snapshot, its file or the URL of that. */
type SnapshotOption = string | { readonly href: string } | Readonly<Record<string, unknown>>;

/** Options of a sandbox. All are optional; undefined is the same as left out. */
export interface SandboxOptions {
  /**
   * The config file, or its URL, with settings under these options, apart from `port` and `db`; `false` for none.
   * @default the nearest offering-sandbox.config.yaml or .json, from the working directory up to the folder of a package.json
   */
  config?: string | { readonly href: string } | false | undefined;
  /** A shipped fixture's name, a file or its URL, or the content of a fixture file. @default "demo" */
  fixture?: FixtureOption | undefined;
  /**
   * Names of shipped scenarios, files, or the contents of files, to play from the start; `"fixture"` for those that the
   * fixture names, as `offering-sandbox start` plays them. @default none
   */
  scenarios?: readonly (string | object)[] | "fixture" | undefined;
  /**
   * A snapshot, or the file of one, to open the default environment from. Fixture, clock, profile, assumptions and rate limit
   * are then the snapshot's unless others are given; `fixture` and `seed` only if the fixture is not in it. @default none
   */
  snapshot?: SnapshotOption | undefined;
  /** File to store environments in, to outlive the process. @default none */
  db?: string | undefined;
  /**
   * A mark for one server of several: the ids of its environments begin with `s2-`, and the secrets of keys with
   * `sandbox_partner_s2_`. Up to 16 lower-case letters and digits. @default none
   */
  shard?: string | undefined;
  /** How many environments may be open, the default one included: 1 to 20,000. @default 1000 */
  maxEnvironments?: number | undefined;
  /** Seed for generated data. @default the fixture's */
  seed?: number | undefined;
  /** Start of the clock: an instant, `"now"`, or `"fixture"` for the fixture's present. @default "fixture" */
  clock?: string | undefined;
  /** Seconds of the clock per real second. @default 0 */
  speed?: number | undefined;
  /** @default "conventional" */
  profile?: ProfileName | undefined;
  /** Assumptions other than the profile's, by id. */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** Draws assumptions by a seed for each environment that opens, other than those given or calibrated. @default false */
  vary?: boolean | undefined;
  /** The seed to draw by, `"7f3a91c2"`. @default OFFERING_SANDBOX_VARY_SEED; with `vary`, one by chance */
  varySeed?: string | undefined;
  /** The assumptions to draw, and no others. @default all but a few that must be named */
  varyRows?: readonly string[] | undefined;
  /** The assumptions decided by `offering-sandbox calibrate`, as in its config file; for information. @default none */
  calibrated?: CalibrationOption | undefined;
  /** Requests per minute and key; 0 is off. @default 120 */
  rateLimit?: number | undefined;
  /** Delay before every answer of the API: milliseconds, `"2s"`, or a span to draw each from, `"50ms..200ms"`. @default 0 */
  delay?: Span | undefined;
  /** Origins allowed to call the API from a browser; `["*"]` allows any. @default ["*"] */
  corsOrigins?: readonly string[] | undefined;
  /** Host names to answer to, besides the loopback names and the bound host. @default [] */
  allowedHosts?: readonly string[] | undefined;
  /** Serves the portal at `/`, and `/__admin`. @default true */
  admin?: boolean | undefined;
  /** A token that is only for opening environments; each then has tokens of its own. The admin API then requires one. @default none */
  openToken?: string | undefined;
  /** The token for `/__admin`; the portal asks for it. @default none on loopback, a random one beyond or with `openToken` */
  adminToken?: string | undefined;
  /** Sends the header `Sandbox-Assumptions`. @default true */
  assumptionHeader?: boolean | undefined;
  /** The folder to which failed tests write their cases. @default OFFERING_SANDBOX_CASES_DIR; without it, none are written */
  casesDir?: string | undefined;
  /**
   * Folder to which the sandbox writes at its end which behaviours of the service its clients have met, in a JSON file of its own:
   * see `coverage()`. @default the variable OFFERING_SANDBOX_COVERAGE_DIR, or else none
   */
  coverageDir?: string | undefined;
  /** 0 takes any free port. @default 0 */
  port?: number | undefined;
  /** The address to bind. @default both loopbacks */
  host?: string | undefined;
  /** Called for every answered request. */
  onRequest?: ((entry: RequestEntry) => void) | undefined;
  /** Called for a request to stop over the admin API. @default such requests are refused */
  onStop?: (() => void) | undefined;
  /** Called for unexpected errors, which are answered with 500. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/** Options of an environment. */
export interface EnvironmentOptions {
  /** Letters, digits, `-` and `_`. @default a generated one */
  id?: string | undefined;
  /** A name for people, such as a test's. @default none */
  label?: string | undefined;
  /**
   * The name of the server's own fixture or of a shipped one, a file or its URL, or the content of a fixture file; in the
   * latter, mistakes are named by their place, and `generate` is bounded. @default the server's own
   */
  fixture?: FixtureOption | undefined;
  /**
   * A snapshot, or the file of one, to begin from, in any environment and any process: the environment has its fixture,
   * timeline, clock and keys, with secrets of its own. Another clock, profile and rate limit may be given. @default none
   */
  snapshot?: SnapshotOption | undefined;
  /** An instant, `"now"`, or `"fixture"` for the fixture's present. @default the snapshot's, or `"fixture"` */
  clock?: string | undefined;
  /** @default the snapshot's, or 0 */
  speed?: number | undefined;
  /** Names of scenarios, files, or the contents of files, to play from the start. @default none */
  scenarios?: readonly (string | object)[] | undefined;
  /** @default the server's */
  profile?: ProfileName | undefined;
  /** Assumptions other than the profile's, by id. @default the server's, if `profile` is left out */
  assumptions?: Readonly<Record<string, unknown>> | undefined;
  /** A seed to draw assumptions by, together with the label; a snapshot has its own. @default the server's */
  varySeed?: string | undefined;
  /** The assumptions to draw. @default the server's */
  varyRows?: readonly string[] | undefined;
  /** Requests per minute and key; 0 is off. @default the server's */
  rateLimit?: number | undefined;
  /** Seconds, or a duration such as `"2h"`, without a request or command after which it is closed. @default 3600 */
  ttlSeconds?: Duration | undefined;
}

/** A new state of a clock; omitted members stay. */
export interface ClockSetting {
  readonly now?: Instant | undefined;
  readonly speed?: number | undefined;
}

export interface ClockReading {
  readonly now: Instant;
  /** Seconds of the clock per real second: 1 is real time, 0 frozen. @minimum 0 */
  readonly speed: number;
}

/** A run that stopped because of a problem. */
export interface StoppedRun {
  readonly id: string;
  readonly scenario: string;
  /** The impossible step or repetition. */
  readonly problem: string;
}

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
  /**
   * The last entry before a pause of 100 ms, in which the server had nothing to do, that ended with the request or earlier; 0 for
   * none. Its client had the answer to it, and to all before it, when it sent the request.
   */
  readonly sent_after: Count;
  /**
   * The connection on which it came, counted from 1 in each environment; null if it came before the last answer there was out, or in
   * an entry of version 1.0. Its client had all earlier answers on the connection when it sent the request.
   */
  readonly connection_id: Count | null;
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
