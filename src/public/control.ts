import type {
  AssumptionDescription,
  Comparison,
  ComparisonRequest,
  EnvironmentDescription,
  EnvironmentSummary,
  EventRecord,
  ExampleCall,
  FaultDescription,
  InvestmentRecord,
  KeyDescription,
  LimitDescription,
  OfferingDescription,
  OfferingSummary,
  ServerDescription,
  Snapshot,
} from "./descriptions.ts";
import type { CoverageReport } from "./coverage-report.ts";
import type { InvestmentFilter, InvestmentPage } from "./investments.ts";
import type { FaultRule } from "../model/shapes.ts";
import type { KeyType } from "../model/vocabulary.ts";
import type { CloseOptions, EnvironmentOptions, SandboxOptions } from "./options.ts";
import type { PreviewedResponse, PreviewRequest, ReplayOptions, ReplayReport, Requests } from "./requests.ts";
import type { PlaySubject, RunDescription, Runs, Scenarios } from "./scenarios.ts";
import type {
  ChangeDescription,
  Clock,
  HistogramFilter,
  Pulse,
  PulseSince,
  TimelineFilter,
  TimelineHistogram,
} from "./timeline.ts";

export type * from "./descriptions.ts";
export type * from "./coverage-report.ts";
export type * from "./requests.ts";
export type * from "./scenarios.ts";
export type * from "./timeline.ts";
export type { Duration, Span } from "../time/duration.ts";
export type * from "./investments.ts";
export type * from "./options.ts";
export type { FaultRule } from "../model/shapes.ts";

/**
 * The commands of an environment. `startSandbox` implements them in process, `connectSandbox` over the admin API.
 * Results are plain data in the shape of the admin API.
 *
 * Every command rejects with ControlError if it cannot be done; then nothing has changed, except with the code
 * `not_saved`.
 */
export interface Environment extends AsyncDisposable {
  readonly id: string;
  /** The service's base address: `http://localhost:4120/api/v1`. */
  readonly baseUrl: string;
  /** The offerings when the environment was opened, in the order of its fixture. */
  readonly offerings: readonly OfferingDescription[];
  /** The first offering. Throws ControlError if the environment does not have offerings. */
  readonly offering: OfferingDescription;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly scenarios: Scenarios;
  readonly runs: Runs;
  readonly investments: Investments;
  readonly requests: Requests;
  readonly faults: Faults;
  readonly limits: LimitsControl;
  readonly assumptions: AssumptionsControl;
  describe(): Promise<EnvironmentDescription>;
  /**
   * Returns what is new since an earlier pulse, cheaply enough to be called twice a second. A pulse is not logged or
   * recorded in the journal. Like every command, it prolongs the life of the environment.
   */
  pulse(since?: PulseSince): Promise<Pulse>;
  /** Returns example calls of the service, one for each kind of response that the keys get now. */
  examples(): Promise<readonly ExampleCall[]>;
  /**
   * Responds to a GET as the service would now, with its headers except `RateLimit`. No fault, delay or limit applies,
   * and the call neither counts as a read nor is recorded in the journal. A path outside the API is a 404.
   */
  preview(request: PreviewRequest): Promise<PreviewedResponse>;
  /**
   * Reads an offering, or a document of an investment, as it is stored and as each key gets it, all at one instant of
   * the clock. Like a preview, it is neither rate-limited nor recorded in the journal.
   */
  compare(request: ComparisonRequest): Promise<Comparison>;
  /** Lists offerings with counts and sums of their investments. Quick for any number of investments. */
  offeringSummaries(): Promise<readonly OfferingSummary[]>;
  /** Plays a scenario: a name, or a document in the form of a scenario file. */
  play(scenario: string | object, subject?: PlaySubject): Promise<RunDescription>;
  /** Lists past and future changes in order. */
  timeline(filter?: TimelineFilter): Promise<readonly ChangeDescription[]>;
  /** Returns the number of changes by time, and the next ones, of the environment, an investment or a run. */
  histogram(filter?: HistogramFilter): Promise<TimelineHistogram>;
  /** Resets timeline, clock, limits, faults, journal and keys to the opening of the environment. */
  reset(): Promise<void>;
  /** Returns the environment as one document, its limits and journal included. */
  snapshot(): Promise<Snapshot>;
  /** Restores a snapshot of this environment, or of any other over the same fixture. */
  restore(snapshot: Snapshot): Promise<void>;
  /**
   * Repeats the requests of the journal, or of a snapshot's journal, each at its own state, and compares the responses
   * with those that were sent. Not rate-limited, not recorded in the journal.
   */
  replay(snapshot?: Snapshot, options?: ReplayOptions): Promise<ReplayReport>;
  /**
   * Returns which operations and errors of the service the environment's clients have covered, and how they reacted,
   * since the process began. The report shows the responses, not what a client made of them. With `all`, it is about
   * every environment of the server, even deleted ones.
   */
  coverage(scope?: { readonly all?: boolean | undefined }): Promise<CoverageReport>;
  /** Closes the environment. A sandbox in process stops its server; a connected one only disconnects. */
  close(options?: CloseOptions): Promise<void>;
}

/** An environment that was opened here, with its links and tokens, which are only returned once. */
export interface OpenedEnvironment extends Environment {
  /** The portal's address at this environment, with its token if one is required; null if the portal is disabled. */
  readonly portalLink: string | null;
  /** The token that only allows calls of this environment; undefined without `openToken`. */
  readonly adminToken: string | undefined;
  /** Like `portalLink`, with a token that only allows calls without changes; undefined without `openToken`. */
  readonly viewLink: string | undefined;
}

/** A sandbox server and its default environment. */
export interface Sandbox extends Environment {
  /** The origin: `http://localhost:4120`. */
  readonly url: string;
  /** The admin API's base address: `http://localhost:4120/__admin`. */
  readonly adminUrl: string;
  /** Opens an environment with its own keys, clock, timeline, limits, faults and journal on the same server. */
  openEnvironment(options?: EnvironmentOptions): Promise<OpenedEnvironment>;
  /** Finds an open environment. Rejects with ControlError `not_found`. */
  environment(id: string): Promise<Environment>;
  /** Lists the open environments. */
  environments(): Promise<readonly EnvironmentDescription[]>;
  /** Lists the open environments without offerings, keys and runs. Quick for any number of environments. */
  environmentSummaries(): Promise<readonly EnvironmentSummary[]>;
  /** Returns the place and start of the server. Rejects with ControlError `refused` for a token of one environment. */
  server(): Promise<ServerDescription>;
  /**
   * Asks the command `offering-sandbox start` to stop; over HTTP, resolves when it has ended. Rejects with ControlError
   * `refused` if `exec`, a test or other code runs the sandbox, because that code closes it.
   */
  stop(): Promise<void>;
}

/** A sandbox in this process. */
export interface LocalSandbox extends Sandbox {
  /** The token for `/` and the admin API; null if they require none. */
  readonly adminToken: string | null;
  /** The path of the sandbox's config file, relative to the working directory; null if no file was read. */
  readonly configFile: string | null;
  /** The folder to which failed tests write their snapshots; null for none. */
  readonly snapshotDir: string | null;
  /**
   * Reloads the fixture and the options in the default environment. The clock continues; so do timeline and runs,
   * unless the fixture has changed. Limits and journal start again. Port, host, admin and admin token stay. Rejects
   * like `startSandbox`; then nothing has changed.
   */
  reload(options: SandboxOptions): Promise<void>;
}

/** The fake keys of an environment. */
export interface Keys {
  /**
   * Secret of the first offering's first active Marketing key at the opening of the environment. It stays the same when
   * the key is revoked. Throws ControlError if there was none.
   */
  readonly marketing: string;
  /** Secret of the first offering's first active Partner key, like `marketing`. */
  readonly partner: string;
  list(): Promise<readonly KeyDescription[]>;
  issue(key: NewKey): Promise<KeyDescription>;
  /** Revokes the key of this id, alias, label or secret from now on; it stays listed. */
  revoke(key: string): Promise<KeyDescription>;
}

export interface NewKey {
  readonly type: KeyType;
  /** The id or alias of the offering. @default the first offering */
  readonly offering_id?: string | undefined;
  readonly label?: string | undefined;
}

/** Reads and changes investments at the current instant. A reference is an id, or an alias of exactly one of them. */
export interface Investments {
  /** Lists investments. This call is not rate-limited, not recorded in the journal, and triggers no step. */
  list(filter?: InvestmentFilter): Promise<InvestmentPage>;
  get(reference: string): Promise<InvestmentRecord>;
  /** Creates an investment, in the form of a fixture file with an `offering_id`; missing values are generated. */
  create(investment: Readonly<Record<string, unknown>>): Promise<InvestmentRecord>;
  /**
   * Changes attributes of an investment, and of its investors, signing parties and payments, each named by its id:
   * `{ amount: 5000, investors: [{ id, first_name: "Ada" }] }`.
   */
  change(reference: string, change: Readonly<Record<string, unknown>>): Promise<InvestmentRecord>;
  recordEvent(reference: string, event: NewEvent): Promise<EventRecord>;
}

export interface NewEvent {
  readonly event: string;
  readonly action: string;
  readonly description?: string | null | undefined;
}

export interface Faults {
  list(): Promise<readonly FaultDescription[]>;
  add(fault: FaultRule): Promise<FaultDescription>;
  /** Removes the fault of this id; without an id, all faults. */
  remove(id?: string): Promise<void>;
}

export interface LimitsControl {
  list(): Promise<readonly LimitDescription[]>;
  /** Clears the counts of all keys. */
  clear(): Promise<void>;
  /**
   * Sets the number of used requests of the key with this id, alias, label or secret; by default to its limit, so that
   * its next request gets a 429. Its window starts with the next request.
   */
  set(key: string, used?: number): Promise<LimitDescription>;
}

export interface AssumptionsControl {
  list(): Promise<readonly AssumptionDescription[]>;
  set(changes: Readonly<Record<string, unknown>>): Promise<readonly AssumptionDescription[]>;
}
