import type {
  EventMembers,
  InvestmentAttributes,
  InvestorAttributes,
  OfferingAttributes,
  PaymentAttributes,
  SigningPartyAttributes,
} from "./shapes.ts";
import type { KeyType, redacted, RedactedField } from "./vocabulary.ts";

/** The service's documents, as a key of each type reads them (sections 2, 4 and 5). */

export interface Reference<Type extends string> {
  readonly type: Type;
  readonly id: string;
}

interface Resource<Type extends string, Attributes> extends Reference<Type> {
  readonly attributes: Attributes;
}

export type OfferingResource = Resource<"offerings", OfferingAttributes>;

export type PaymentResource = Resource<"payments", PaymentAttributes>;

/** A signing party. An unknown name is absent. */
export type SigningPartyResource<Type extends KeyType = KeyType> = Resource<
  "signing_parties",
  {
    readonly first_name?: string;
    readonly middle_name?: string;
    readonly last_name?: string;
    readonly status: string;
  } & Pick<SigningPartyAttributes, "email" | "signed" | "countersigner"> &
    (Type extends "marketing" ? { readonly phone_number: string } : { readonly phone_number?: never })
>;

/** An unknown middle name is empty, null or absent (assumption `investor.middle_name`). */
interface MiddleName {
  readonly middle_name?: string | null;
}

/** An investor with personal data. An unknown birthdate is absent or null (assumption `investor.birthdate`). */
export type PartnerInvestor = Omit<InvestorAttributes, "birthdate" | "middle_name"> &
  MiddleName & { readonly birthdate?: string | null };

/** An investor without personal data. */
export type MarketingInvestor = Omit<InvestorAttributes, RedactedField | "middle_name"> &
  MiddleName & {
    readonly [Field in Exclude<RedactedField, "birthdate">]: typeof redacted;
  } & { readonly birthdate?: typeof redacted };

export type InvestorResource<Type extends KeyType = KeyType> = Resource<
  "investors",
  Type extends "marketing" ? MarketingInvestor : PartnerInvestor
>;

/** An investment (section 2.1). */
export interface InvestmentResource extends Resource<"investments", InvestmentAttributes> {
  readonly relationships: {
    readonly broker: { readonly data: Reference<"brokers"> | null };
    readonly signing_parties: { readonly data: readonly Reference<"signing_parties">[] };
    readonly investors: { readonly data: readonly Reference<"investors">[] };
    readonly offering: { readonly data: Reference<"offerings"> };
    readonly payments: { readonly data: readonly Reference<"payments">[] };
  };
}

export type IncludedResource<Type extends KeyType = KeyType> =
  | SigningPartyResource<Type>
  | InvestorResource<Type>
  | OfferingResource
  | PaymentResource;

/** `GET /investments/:id` (section 4.1). */
export interface InvestmentDocument<Type extends KeyType = KeyType> {
  readonly data: InvestmentResource;
  readonly included: readonly IncludedResource<Type>[];
}

/** An event in `included`: no `attributes` wrapper (section 4.2). */
export type EventResource = Reference<"events"> & EventMembers;

/** `GET /investments/:id/events` (section 4.2). */
export interface InvestmentEventsDocument {
  readonly data: Resource<"investments", InvestmentStatus> & {
    readonly relationships: { readonly events: { readonly data: readonly Reference<"events">[] } };
  };
  readonly included: readonly EventResource[];
}

/** The investment's attributes in the events document and the status document. */
type InvestmentStatus = Pick<InvestmentAttributes, "step" | "status" | "create_date">;

/** `GET /offerings/:id`. The assumption `offering.document` decides the shape. */
export interface OfferingDocument {
  readonly data: OfferingResource;
  readonly meta?: { readonly investments: number; readonly closed: number; readonly pending: number };
}

/** `GET /investments/:id/status`, except under the assumption `status.document=flat`. */
export interface InvestmentStatusDocument {
  readonly data: Resource<"investments", FlatInvestmentStatus & Partial<Pick<InvestmentStatus, "create_date">>>;
}

/** `GET /investments/:id/status` under the assumption `status.document=flat`. */
export type FlatInvestmentStatus = Pick<InvestmentStatus, "step" | "status">;

/** `GET /offerings/:id/investments`. The assumptions `list.document` and `list.included` decide the shape. */
export interface InvestmentListDocument<Type extends KeyType = KeyType> {
  readonly data: readonly InvestmentResource[];
  readonly included?: readonly IncludedResource<Type>[];
  readonly meta?: { readonly page: number; readonly size: number; readonly total: number; readonly pages: number };
  readonly links?: { readonly [Link in "self" | "first" | "prev" | "next" | "last"]: string | null };
}
