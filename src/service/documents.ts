import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type {
  FlatInvestmentStatus,
  InvestmentDocument,
  InvestmentEventsDocument,
  InvestmentStatusDocument,
  OfferingDocument,
} from "../model/documents.ts";
import type { Instant } from "../model/instant.ts";
import { compareText, stableRank } from "../model/order.ts";
import type { Investment, InvestmentEvent } from "../model/resources.ts";
import type { ReadRequest } from "./call.ts";
import type { Ledger } from "./ledger.ts";
import {
  includedResources,
  investmentResource,
  offeringResource,
  references,
  restOnStatus,
  visibilityOf,
} from "./resources.ts";
import { type Written, WrittenOnce } from "./response-cache.ts";
import { within } from "./selection.ts";

const documents = new WrittenOnce<InvestmentEventsDocument>();

/** `GET /investments/:id/events` (section 4.2). The filters look at the events' own dates. */
export function investmentEventsDocument(
  investment: Investment,
  { ledger, values, seed }: ReadRequest,
): Written<InvestmentEventsDocument> {
  const [from, until] = [values["create_date[gte]"], values["create_date[lte]"]];
  return documents.of(investment, [from, until, seed], ledger, (asked) => show(investment, asked, from, until, seed));
}

function show(
  investment: Investment,
  ledger: Ledger,
  from: Instant | undefined,
  until: Instant | undefined,
  seed: number,
): InvestmentEventsDocument {
  const { id, step, status, create_date } = investment;
  restOnStatus(investment, ledger);
  const recorded = investment.events.filter((event) => within(event.create_date, from, until));
  const events = recorded.length > 1 ? ordered(recorded, ledger.value("events.order"), seed) : recorded;
  return {
    data: {
      type: "investments",
      id,
      attributes: { step, status, create_date },
      relationships: { events: { data: references("events", events) } },
    },
    included: events.map((event) => ({
      type: "events",
      id: event.id,
      event: event.event,
      action: event.action,
      description: event.description,
      create_date: event.create_date,
    })),
  };
}

function ordered(events: InvestmentEvent[], order: AssumptionValue<"events.order">, seed: number): InvestmentEvent[] {
  if (order === "unordered") {
    return events.toSorted((one, other) => stableRank(seed, one.id) - stableRank(seed, other.id));
  }
  const oldestFirst = events.toSorted((one, other) => compareText(one.create_date, other.create_date));
  return order === "create_date" ? oldestFirst : oldestFirst.toReversed();
}

type StatusDocument = InvestmentStatusDocument | FlatInvestmentStatus;

const documentsOfInvestmentStatus = new WrittenOnce<StatusDocument>();

/** `GET /investments/:id/status`. */
export function investmentStatusDocument(investment: Investment, { ledger }: ReadRequest): Written<StatusDocument> {
  return documentsOfInvestmentStatus.of(investment, [], ledger, (asked) => showOfInvestmentStatus(investment, asked));
}

function showOfInvestmentStatus(investment: Investment, ledger: Ledger): StatusDocument {
  const { id, step, status, create_date } = investment;
  restOnStatus(investment, ledger);
  const shape = ledger.value("status.document");
  if (shape === "flat") return { step, status };
  const attributes = shape === "resource" ? { step, status, create_date } : { step, status };
  return { data: { type: "investments", id, attributes } };
}

const documentsOfInvestment = new WrittenOnce<InvestmentDocument>();

/** `GET /investments/:id` (section 4.1). */
export function investmentDocument(
  investment: Investment,
  { offering, key, ledger }: ReadRequest,
): Written<InvestmentDocument> {
  const visibility = visibilityOf(key, ledger);
  return documentsOfInvestment.of(investment, [offering, visibility], ledger, (asked) => ({
    data: investmentResource(investment, asked),
    included: includedResources([investment], offering, visibility, asked),
  }));
}

const documentsOfOffering = new WrittenOnce<OfferingDocument>();

/** `GET /offerings/:id`. */
export function offeringDocument({ offering, state, ledger }: ReadRequest): Written<OfferingDocument> {
  const list = state.investmentsOf(offering.id);
  return documentsOfOffering.of(list.content, [offering], ledger, (asked) => {
    const data = offeringResource(offering);
    if (asked.value("offering.document") === "resource") return { data };
    const byStatus = list.inOrder("status", (one, other) => compareText(one.status, other.status));
    const count = (status: string): number =>
      byStatus.position((investment) => investment.status <= status) -
      byStatus.position((investment) => investment.status < status);
    return { data, meta: { investments: list.length, closed: count("CLOSED"), pending: count("PENDING") } };
  });
}
