// Made by `npm run generate` from schemas.ts and fault-schema.ts: published types may not name zod.
import type { Duration, Span } from "../time/duration.ts";
import type { Instant } from "../time/instant.ts";

/** `data.attributes` of an investment (section 2.1). Amounts are in decimal units with two places. */
export interface InvestmentAttributes {
  /** Same as the resource's id. */
  readonly id: string;
  /** Total amount of the investment. */
  readonly amount: number;
  /** Price per unit. */
  readonly price: number;
  /** Number of units. */
  readonly quantity: number;
  /** Amount paid so far. */
  readonly paid_amount: number;
  /** Sequence number of the investment. */
  readonly investment_number: number;
  readonly expedited: boolean;
  /** Current step; null when no step applies. Value seen: SIGNERS. */
  readonly step: string | null;
  /** Values seen: CLOSED, PENDING. */
  readonly status: string;
  readonly create_date: Instant;
  readonly modify_date: Instant;
}

/** The attributes of a signing party (section 2.2). A name that is null is absent from documents. */
export interface SigningPartyAttributes {
  readonly first_name: string | null;
  readonly middle_name: string | null;
  readonly last_name: string | null;
  readonly email: string;
  /** Present for a Marketing API key; omitted for a Partner API key. */
  readonly phone_number: string;
  /** Value seen: signed. Derived from `signed` if omitted. */
  readonly status?: string | undefined;
  readonly signed: boolean;
  readonly countersigner: boolean;
}

/** The attributes of an investor, unredacted (section 2.3). Null is "not stored". */
export interface InvestorAttributes {
  readonly first_name: string;
  readonly middle_name: string | null;
  readonly last_name: string;
  readonly email: string;
  readonly company: string | null;
  readonly is_primary: boolean;
  readonly is_kyc: boolean;
  readonly is_signer: boolean;
  /** Personal data. */
  readonly tax_id: string | null;
  /** Personal data. */
  readonly ein: string | null;
  /** Personal data. */
  readonly address_street_1: string | null;
  /** Personal data. */
  readonly address_street_2: string | null;
  /** Personal data. */
  readonly address_city: string | null;
  /** Personal data. */
  readonly address_state: string | null;
  /** Personal data. */
  readonly address_postal_code: string | null;
  /** Personal data. */
  readonly address_country_code: string | null;
  /** Personal data. */
  readonly accredited: boolean | null;
  /** Personal data. */
  readonly annual_income: number | null;
  /** Personal data. A date, YYYY-MM-DD. */
  readonly birthdate: string | null;
  /** Value seen: US_CITIZEN. */
  readonly citizenship: string | null;
  /** Redacted for a Marketing API key, as personal data is. */
  readonly ta_account_type: string | null;
  /** Value seen: an uppercase code with spaces. Redacted for a Marketing API key, as personal data is. */
  readonly ta_sub_type: string | null;
}

/** The attributes of an offering (section 2.4). */
export interface OfferingAttributes {
  readonly name: string;
  /** Value seen: ACTIVE. */
  readonly status: string;
  readonly create_date: Instant;
  readonly modify_date: Instant;
}

/** The attributes of a payment (section 2.5). */
export interface PaymentAttributes {
  /** Decimal units with two places. */
  readonly amount: number;
  /** Value seen: succeeded; the others are assumed (payment.statuses). */
  readonly status: "succeeded" | "pending" | "failed";
  /** The payment processor's name in uppercase. */
  readonly category: string;
  readonly create_date: Instant;
  readonly modify_date: Instant;
}

/** The members of an event next to its type and id (section 2.6). */
export interface EventMembers {
  /** Kind of event. */
  readonly event: string;
  /** The action within that kind. */
  readonly action: string;
  /** Null in every case seen. */
  readonly description: string | null;
  readonly create_date: Instant;
}

/** A rule that makes matching requests fail or wait: one of `respond`, `connection`, `truncate` and `drip`, with or without a `delay`, or a `delay` alone. */
export interface FaultRule {
  /** Requests it applies to; all members must match. Default: every request. */
  readonly match?: FaultRuleMatch | undefined;
  /** The response to send instead. */
  readonly respond?: FaultRuleRespond | undefined;
  /** Delay before the response, ten minutes at most: milliseconds, "90s", or a span from which each delay is sampled, "1s..3s". */
  readonly delay?: Span | undefined;
  /** Ends the connection without a response: by a reset, or by closing it. */
  readonly connection?: "reset" | "empty" | undefined;
  /** Sends the true response's headers and this share of its body's bytes, 0 to 1, then ends the connection. Leaves HEAD alone. */
  readonly truncate?: number | undefined;
  /** Sends the true response's body in pieces, the first one at once. Leaves HEAD alone. */
  readonly drip?: FaultRuleDrip | undefined;
  /** Number of requests it applies to. Default: unlimited. */
  readonly times?: number | undefined;
  /** The share of the matching requests that it applies to, 0 to 1, sampled from the seed. Default: 1. */
  readonly share?: number | undefined;
  /** How long it lasts by the environment's clock: "30s", or milliseconds. Default: until it is removed. */
  readonly for?: Duration | undefined;
}

interface FaultRuleMatch {
  /** A pattern for the path below the base address: *, :id or {id} is one segment, ** any number. */
  readonly path?: string | undefined;
  /** Method of the request. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | undefined;
  /** The id, alias, label or secret of a key. */
  readonly key_id?: string | undefined;
}

interface FaultRuleRespond {
  /** Status of the response, from 200 to 599. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>> | undefined;
  /** A string is sent as it is, any other value as JSON. Default: none. */
  readonly body?: unknown;
}

interface FaultRuleDrip {
  /** Number of bytes in a piece. */
  readonly bytes: number;
  /** Time between two pieces, from 1 to 600,000 milliseconds: "1s", or a number. */
  readonly every: number | string;
}
