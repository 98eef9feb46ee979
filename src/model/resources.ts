import type { Instant } from "./instant.ts";
import type { KeyType } from "./vocabulary.ts";

/** The attributes of the service's resources, unredacted (section 2). */

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
  /** Current step; null when no step applies. Value seen: `SIGNERS`. */
  readonly step: string | null;
  /** Values seen: `CLOSED`, `PENDING`. */
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
  /** Value seen: `signed`. @default derived from `signed` */
  readonly status?: string | undefined;
  readonly signed: boolean;
  readonly countersigner: boolean;
}

/** The attributes of an investor (section 2.3). Null is "not held". From `tax_id` to `birthdate` it is personal data. */
export interface InvestorAttributes {
  readonly first_name: string;
  readonly middle_name: string | null;
  readonly last_name: string;
  readonly email: string;
  readonly company: string | null;
  readonly is_primary: boolean;
  readonly is_kyc: boolean;
  readonly is_signer: boolean;
  readonly tax_id: string | null;
  readonly ein: string | null;
  readonly address_street_1: string | null;
  readonly address_street_2: string | null;
  readonly address_city: string | null;
  readonly address_state: string | null;
  readonly address_postal_code: string | null;
  readonly address_country_code: string | null;
  readonly accredited: boolean | null;
  readonly annual_income: number | null;
  /** A date, `YYYY-MM-DD`. */
  readonly birthdate: string | null;
  /** Value seen: `US_CITIZEN`. */
  readonly citizenship: string | null;
  /** Redacted for a Marketing API key, as personal data is. */
  readonly ta_account_type: string | null;
  /** Value seen: an uppercase code with spaces. Redacted for a Marketing API key, as personal data is. */
  readonly ta_sub_type: string | null;
}

/** The attributes of an offering (section 2.4). */
export interface OfferingAttributes {
  readonly name: string;
  /** Value seen: `ACTIVE`. */
  readonly status: string;
  readonly create_date: Instant;
  readonly modify_date: Instant;
}

/** Returns the attributes of an offering, in the order of section 2.4. */
export function offeringAttributesOf({ name, status, create_date, modify_date }: Offering): OfferingAttributes {
  return { name, status, create_date, modify_date };
}

/** The attributes of a payment (section 2.5). */
export interface PaymentAttributes {
  /** In decimal units with two places. */
  readonly amount: number;
  /** Value seen: `succeeded`; the others are assumed (`payment.statuses`). */
  readonly status: "succeeded" | "pending" | "failed";
  /** The payment processor's name in uppercase. */
  readonly category: string;
  readonly create_date: Instant;
  readonly modify_date: Instant;
}

/** The members of an event beside its type and id (section 2.6). */
export interface EventMembers {
  /** Kind of event. */
  readonly event: string;
  /** The action within that kind. */
  readonly action: string;
  /** Null in every case seen. */
  readonly description: string | null;
  readonly create_date: Instant;
}

/** Resources as an environment holds them: immutable, complete, unredacted. */

export type Offering = OfferingAttributes & { readonly id: string; readonly alias?: string | undefined };
export type Investor = InvestorAttributes & { readonly id: string };
export type SigningParty = SigningPartyAttributes & { readonly id: string };
export type Payment = PaymentAttributes & { readonly id: string };
export type InvestmentEvent = EventMembers & { readonly id: string };

/** An investment with its investors, signing parties, payments and events. */
export type Investment = InvestmentAttributes & {
  readonly alias?: string | undefined;
  readonly offering_id: string;
  /** The broker's id; null when there is none. */
  readonly broker: string | null;
  readonly investors: readonly Investor[];
  readonly signing_parties: readonly SigningParty[];
  readonly payments: readonly Payment[];
  /** In the order of recording. */
  readonly events: readonly InvestmentEvent[];
};

/** An investment's own attributes, without the resources that belong to it: enough for lists and look-ups. */
export type InvestmentHead = Omit<Investment, "offering_id" | "investors" | "signing_parties" | "payments" | "events">;

/** A key of one offering. */
export interface Key {
  readonly id: string;
  readonly alias?: string | undefined;
  /** The secret. */
  readonly key: string;
  readonly type: KeyType;
  readonly offering_id: string;
  readonly label: string | null;
  readonly create_date: Instant;
  /** The instant from which on the key is revoked; null while it is active. */
  readonly revoke_date: Instant | null;
  /** True if access to personal data was granted; matters under `auth.partner_data=on-request`. */
  readonly personal_data: boolean;
  /** True if the first minute's requests are used up from the start. */
  readonly at_limit: boolean;
}
