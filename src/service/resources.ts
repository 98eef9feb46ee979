import type { StateView } from "../environment/view.ts";
import type {
  IncludedResource,
  InvestmentResource,
  InvestorResource,
  OfferingResource,
  PaymentResource,
  Reference,
  SigningPartyResource,
} from "../model/documents.ts";
import { stableRank } from "../model/order.ts";
import {
  type Investment,
  type InvestmentEvent,
  type InvestmentFields,
  type Investor,
  type Key,
  type Offering,
  offeringAttributesOf,
  type Payment,
  type SigningParty,
} from "../model/resources.ts";
import { investorFields, isShownStatus, redacted, redactedFields } from "../model/vocabulary.ts";
import type { Ledger } from "./ledger.ts";

const redactable: ReadonlySet<string> = new Set(redactedFields);

/** Builds an investor in `included`, redacted by visibility (section 2.3). */
function investorResource(investor: Investor, visibility: Visibility, ledger: Ledger): InvestorResource {
  const attributes: Record<string, unknown> = {};
  for (const field of investorFields) {
    if (field === "birthdate" && investor.birthdate === null && !showsMissingBirthdate(visibility, ledger)) continue;
    if (field === "middle_name" && investor.middle_name === null) {
      const missingForm = ledger.value("investor.middle_name");
      if (missingForm !== "absent") attributes[field] = missingForm === "null" ? null : "";
    } else {
      attributes[field] = redactable.has(field) && !visibility.canSeePersonalData ? redacted : investor[field];
    }
  }
  return { type: "investors", id: investor.id, attributes } as unknown as InvestorResource;
}

/** Returns true if a missing birthdate is shown anyway, as null or redacted. */
function showsMissingBirthdate({ canSeePersonalData }: Visibility, ledger: Ledger): boolean {
  if (canSeePersonalData) return ledger.value("investor.birthdate") === "null";
  return ledger.value("investor.redact_absent") === "redacted";
}

/** Builds an offering (section 2.4). */
export function offeringResource(offering: Offering, ledger: Ledger): OfferingResource {
  const specifiedAttributes = offeringAttributesOf(offering);
  const extraAttributes = { legal_name: offering.name, website: null, tags: [] };
  const attributes =
    ledger.value("offering.members") === "more" ? { ...specifiedAttributes, ...extraAttributes } : specifiedAttributes;
  return { type: "offerings", id: offering.id, attributes };
}

/** Builds a payment in `included` (section 2.5). */
function paymentResource(payment: Payment, ledger: Ledger): PaymentResource {
  const { id, amount, status, category, create_date, modify_date } = payment;
  if (status !== "succeeded") ledger.value("payment.statuses");
  return { type: "payments", id, attributes: { amount, status, category, create_date, modify_date } };
}

/** Builds a signing party in `included` (section 2.2). Missing names are absent. */
function signingPartyResource(party: SigningParty, visibility: Visibility, ledger: Ledger): SigningPartyResource {
  const { id, first_name, middle_name, last_name, email, phone_number, signed, countersigner } = party;
  const status = party.status ?? (signed ? "signed" : ledger.value("signing_party.status"));
  const attributes = {
    ...(first_name === null ? {} : { first_name }),
    ...(middle_name === null ? {} : { middle_name }),
    ...(last_name === null ? {} : { last_name }),
    email,
    ...(visibility.canSeePhoneNumber ? { phone_number } : {}),
    status,
    signed,
    countersigner,
  };
  return { type: "signing_parties", id, attributes };
}

/** Returns the resources in the relationships of an offering's investments, each once (section 4.1). */
export function includedResources(
  investments: readonly Investment[],
  offering: Offering,
  visibility: Visibility,
  ledger: Ledger,
): IncludedResource[] {
  const included = new Map<string, IncludedResource>();
  const include = (resource: IncludedResource): unknown => included.set(`${resource.type} ${resource.id}`, resource);
  for (const investment of investments) {
    for (const party of investment.signing_parties) include(signingPartyResource(party, visibility, ledger));
    for (const investor of investment.investors) include(investorResource(investor, visibility, ledger));
    include(offeringResource(offering, ledger));
    for (const payment of investment.payments) include(paymentResource(payment, ledger));
  }
  return [...included.values()];
}

/** Builds an investment (section 2.1). */
export function investmentResource(investment: Investment, state: StateView, ledger: Ledger): InvestmentResource {
  ledger.value("money.currency");
  const isBrokerShown = investment.broker !== null && ledger.value("investment.broker") === "reference";
  return {
    type: "investments",
    id: investment.id,
    attributes: {
      id: investment.id,
      amount: investment.amount,
      price: investment.price,
      quantity: investment.quantity,
      paid_amount: investment.paid_amount,
      investment_number: investment.investment_number,
      expedited: investment.expedited,
      step: investment.step,
      status: shownStatus(investment, state, ledger),
      create_date: investment.create_date,
      modify_date: investment.modify_date,
    },
    relationships: {
      broker: { data: isBrokerShown ? { type: "brokers", id: investment.broker } : null },
      signing_parties: { data: references("signing_parties", investment.signing_parties) },
      investors: { data: references("investors", investment.investors) },
      offering: { data: { type: "offerings", id: investment.offering_id } },
      payments: { data: references("payments", investment.payments) },
    },
  };
}

export function references<Type extends string>(
  type: Type,
  resources: readonly { readonly id: string }[],
): Reference<Type>[] {
  return resources.map(({ id }) => ({ type, id }));
}

/** The personal data visible to a key (section 5.5). */
interface Visibility {
  /** False if personal data is redacted. */
  readonly canSeePersonalData: boolean;
  readonly canSeePhoneNumber: boolean;
}

const marketingVisibility: Visibility = { canSeePersonalData: false, canSeePhoneNumber: true };
const partnerVisibility: Visibility = { canSeePersonalData: true, canSeePhoneNumber: false };
const ungrantedVisibility: Visibility = { canSeePersonalData: false, canSeePhoneNumber: false };

export function visibilityOf(key: Key, ledger: Ledger): Visibility {
  if (key.type === "marketing") return marketingVisibility;
  return key.personal_data || ledger.value("auth.partner_data") === "granted" ? partnerVisibility : ungrantedVisibility;
}

/** Returns true if `salt` selects an investment: about half of those that no test or scenario has changed. */
function isSampled(salt: number, id: string, state: StateView): boolean {
  return stableRank(salt, id) % 2 === 0 && !state.isChanged(id);
}

/** Returns true if an investment may show another status under `investment.statuses=unseen`. */
function mayBeUndocumented({ id, status }: InvestmentFields, state: StateView): boolean {
  return status === "PENDING" && isSampled(1, id, state);
}

/** Returns the status that the service shows (section 3), equal in every document. */
export function shownStatus(investment: InvestmentFields, state: StateView, ledger: Ledger): string {
  const { status } = investment;
  const mayDiffer = mayBeUndocumented(investment, state);
  if (isShownStatus(status) && !mayDiffer) return status;
  return ledger.value("investment.statuses") === "unseen" && mayDiffer ? "UNDER_REVIEW" : status;
}

/** Returns the number of an offering's investments whose shown status differs from their stored one. */
export function undocumentedStatuses(offeringId: string, state: StateView, ledger: Ledger): number {
  const list = state.investmentsOf(offeringId);
  const undocumented = list.computeOnce(
    "unseen",
    () => list.byCreation.filter((investment) => mayBeUndocumented(investment, state)).length,
  );
  return undocumented > 0 && ledger.value("investment.statuses") === "unseen" ? undocumented : 0;
}

/** Returns the shown events, as recorded; with an undocumented pair under `events.kinds=unseen` (section 6). */
export function shownEvents(
  { id, events }: Investment,
  state: StateView,
  ledger: Ledger,
  isWithin: (event: InvestmentEvent) => boolean,
): readonly InvestmentEvent[] {
  const includedEvents = events.filter(isWithin);
  const [first] = events;
  if (!first || !isWithin(first) || !isSampled(2, id, state) || ledger.value("events.kinds") === "seen")
    return includedEvents;
  const undocumentedId = stableRank(3, first.id).toString(16).padStart(8, "0") + first.id.slice(8);
  const undocumented = { ...first, id: undocumentedId, event: "DOCUMENT", action: "UPLOADED", description: null };
  return includedEvents.toSpliced(includedEvents.indexOf(first) + 1, 0, undocumented);
}
