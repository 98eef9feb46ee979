import type { ProfileName, AssumptionId, Confidence } from "../assumptions/catalog.ts";
import type { Accepts } from "../assumptions/row.ts";
import type { Instant } from "../time/instant.ts";
import type { Count, EnvironmentId, Uuid } from "./scalars.ts";
import type { EventMembers, FaultRule } from "../model/shapes.ts";
import type { InvestmentDocumentName, KeyType } from "../model/vocabulary.ts";
import type { PreviewedResponse } from "./requests.ts";
import type { RunDescription } from "./scenarios.ts";
import type { ClockReading } from "./timeline.ts";

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
  readonly summary: string;
  /** Why the fault applies to no request: its path matches no operation. Null if it may apply. */
  readonly warning: string | null;
  /** Number of requests to which the fault was applied. */
  readonly used: Count;
  readonly active: boolean;
  /** The instant of the environment's clock from which the fault is active; null is unbounded. */
  readonly from: Instant | null;
  /** The instant until which the fault is active; null is unbounded. */
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
  /** Values accepted besides `values`: integers of a range, or strings of a form; null for none. */
  readonly accepts: Accepts | null;
  /** `set`: by an option or a command. `calibrated`: by the config file of `offering-sandbox calibrate`. */
  readonly source: "profile" | "set" | "calibrated";
  /** The confidence of the calibration; null without one. */
  readonly confidence: Confidence | null;
  /** The day of the calibration; null without one. */
  readonly calibrated: string | null;
  /** Number of requests in the journal whose responses depended on the assumption. */
  readonly request_count: Count;
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
  /** `amount` by stage: closed, signed by all signing parties but not CLOSED, or neither. */
  readonly amounts: Readonly<Record<"closed" | "signed" | "pending", number>>;
  /** Sum over all investments. */
  readonly paid_amount: number;
}

/** An environment as one document. The members that are not listed here are only for `restore`. */
export interface Snapshot {
  readonly format: "offering-sandbox-environment";
  readonly version: 3;
  /** The version of offering-sandbox that made the snapshot. */
  readonly program: string;
  /** The fixture's name. */
  readonly fixture: string;
  readonly seed: number;
  /** The fixture. Null if it is too large for the snapshot, omitted if it is a shipped one. */
  readonly fixture_document?: Readonly<Record<string, unknown>> | null;
  readonly [member: string]: unknown;
}

/** The response of `GET /__admin/environments/{id}`. */
export interface EnvironmentDescription extends EnvironmentBase {
  /** The service's base address: `http://localhost:4120/api/v1`. */
  readonly base_url: string;
  /** `keys.marketing`: the secret of the first active Marketing key at the opening; null if there was none. */
  readonly marketing_key: string | null;
  /** `keys.partner`: like `marketing_key`, of a Partner key. */
  readonly partner_key: string | null;
  readonly offerings: readonly OfferingDescription[];
  readonly keys: readonly KeyDescription[];
  readonly runs: readonly RunDescription[];
  readonly faults: readonly FaultDescription[];
}

/** The version, folder and start of a server, by which people recognize it. */
export interface ServerDescription {
  readonly version: string;
  /**
   * The folder of the project: Vite's root for a sandbox of its plugin, or else the working directory of the process.
   * Null for a caller that is not at a loopback address.
   */
  readonly folder: string | null;
  /** The start of the process, in real time. */
  readonly started_at: Instant;
  /** The number of the process's session with PostgreSQL; null without a session. Omitted without PostgreSQL. */
  readonly process?: string | null;
}

/** Links and tokens of a new environment, which are only returned once. */
export interface EnvironmentAccess {
  /** The portal's address at this environment, with its token if one is required; null if the portal is disabled. */
  readonly portal_link: string | null;
  /** The token that only allows calls of this environment. Omitted without `openToken`. */
  readonly admin_token?: string | undefined;
  /** Like `portal_link`, with a token that only allows calls without changes. Omitted without `openToken`. */
  readonly view_link?: string | undefined;
}

/** Links to the portal at an environment, to send to others. */
export interface EnvironmentLinks {
  /** The link with a token that is only for this environment, if one is required; null if the portal is disabled. */
  readonly portal_link: string | null;
  /** The link with a token that only allows calls without changes; null without tokens or without the portal. */
  readonly view_link: string | null;
}

/** The response of `POST /__admin/environments`. */
export interface OpenedDescription extends EnvironmentDescription, EnvironmentAccess {}

/** The members of an environment that only its opening and commands set, not requests. */
export interface EnvironmentBase {
  readonly id: EnvironmentId;
  /** Distinguishes the environment from earlier and later ones with the same id. */
  readonly uid: string;
  readonly label: string | null;
  readonly fixture: string;
  readonly create_date: Instant;
  readonly clock: ClockReading;
  readonly profile: ProfileName;
  /** Requests per minute and key; 0 is off. */
  readonly rate_limit: Count;
}

/** An environment without its offerings, keys, runs and faults, but with the times of its use. */
export interface EnvironmentSummary extends EnvironmentBase {
  /** The latest request in the journal, in real time; null for none. */
  readonly last_request_at: Instant | null;
  /** The instant, in real time, at which the environment closes if it is not used before; null if it never closes. */
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
  /** What the key can read now, in words: `personal data, no phone numbers`. */
  readonly effect: string;
  /** The alias; null if the fixture does not give one. */
  readonly alias: string | null;
  readonly label: string | null;
  readonly create_date: Instant;
  readonly revoke_date: Instant | null;
}

/** An example request to the service, ready to paste. */
export interface ExampleCall {
  /** The kind of response: `a redacted investment`. */
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

/** An offering, or a document of an investment, to read with several keys: either `offering_id` or `investment_id`. */
export interface ComparisonRequest {
  /** The id or alias of an offering. */
  readonly offering_id?: string | undefined;
  /** The id or alias of an investment. */
  readonly investment_id?: string | undefined;
  /** The document of an investment. @default "investment" */
  readonly document?: InvestmentDocumentName | undefined;
  /** Ids, aliases, labels or secrets of keys. @default the offering's oldest active key of each type, partner first */
  readonly key_ids?: readonly string[] | undefined;
}

/** An offering or an investment as it is stored, and as keys read it, all at one instant even if the clock runs. */
export interface Comparison {
  readonly now: Instant;
  /** The investment, unredacted and with its events; null if an offering is compared. */
  readonly investment: InvestmentRecord | null;
  /** The offering, or the offering of the investment. */
  readonly offering: OfferingSummary;
  /** The path that the keys read, below the base address. */
  readonly path: string;
  /** The document at the path as it is stored, complete and unredacted. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** The responses, in the order of the keys. */
  readonly responses: readonly KeyResponse[];
}

export interface KeyResponse {
  readonly key: KeyDescription;
  /** The response that `preview` would return. */
  readonly response: PreviewedResponse;
}
