import type { ProfileName } from "./assumptions/assume.ts";
import type { AssumptionId } from "./assumptions/catalogue.ts";
import type { FaultRule } from "./model/fault.ts";
import type { Instant } from "./model/instant.ts";
import type { KeyType } from "./model/vocabulary.ts";
import type { EnvironmentOptions, RequestEntry, SandboxOptions } from "./options.ts";

export type { FaultRule } from "./model/fault.ts";
export type { EnvironmentOptions, RequestEntry, SandboxOptions } from "./options.ts";

/**
 * The commands over everything that can change. Implemented twice: in process, by `startSandbox`, and over the admin API,
 * by `connectSandbox`. Results are plain data in the shape of the admin API.
 *
 * Every command rejects with ControlError when it cannot be done, and then nothing has changed.
 */
export interface Environment extends AsyncDisposable {
  readonly id: string;
  /** Where the emulated service begins: `http://localhost:4120/api/v1`. */
  readonly baseUrl: string;
  /** The offerings as they were when the environment was opened, in the order of its fixture. */
  readonly offerings: readonly OfferingDescription[];
  /** The first of them. Throws ControlError where there is none. */
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
  /** The environment as it is now. */
  describe(): Promise<EnvironmentDescription>;
  /** Plays a scenario: a known one by name, or a document of the form of a scenario file. */
  play(scenario: string | object, subject?: PlaySubject): Promise<RunDescription>;
  /** The changes, past and future, in order. */
  timeline(): Promise<readonly ChangeDescription[]>;
  /** Everything back to how the environment was opened: timeline, clock, limits, faults, journal, keys. */
  reset(): Promise<void>;
  /** The whole environment as one document. */
  snapshot(): Promise<Snapshot>;
  /** Back to a snapshot of this environment. */
  restore(snapshot: Snapshot): Promise<void>;
  /** Drops the environment; of a sandbox, stops the server (in process) or lets go of it (connected). */
  close(): Promise<void>;
}

/** A sandbox server, and its default environment. */
export interface Sandbox extends Environment {
  /** The origin: `http://localhost:4120`. */
  readonly url: string;
  /** Where the admin API begins: `http://localhost:4120/__admin`. */
  readonly adminUrl: string;
  /** Opens an environment: keys, clock, timeline, limits, faults and journal of its own, on the same server. */
  openEnvironment(options?: EnvironmentOptions): Promise<Environment>;
  /** The environment of this id. */
  environment(id: string): Promise<Environment>;
  /** The environments that are open. */
  environments(): Promise<readonly EnvironmentDescription[]>;
}

/** A sandbox that runs in this process. */
export interface LocalSandbox extends Sandbox {
  /** The token that `/` and the admin API ask for; null when they ask for none. */
  readonly adminToken: string | null;
  /** Calls to try, one for each kind of answer that the fixture's keys can produce. */
  examples(): readonly ExampleCall[];
  /**
   * Takes up the fixture and the options anew, in place, in the default environment: its clock goes on, and its timeline
   * and runs do unless the fixture has changed; limits and journal begin afresh. What was bound stays as it is: port, host, admin and admin token. Rejects as `startSandbox` does, and then
   * nothing has changed.
   */
  reload(options: SandboxOptions): Promise<void>;
}

/** The only source of time in an environment. */
export interface Clock {
  get(): Promise<ClockReading>;
  /** Sets the instant, backwards too, or the speed, or both. */
  set(to: { now?: Instant | undefined; speed?: number | undefined }): Promise<ClockReading>;
  /** Moves the clock on by a duration (`"2d"`, `"PT1H"`, or milliseconds), and the rate limits' windows with it. */
  advance(by: string | number): Promise<ClockAdvance>;
  /** Moves the clock on to an instant. */
  advanceTo(instant: Instant): Promise<ClockAdvance>;
}

export interface ClockReading {
  readonly now: Instant;
  /** Seconds of the clock in one real second: 1 real time, 0 frozen. */
  readonly speed: number;
}

export interface ClockAdvance extends ClockReading {
  /** What happened on the way, in order. */
  readonly applied: readonly ChangeDescription[];
}

/** The fake keys of an environment. */
export interface Keys {
  /**
   * The secret of the first offering's first Marketing key that served when the environment was opened; it stays the same
   * when that is revoked. Throws ControlError where there was none.
   */
  readonly marketing: string;
  /** The same of its first Partner key. */
  readonly partner: string;
  list(): Promise<readonly KeyDescription[]>;
  issue(key: KeyOrder): Promise<KeyDescription>;
  /** From now on the key is revoked; it stays listed. */
  revoke(id: string): Promise<KeyDescription>;
}

export interface KeyOrder {
  readonly type: KeyType;
  readonly offering_id: string;
  readonly label?: string | undefined;
}

export interface Scenarios {
  /** The scenarios that can be played by name. */
  list(): Promise<readonly ScenarioDescription[]>;
  /** What is wrong with a scenario, sent as a document or as the text of a file. */
  check(scenario: string | object): Promise<ScenarioCheck>;
}

export interface ScenarioDescription {
  readonly name: string;
  readonly description: string;
  /** How many steps it has. */
  readonly steps: number;
}

export interface ScenarioCheck {
  readonly valid: boolean;
  readonly mistakes: readonly FoundMistake[];
  readonly warnings: readonly FoundMistake[];
}

export interface FoundMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** On what a scenario is played, where its file leaves it open or says otherwise. */
export interface PlaySubject {
  readonly offering_id?: string | undefined;
  readonly investment_id?: string | undefined;
}

export interface Runs {
  list(): Promise<readonly RunDescription[]>;
  /** Plays the step that waits. */
  next(id: string): Promise<RunDescription>;
  /** What has not happened will not. */
  stop(id: string): Promise<RunDescription>;
}

export interface RunDescription {
  readonly id: string;
  readonly scenario: string;
  readonly status: "running" | "waiting" | "finished" | "stopped";
  /** Why it stopped by itself: a step or repetition that turned out to be impossible; null while all is well. */
  readonly problem: string | null;
  /** One for each repetition. */
  readonly investment_ids: readonly string[];
  readonly steps: readonly RunStep[];
}

export interface RunStep {
  /** The step's place in the scenario, from 0. */
  readonly index: number;
  readonly investment_id: string;
  readonly status: "done" | "scheduled" | "waiting" | "pending" | "stopped";
  /** When it happens or happened; null while that is not known. */
  readonly due: Instant | null;
}

/** Investments, changed by hand, at the clock's present. */
export interface Investments {
  /** Brings one into being, in the form of a fixture file with an `offering_id`; whatever is left out is completed. */
  create(investment: Readonly<Record<string, unknown>>): Promise<InvestmentRecord>;
  change(id: string, attributes: Readonly<Record<string, unknown>>): Promise<InvestmentRecord>;
  recordEvent(id: string, event: EventOrder): Promise<EventRecord>;
}

/** An investment with all that belongs to it, in the form of a fixture file. */
export interface InvestmentRecord {
  readonly id: string;
  readonly offering_id: string;
  readonly [member: string]: unknown;
}

export interface EventRecord {
  readonly id: string;
  readonly event: string;
  readonly action: string;
  readonly description: string | null;
  readonly create_date: Instant;
}

export interface EventOrder {
  readonly event: string;
  readonly action: string;
  readonly description?: string | null | undefined;
}

/** The journal: what was asked, bounded. */
export interface Requests {
  list(filter?: RequestFilter): Promise<RequestList>;
  count(filter?: RequestFilter): Promise<number>;
  clear(): Promise<void>;
}

export interface RequestFilter {
  /** The path, from the origin or from the base address on, or a pattern with `*` in it. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly key_id?: string | undefined;
  /** Only requests at this instant of the clock or later. */
  readonly since?: Instant | undefined;
  /** The last so many. */
  readonly limit?: number | undefined;
}

export interface RequestList {
  readonly data: readonly JournalEntry[];
  /** How many older ones were dropped to keep the journal bounded. */
  readonly dropped: number;
}

export interface JournalEntry extends RequestEntry {
  /** Counts up from 1, anew after a reset. */
  readonly id: number;
  /** The instant of the environment's clock. */
  readonly date: Instant;
  /** The fault that met it, if one did. */
  readonly fault_id: string | null;
}

export interface Faults {
  list(): Promise<readonly FaultDescription[]>;
  add(fault: FaultRule): Promise<FaultDescription>;
  /** Removes one, or all. */
  remove(id?: string): Promise<void>;
}

export interface FaultDescription extends FaultRule {
  readonly id: string;
  /** How many requests it has met. */
  readonly used: number;
  readonly active: boolean;
  /** From when and until when it is in force, by the environment's clock; null is open. */
  readonly from: Instant | null;
  readonly until: Instant | null;
}

export interface LimitsControl {
  list(): Promise<readonly LimitDescription[]>;
  /** Forgets all requests made. */
  clear(): Promise<void>;
  /** Makes a key as if it had made so many requests in a window that begins with its next one. */
  set(keyId: string, used: number): Promise<LimitDescription>;
}

export interface LimitDescription {
  readonly key_id: string;
  readonly used: number;
  /** Requests a minute; 0 is off. */
  readonly limit: number;
  /** Seconds of real time until the window ends; 0 when none is open. */
  readonly resets_in_seconds: number;
}

export interface AssumptionsControl {
  list(): Promise<readonly AssumptionDescription[]>;
  set(changes: Readonly<Record<string, unknown>>): Promise<readonly AssumptionDescription[]>;
}

export interface AssumptionDescription {
  readonly id: AssumptionId;
  readonly question: string;
  readonly section: string;
  /** The one in force. */
  readonly value: string | number;
  /** Each value that can be set, with what it means. */
  readonly values: Readonly<Record<string, string>>;
}

/** One dated fact of a timeline. */
export interface ChangeDescription {
  readonly date: Instant;
  readonly sequence: number;
  /** The run that put it there; null for a command. */
  readonly run: string | null;
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** An environment as one document. What is in it is for `restore` alone. */
export interface Snapshot {
  readonly format: "offering-sandbox-environment";
  readonly version: 1;
  readonly [member: string]: unknown;
}

/** An environment as `GET /__admin/environments/{id}` answers it. */
export interface EnvironmentDescription {
  readonly id: string;
  readonly fixture: string;
  readonly create_date: Instant;
  readonly clock: ClockReading;
  readonly profile: ProfileName;
  /** Requests a minute a key; 0 is off. */
  readonly rate_limit: number;
  readonly offerings: readonly OfferingDescription[];
  readonly keys: readonly KeyDescription[];
  readonly runs: readonly RunDescription[];
}

export interface OfferingDescription {
  readonly id: string;
  readonly name: string;
  readonly alias: string | null;
  /** How many investments it has now. */
  readonly investments: number;
}

export interface KeyDescription {
  readonly id: string;
  /** The secret. */
  readonly key: string;
  readonly type: KeyType;
  readonly offering_id: string;
  readonly environment: string;
  readonly status: "active" | "revoked";
  readonly label: string | null;
  readonly create_date: Instant;
  readonly revoke_date: Instant | null;
}

/** A call worth pasting. */
export interface ExampleCall {
  /** What it shows: `a redacted investment`. */
  readonly title: string;
  /** The status to expect. */
  readonly status: number;
  /** The path below the base address: `/investments/…`. */
  readonly path: string;
  /** The secret to send. */
  readonly key: string;
  /** The call as a line to paste into a shell. */
  readonly curl: string;
}
