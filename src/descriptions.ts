import type { ProfileName, AssumptionId } from "./assumptions/catalogue.ts";
import type { Confidence } from "./assumptions/calibration.ts";
import type { Accepts } from "./assumptions/row.ts";
import type { Instant } from "./model/instant.ts";
import type { Count, EnvironmentId, Uuid } from "./model/scalars.ts";
import type { EventMembers, FaultRule } from "./model/shapes.ts";
import type { KeyType } from "./model/vocabulary.ts";

export interface FoundMistake {
  /** The line, counted from 1. @minimum 1 */
  readonly line: Count;
  /** The column, counted from 1. @minimum 1 */
  readonly column: Count;
  readonly message: string;
}

/** The offering, investment or run along whose changes the clock steps. @default all changes */
export interface StepSubject {
  readonly offering_id?: string | undefined;
  readonly investment_id?: string | undefined;
  readonly run?: string | undefined;
}

/** A new state of a clock; omitted members stay. A subject is only for the instant `"previous"`. */
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

/** A scenario with everything that was done by hand. */
export interface RecordedScenario {
  /** YAML, with the warnings as comments. */
  readonly text: string;
  /** Sentences about everything that is missing in the scenario, or differs each time it is played. */
  readonly warnings: readonly string[];
}

export interface RunDescription {
  readonly id: string;
  /** The run for people: `closing on #146 Ada Lovelace`; only the scenario where it is not on one that exists now. */
  readonly title: string;
  readonly scenario: string;
  readonly status: "running" | "waiting" | "finished" | "stopped";
  /** The impossible step or repetition that stopped the run; null if there is none. */
  readonly problem: string | null;
  /** Number of times that the script is played. @minimum 1 */
  readonly repetitions: Count;
  /** The date of the next step that has one, also in a repetition that has not begun; null if there is none. */
  readonly next_date: Instant | null;
  /** The exact date of the next repetition's first step; null if none is left. */
  readonly next_repetition_date: Instant | null;
  /** The investment of each repetition that has begun. */
  readonly investment_ids: readonly Uuid[];
  /** The steps of each repetition that has begun. */
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
  /** The past or future instant of the step; null while unknown. */
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
  /** Which requests the fault applies to, and how they fail: `GET /investments/*: status 503, 2 times`. */
  readonly words: string;
  /** Why the fault applies to no request: its path matches no operation. Null if it may apply. */
  readonly warning: string | null;
  /** Number of requests to which the fault was applied. */
  readonly used: Count;
  readonly active: boolean;
  /** The instant of the environment's clock from which the fault is in force; null is unbounded. */
  readonly from: Instant | null;
  /** The instant until which the fault is in force; null is unbounded. */
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
  /** Values accepted besides `values`: whole numbers of a range, or texts of a form; null for none. */
  readonly accepts: Accepts | null;
  /** `set`: by an option or a command. `calibrated`: by the config file of `offering-sandbox calibrate`. */
  readonly source: "profile" | "set" | "calibrated";
  /** The confidence of the calibration; null without one. */
  readonly confidence: Confidence | null;
  /** The day of the calibration; null without one. */
  readonly calibrated: string | null;
  /** Number of requests in the journal whose answers depended on it. */
  readonly rested_on: Count;
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
  readonly [member: string]: unknown;
}

/** A filter for the changes of a timeline; all members must match. */
export interface TimelineFilter {
  /** The first instant, inclusive. */
  readonly from?: Instant | undefined;
  /** The last instant, inclusive. */
  readonly to?: Instant | undefined;
  /** The id or alias of an offering, for its changes and those of its investments and keys. */
  readonly offering_id?: string | undefined;
  /** The id or alias of an investment. */
  readonly investment_id?: string | undefined;
  /** The id of a run. */
  readonly run?: string | undefined;
  /** Maximum number of changes: the first ones, or the last ones if only `to` is given. @default all */
  readonly limit?: number | undefined;
}

/** A filter for the changes of an outline, and its size. */
export interface OutlineFilter extends Pick<TimelineFilter, "offering_id" | "investment_id" | "run"> {
  /** Maximum number of buckets, 1 to 1000. @default 200 */
  readonly buckets?: number | undefined;
}

/** The extent of a timeline, and how its changes are spread. */
export interface TimelineOutline {
  /** The instant of the first change; null without changes. */
  readonly first: Instant | null;
  /** The instant of the last change; null without changes. */
  readonly last: Instant | null;
  readonly now: Instant;
  /** The last change up to now. */
  readonly previous: Instant | null;
  /** The first change after now, also of a repetition that has not begun; null if time does not bring one. */
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
  /** Number of changes by kind. */
  readonly kinds: Readonly<Record<string, Count>>;
}

/** An offering's attributes and the sums of its investments. */
export interface OfferingSummary extends OfferingDescription {
  /** The attributes in the form of the service, by name. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Number of investments by status. */
  readonly statuses: Readonly<Record<string, Count>>;
  /** Number of investments by step, without those that have none. */
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
  /** The investment that the scenario plays on, in words: `a new investment of 5,000 in aurora`. */
  readonly subject: string;
  readonly steps: readonly ScenarioStep[];
  /** The states at the start and after each step. */
  readonly states: readonly ScenarioState[];
  /** The source text, YAML or JSON; without one, equivalent YAML. */
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
 * In words. A new investment is an example: where the scenario leaves out a value, each play has another. Of an
 * existing investment, a value is null until a step sets it.
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
  /** The undone changes, in order: the first 1,000. They are applied again when the clock reaches them. */
  readonly undone: readonly ChangeDescription[];
  /** Number of all undone changes. */
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
  /** The fixture. Null if it is too large for the snapshot, left out if it is a shipped one. */
  readonly fixture_document?: Readonly<Record<string, unknown>> | null;
  readonly [member: string]: unknown;
}

/** The answer of `GET /__admin/environments/{id}`. */
export interface EnvironmentDescription extends EnvironmentTerms {
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

/** A server, described so that people recognize it. */
export interface ServerDescription {
  readonly version: string;
  /** The working directory of the process; null for a caller that is not at a loopback address. */
  readonly folder: string | null;
  /** The start of the process, in real time. */
  readonly started_at: Instant;
  /** Which of the processes over one PostgreSQL has answered: the number of its session, null while there is none. */
  readonly process?: string | null;
}

/** Links and tokens of a new environment, which are only returned once. */
export interface EnvironmentAccess {
  /** The address of the portal at this environment, with its token if one is required; null if the portal is closed. */
  readonly portal_link: string | null;
  /** The token that only allows calls of this environment. Left out without `openToken`. */
  readonly admin_token?: string | undefined;
  /** As `portal_link`, with a token that only allows calls without changes. Left out without `openToken`. */
  readonly view_link?: string | undefined;
}

/** Links to the portal at an environment, to send to others. */
export interface EnvironmentLinks {
  /** The link with a token that is only for this environment, if one is required; null if the portal is closed. */
  readonly portal_link: string | null;
  /**
   * The link with a token that only allows calls without changes; null if no token is required, or the portal is
   * closed.
   */
  readonly view_link: string | null;
}

/** The answer of `POST /__admin/environments`. */
export interface OpenedDescription extends EnvironmentDescription, EnvironmentAccess {}

/** The members of an environment that follow from its opening and its commands alone, not from requests. */
export interface EnvironmentTerms {
  readonly id: EnvironmentId;
  /** Distinguishes it from earlier and later environments with the same id. */
  readonly uid: string;
  readonly label: string | null;
  readonly fixture: string;
  readonly create_date: Instant;
  readonly clock: ClockReading;
  readonly profile: ProfileName;
  /** Requests per minute and key; 0 is off. */
  readonly rate_limit: Count;
}

/** An environment without its lists of offerings, keys and runs, and with its use in real time. */
export interface EnvironmentSummary extends EnvironmentTerms {
  /** The latest request in the journal, in real time; null for none. */
  readonly last_request_at: Instant | null;
  /** When it closes, in real time, unless it is used before; null: never. */
  readonly expires_at: Instant | null;
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
  /** The present effect of the key, in words: `personal data, no phone numbers`. */
  readonly effect: string;
  /** The alias; null if the fixture does not give one. */
  readonly alias: string | null;
  readonly label: string | null;
  readonly create_date: Instant;
  readonly revoke_date: Instant | null;
}

/** A call worth pasting. */
export interface ExampleCall {
  /** The kind of answer: `a redacted investment`. */
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
