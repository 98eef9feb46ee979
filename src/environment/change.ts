import type { Instant } from "../model/instant.ts";
import type {
  Investment,
  InvestmentEvent,
  Investor,
  Key,
  Offering,
  Payment,
  SigningParty,
} from "../model/resources.ts";
import type { Fault } from "./fault.ts";

/** What a change does. Plain data. */
export type Effect =
  | { readonly kind: "offering"; readonly offering_id: string; readonly attributes: Partial<Omit<Offering, "id">> }
  /** An `investment_number` of 0 stands for the next one of the offering. */
  | { readonly kind: "new_investment"; readonly investment: Investment }
  | InvestmentEffect
  | { readonly kind: "new_key"; readonly key: Key }
  | { readonly kind: "key"; readonly key_id: string; readonly attributes: Pick<Key, "revoke_date"> }
  | { readonly kind: "new_fault"; readonly fault: Fault }
  | { readonly kind: "fault"; readonly fault_id: string; readonly attributes: Pick<Fault, "until"> };

/** An effect on an investment that exists, or on what belongs to it. */
export type InvestmentEffect = { readonly investment_id: string } & (
  | { readonly kind: "investment"; readonly attributes: Partial<InvestmentOwn> }
  | { readonly kind: "investor"; readonly id: string; readonly attributes: Partial<Omit<Investor, "id">> }
  | { readonly kind: "signing_party"; readonly id: string; readonly attributes: Partial<Omit<SigningParty, "id">> }
  | { readonly kind: "payment"; readonly id: string; readonly attributes: Partial<Omit<Payment, "id">> }
  | { readonly kind: "new_payment"; readonly payment: Payment }
  | { readonly kind: "event"; readonly event: InvestmentEvent }
);

/** The attributes of an investment that a change may set: not its identity, nor what has effects of its own. */
type InvestmentOwn = Omit<
  Investment,
  "id" | "alias" | "offering_id" | "investors" | "signing_parties" | "payments" | "events"
>;

/** Who puts a change on a timeline: a step of a run, or null for a command. */
type Origin = { readonly run: string; readonly step: number } | null;

/** An effect and the instant from which on it holds. */
export type DatedEffect = Effect & { readonly date: Instant; readonly origin?: Origin };

/** One dated fact on a timeline. Changes of one instant apply in the order of their sequence numbers. */
export type Change = DatedEffect & { readonly sequence: number };
