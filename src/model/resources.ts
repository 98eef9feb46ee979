import type {
  EventMembers,
  InvestmentAttributes,
  InvestorAttributes,
  OfferingAttributes,
  PaymentAttributes,
  SigningPartyAttributes,
} from "./attributes.ts";
import type { KeyRecord } from "./schema/key.ts";

/** Resources as an environment holds them: immutable, complete, before a key type decides what a document shows. */

export type Offering = OfferingAttributes & { readonly id: string; readonly alias?: string | undefined };
export type Investor = InvestorAttributes & { readonly id: string };
export type SigningParty = SigningPartyAttributes & { readonly id: string };
export type Payment = PaymentAttributes & { readonly id: string };
export type InvestmentEvent = EventMembers & { readonly id: string };

/** An investment with all that belongs to it. */
export type Investment = InvestmentAttributes & {
  readonly alias?: string | undefined;
  readonly offering_id: string;
  /** The broker's id; null when there is none. */
  readonly broker: string | null;
  readonly investors: readonly Investor[];
  readonly signing_parties: readonly SigningParty[];
  readonly payments: readonly Payment[];
  /** In the order in which they were recorded. */
  readonly events: readonly InvestmentEvent[];
};

/** What an investment says of itself, without what belongs to it: all that lists and look-ups need. */
export type InvestmentHead = Omit<Investment, "offering_id" | "investors" | "signing_parties" | "payments" | "events">;

/** A key of one offering. */
export type Key = KeyRecord & { readonly offering_id: string };
