import type {
  EventMembers,
  FaultRule,
  InvestmentAttributes,
  InvestorAttributes,
  OfferingAttributes,
  PaymentAttributes,
  SigningPartyAttributes,
} from "./shapes.ts";
import type { Instant } from "../time/instant.ts";
import type { KeyType } from "./vocabulary.ts";

/** Resources as an environment stores them: immutable, complete, unredacted. */

export type Offering = OfferingAttributes & { readonly id: string; readonly alias?: string | undefined };
export type Investor = InvestorAttributes & { readonly id: string };
export type SigningParty = SigningPartyAttributes & { readonly id: string };
export type Payment = PaymentAttributes & { readonly id: string; readonly alias?: string | undefined };
export type InvestmentEvent = EventMembers & { readonly id: string };

/** An investment with its investors, signing parties, payments and events. */
export type Investment = InvestmentAttributes & {
  readonly alias?: string | undefined;
  readonly offering_id: string;
  /** The broker's id; null if there is none. */
  readonly broker: string | null;
  readonly investors: readonly Investor[];
  readonly signing_parties: readonly SigningParty[];
  readonly payments: readonly Payment[];
  /** The events in the order of recording. */
  readonly events: readonly InvestmentEvent[];
};

/** An investment without its nested resources: enough for lists and look-ups. */
export type InvestmentFields = Omit<
  Investment,
  "offering_id" | "investors" | "signing_parties" | "payments" | "events"
>;

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
  /** Whether the key's first minute begins with all its requests used. */
  readonly at_limit: boolean;
}

/** Returns the attributes of an offering, in the order of section 2.4. */
export function offeringAttributesOf({ name, status, create_date, modify_date }: Offering): OfferingAttributes {
  return { name, status, create_date, modify_date };
}

/** The members of each kind of effect. An effect is plain data. */
interface Effects {
  readonly offering: { readonly offering_id: string; readonly attributes: Partial<Omit<Offering, "id">> };
  readonly new_investment: {
    readonly investment: Investment;
    /** The members in the body of a command; omitted for a run, whose scenario has them. */
    readonly written?: Readonly<Record<string, unknown>>;
  };
  readonly investment: InvestmentReference & { readonly attributes: Partial<Omit<InvestmentFields, "id" | "alias">> };
  readonly investor: ChildEffect<Investor>;
  readonly signing_party: ChildEffect<SigningParty>;
  readonly payment: ChildEffect<Payment>;
  readonly new_payment: InvestmentReference & { readonly payment: Payment };
  readonly event: InvestmentReference & { readonly event: InvestmentEvent };
  readonly new_key: { readonly key: Key };
  readonly key: { readonly key_id: string; readonly attributes: Pick<Key, "revoke_date"> };
  readonly new_fault: { readonly fault: Fault };
}

interface InvestmentReference {
  readonly investment_id: string;
}

interface ChildEffect<Child> extends InvestmentReference {
  readonly id: string;
  readonly attributes: Partial<Omit<Child, "id">>;
}

export type EffectKind = keyof Effects;

/** An effect of one kind, or of any. */
export type Effect<Kind extends EffectKind = EffectKind> = {
  [K in Kind]: { readonly kind: K } & Effects[K];
}[Kind];

/** An effect on an investment or on one of its nested resources. */
export type InvestmentEffect = Extract<Effect, InvestmentReference>;

/** An effect and the instant from which it applies. */
export type DatedEffect<Kind extends EffectKind = EffectKind> = Effect<Kind> & {
  readonly date: Instant;
  /** The step of a run that made the change; null or omitted for a command. */
  readonly origin?: { readonly run: string; readonly step: number } | null;
};

/** One dated fact on a timeline. Changes of one instant apply in the order of their sequence numbers. */
export type Change = DatedEffect & { readonly sequence: number };

/** A fault rule and the time for which it is active. */
export interface Fault {
  readonly id: string;
  readonly rule: Omit<FaultRule, "for">;
  readonly from: Instant;
  /** The first instant at which the fault is no longer active; null if it has no end. */
  readonly until: Instant | null;
}

/** The fault applied to a request, and the request's delay in milliseconds. */
export interface AppliedFault {
  readonly fault: Fault;
  readonly delay: number;
}
