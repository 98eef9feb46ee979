import type { ProfileName } from "./assumptions/assume.ts";
import type { Confidence } from "./assumptions/calibration.ts";
import type { AssumptionId } from "./assumptions/catalogue.ts";
import type { Accepts } from "./assumptions/row.ts";
import type { Instant } from "./model/instant.ts";
import type { Count, EnvironmentId, Uuid } from "./model/scalars.ts";
import type { EventMembers, FaultRule } from "./model/shapes.ts";
import type { KeyType } from "./model/vocabulary.ts";

export interface FoundMistake {
  /** From 1. @minimum 1 */
  readonly line: Count;
  /** From 1. @minimum 1 */
  readonly column: Count;
  readonly message: string;
}

/** The thing along whose changes a clock steps, by id or alias. @default all changes */
export interface StepSubject {
  readonly offering_id?: string | undefined;
  readonly investment_id?: string | undefined;
  readonly run?: string | undefined;
}

/** A new state of a clock; omitted members stay. A subject goes with the instant `"previous"`. */
export interface ClockSetting extends StepSubject {
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

export interface ClockAdvance extends ClockReading {
  /** The changes on the way, in order: the first 1,000. The timeline has all. */
  readonly applied: readonly ChangeDescription[];
  /** Number of all changes on the way. */
  readonly applied_count: Count;
  /** The runs that stopped on the way, because a step or repetition was impossible. */
  readonly stopped: readonly StoppedRun[];
}

export interface ScenarioDescription {
  readonly name: string;
  readonly description: string;
  /** Number of steps. */
  readonly steps: Count;
}

export interface ScenarioCheck {
  readonly valid: boolean;
  readonly mistakes: readonly FoundMistake[];
  readonly warnings: readonly FoundMistake[];
  /** Null with mistakes. */
  readonly scenario: ScenarioDetail | null;
}

/** A scenario of everything that was done by hand. */
export interface RecordedScenario {
  /** YAML, with the warnings as comments. */
  readonly text: string;
  /** Everything that was done and is not in the scenario, or not the same in each play, in sentences. */
  readonly warnings: readonly string[];
}

export interface RunDescription {
  readonly id: string;
  readonly scenario: string;
  readonly status: "running" | "waiting" | "finished" | "stopped";
  /** The impossible step or repetition behind a stop; null if there is none. */
  readonly problem: string | null;
  /** Number of times that the script is played. @minimum 1 */
  readonly repetitions: Count;
  /** The next step with a known date, of a repetition that has begun or of one to come; null if there is none. */
  readonly next_date: Instant | null;
  /** The first step of the next repetition, exact; null if none is left. */
  readonly next_repetition_date: Instant | null;
  /** One per repetition that has begun. */
  readonly investment_ids: readonly Uuid[];
  /** Those of each repetition that has begun. */
  readonly steps: readonly RunStep[];
}

/** A run with its scenario as it was when the run began. */
export interface RunDetail extends RunDescription {
  readonly script: ScenarioDetail;
}

export interface RunStep {
  /** The step's place in the scenario, from 0. */
  readonly index: Count;
  readonly investment_id: Uuid;
  readonly status: "done" | "scheduled" | "waiting" | "pending" | "stopped";
  /** Its past or future instant; null while unknown. */
  readonly due: Instant | null;
}

/** An investment with its investors, signing parties, payments and events, in the form of a fixture file. */
export interface InvestmentRecord {
  readonly id: Uuid;
  readonly offering_id: Uuid;
  readonly [member: string]: unknown;
}

export type EventRecord = EventMembers & { readonly id: Uuid };

export interface FaultDescription extends Omit<FaultRule, "for"> {
  readonly id: string;
  /** Which requests meet it, and the way they fail: `GET /investments/*: status 503, 2 times`. */
  readonly words: string;
  /** Number of requests it was applied to. */
  readonly used: Count;
  readonly active: boolean;
  /** In force from this instant of the environment's clock on; null is unbounded. */
  readonly from: Instant | null;
  /** In force until this instant; null is unbounded. */
  readonly until: Instant | null;
}

export interface LimitDescription {
  readonly key_id: Uuid;
  readonly used: Count;
  /** Requests per minute; 0 is off. */
  readonly limit: Count;
  /** Seconds of real time until the window ends; 0 if none is open. */
  readonly resets_in_seconds: Count;
}

export interface AssumptionDescription {
  readonly id: AssumptionId;
  readonly question: string;
  /** The section of the specification that leaves the question open. */
  readonly section: string;
  /** The current value. */
  readonly value: string | number;
  /** The value of the environment's profile. */
  readonly profile_value: string | number;
  /** The possible values with their meaning. */
  readonly values: Readonly<Record<string, string>>;
  /** Values accepted beyond `values`: whole numbers of a range, or texts of a form; null: nothing. */
  readonly accepts: Accepts | null;
  /** `set`: by an option or a command. `calibrated`: by the config file of `offering-sandbox calibrate`. */
  readonly source: "profile" | "set" | "calibrated";
  /** Of the calibration; null without one. */
  readonly confidence: Confidence | null;
  /** The day of the calibration; null without one. */
  readonly calibrated: string | null;
  /** Number of requests in the journal whose answers rested on it. */
  readonly rested_on: Count;
}

/** One dated fact of a timeline. */
export interface ChangeDescription {
  readonly date: Instant;
  readonly sequence: Count;
  /** The run that recorded it; null for a command. */
  readonly run: string | null;
  readonly kind: string;
  /** In words: `investment: status CLOSED`. */
  readonly summary: string;
  /** The id of the changed investment, offering, key or fault. */
  readonly subject_id: string;
  readonly [member: string]: unknown;
}

/** Which changes a timeline has; all members must match. */
export interface TimelineFilter {
  /** From this instant on, inclusive. */
  readonly from?: Instant | undefined;
  /** Up to this instant, inclusive. */
  readonly to?: Instant | undefined;
  /** The id or alias of an offering: changes of it, of its investments and of its keys. */
  readonly offering_id?: string | undefined;
  /** The id or alias of an investment. */
  readonly investment_id?: string | undefined;
  /** The id of a run. */
  readonly run?: string | undefined;
  /** The first n changes; the last n where `to` is given without `from`. @default all */
  readonly limit?: number | undefined;
}

/** Which changes an outline is of, and its size. */
export interface OutlineFilter extends Pick<TimelineFilter, "offering_id" | "investment_id" | "run"> {
  /** The number of buckets at most, 1 to 1000. @default 200 */
  readonly buckets?: number | undefined;
}

/** The extent of a timeline, and how its changes are spread. */
export interface TimelineOutline {
  /** Null without changes. */
  readonly first: Instant | null;
  /** Null without changes. */
  readonly last: Instant | null;
  readonly now: Instant;
  /** The last change up to now. */
  readonly previous: Instant | null;
  /** The first change after now, also of a repetition that has not begun; null if time alone brings none. */
  readonly next: Instant | null;
  /** Number of changes. */
  readonly total: Count;
  /** Number of changes up to now. */
  readonly applied: Count;
  /**
   * In order; each has a like number of instants, so a time without changes takes no room. The present is between two:
   * past and future have one each at least.
   */
  readonly buckets: readonly TimelineBucket[];
}

/** The changes of one instant, or of several in a row where there are more instants than buckets. */
export interface TimelineBucket {
  readonly from: Instant;
  readonly to: Instant;
  readonly count: Count;
  /** Number of changes by kind. */
  readonly kinds: Readonly<Record<string, Count>>;
}

/** An offering's attributes and the sums of its investments. */
export interface OfferingSummary extends OfferingDescription {
  /** In the form of the service, by name. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Number of investments by status. */
  readonly statuses: Readonly<Record<string, Count>>;
  /** Number of investments by step, of those that have one. */
  readonly steps: Readonly<Record<string, Count>>;
  /** Sum over all investments. */
  readonly amount: number;
  /** Sum over all investments. */
  readonly paid_amount: number;
}

/** A scenario with its steps in words. */
export interface ScenarioDetail {
  readonly name: string;
  readonly description: string;
  /** The investment played on, in words: `a new investment of 5,000 in aurora`. */
  readonly subject: string;
  readonly steps: readonly ScenarioStep[];
  /** The states at the start and after each step. */
  readonly states: readonly ScenarioState[];
  /** Its source text, YAML or JSON; without one, equivalent YAML. */
  readonly text: string;
  readonly warnings: readonly FoundMistake[];
}

export interface ScenarioStep {
  /** The trigger in words: `2m later`. */
  readonly when: string;
  /** The time from the start of the run: `1h5m`, `1h..2h`; `?` for a waiting step, `? + 5m` for those after it. */
  readonly since: string;
  /** In words. */
  readonly effects: readonly string[];
}

/**
 * In words. A new investment is an example: where the scenario leaves out a value, each play has another. Of an existing
 * investment, a value is null until a step sets it.
 */
export interface ScenarioState {
  readonly status: string | null;
  readonly step: string | null;
  readonly signed: string | null;
  readonly paid: string | null;
  readonly offering: string | null;
}

/** The answer to setting the clock to before the last applied change. */
export interface ClockReturn extends ClockReading {
  /** The changes to come again, in order: the first 1,000. */
  readonly undone: readonly ChangeDescription[];
  /** Number of all changes that are to come again. */
  readonly undone_count: Count;
}

/** An environment as one document. Only `restore` reads the other members. */
export interface Snapshot {
  readonly format: "offering-sandbox-environment";
  readonly version: 3;
  /** The version of offering-sandbox that made it. */
  readonly program: string;
  /** The fixture's name. */
  readonly fixture: string;
  readonly seed: number;
  /** The fixture. Null if it is too large to be in the snapshot, left out if it ships. */
  readonly fixture_document?: Readonly<Record<string, unknown>> | null;
  readonly [member: string]: unknown;
}

/** The answer of `GET /__admin/environments/{id}`. */
export interface EnvironmentDescription extends EnvironmentSummary {
  /** The service's base address: `http://localhost:4120/api/v1`. */
  readonly base_url: string;
  /** `keys.marketing`: the secret for the first offering when the environment was opened; null if there was none. */
  readonly marketing_key: string | null;
  /** `keys.partner`: the secret, as `marketing_key`. */
  readonly partner_key: string | null;
  readonly offerings: readonly OfferingDescription[];
  readonly keys: readonly KeyDescription[];
  readonly runs: readonly RunDescription[];
}

/** A server, for people who wonder whose it is. */
export interface ServerDescription {
  readonly version: string;
  /** The working directory of its process; null for a caller at another address than a loopback one. */
  readonly folder: string | null;
  /** When its process began, in real time. */
  readonly started_at: Instant;
}

/** How to reach a new environment: told this once. */
export interface EnvironmentAccess {
  /** The address of the portal at this environment, with the token for it if one is required; null where it is closed. */
  readonly portal_link: string | null;
  /** The token for the calls of this environment, and no others. Left out without `openToken`. */
  readonly admin_token?: string | undefined;
  /** As `portal_link`, with a token for the calls that change nothing. Left out without `openToken`. */
  readonly view_link?: string | undefined;
}

/** Links to the portal at an environment, to send to others. */
export interface EnvironmentLinks {
  /** With a token for this environment alone, if one is required; null where the portal is closed. */
  readonly portal_link: string | null;
  /** With a token for the calls that change nothing; null where no token is required, or the portal is closed. */
  readonly view_link: string | null;
}

/** The answer of `POST /__admin/environments`. */
export interface OpenedDescription extends EnvironmentDescription, EnvironmentAccess {}

/** An environment without its lists of offerings, keys and runs. */
export interface EnvironmentSummary {
  readonly id: EnvironmentId;
  /** Tells it from others that had its id before, or have it later. */
  readonly uid: string;
  readonly label: string | null;
  readonly fixture: string;
  readonly create_date: Instant;
  readonly clock: ClockReading;
  readonly profile: ProfileName;
  /** Requests per minute and key; 0 is off. */
  readonly rate_limit: Count;
}

export interface OfferingDescription {
  readonly id: Uuid;
  readonly name: string;
  readonly alias: string | null;
  /** Number of investments now. */
  readonly investments: Count;
}

export interface KeyDescription {
  readonly id: Uuid;
  /** The secret. */
  readonly key: string;
  readonly type: KeyType;
  readonly offering_id: Uuid;
  readonly environment: EnvironmentId;
  readonly status: "active" | "revoked";
  /** The answers to calls with it now, in words: `personal data, no phone numbers`. */
  readonly effect: string;
  /** Null if the fixture gives it none. */
  readonly alias: string | null;
  readonly label: string | null;
  readonly create_date: Instant;
  readonly revoke_date: Instant | null;
}

/** A call worth pasting. */
export interface ExampleCall {
  /** For example `a redacted investment`. */
  readonly title: string;
  /** The status to expect. */
  readonly status: Count;
  /** The path below the base address: `/investments/…`. */
  readonly path: string;
  /** The secret to send. */
  readonly key: string;
  /** The call as a shell command. */
  readonly curl: string;
}
