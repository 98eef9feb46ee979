import type {
  EventMembers,
  InvestmentAttributes,
  InvestorAttributes,
  OfferingAttributes,
  PaymentAttributes,
  SigningPartyAttributes,
} from "./shapes.ts";
import type { Instant } from "../time/instant.ts";
import type { KeyType } from "./vocabulary.ts";

/** Resources as an environment holds them: immutable, complete, unredacted. */

export type Offering = OfferingAttributes & { readonly id: string; readonly alias?: string | undefined };
export type Investor = InvestorAttributes & { readonly id: string };
export type SigningParty = SigningPartyAttributes & { readonly id: string };
export type Payment = PaymentAttributes & { readonly id: string; readonly alias?: string | undefined };
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
  /** The events in the order of recording. */
  readonly events: readonly InvestmentEvent[];
};

/** An investment without its resources: enough for lists and look-ups. */
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
  /** Whether access to personal data was granted; only matters with `auth.partner_data=on-request`. */
  readonly personal_data: boolean;
  /** Whether all requests of the first minute are used up from the start. */
  readonly at_limit: boolean;
}

/** Returns the attributes of an offering, in the order of section 2.4. */
export function offeringAttributesOf({ name, status, create_date, modify_date }: Offering): OfferingAttributes {
  return { name, status, create_date, modify_date };
}
