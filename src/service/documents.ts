import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { StateView } from "../environment/view.ts";
import type {
  EventResource,
  FlatInvestmentStatus,
  InvestmentDocument,
  InvestmentEventsDocument,
  InvestmentStatusDocument,
  OfferingDocument,
} from "../model/documents.ts";
import { compareText, stableRank } from "../model/order.ts";
import type { Investment, InvestmentEvent, Key, Offering } from "../model/resources.ts";
import type { Ledger } from "./ledger.ts";
import type { ParameterValues } from "./parameters.ts";
import { includedResources, investmentResource, offeringResource, references, visibilityOf } from "./resources.ts";
import { type JsonBytes, ResponseCache } from "./response-cache.ts";
import { within } from "./selection.ts";
import { shownEvents, shownStatus, undocumentedStatuses } from "./undocumented.ts";

/** The input of every document; a document about an investment also gets the investment. */
export interface DocumentInput {
  readonly key: Key;
  readonly offering: Offering;
  readonly state: StateView;
  readonly ledger: Ledger;
  /** The seed of the shuffles. */
  readonly seed: number;
  readonly values: ParameterValues;
}

const offerings = new ResponseCache<OfferingDocument>();

/** `GET /offerings/:id`. */
export function offeringDocument({ offering, state, ledger }: DocumentInput): JsonBytes<OfferingDocument> {
  const list = state.investmentsOf(offering.id);
  return offerings.get(list.content, [offering], ledger, (used) => {
    const data = offeringResource(offering, used);
    if (used.value("offering.document") === "resource") return { data };
    const { CLOSED: closed = 0, PENDING: pending = 0 } = list.tally.statuses;
    const unseen = undocumentedStatuses(offering.id, state, used);
    return { data, meta: { investments: list.length, closed, pending: pending - unseen } };
  });
}

const investments = new ResponseCache<InvestmentDocument>();

/** `GET /investments/:id` (section 4.1). */
export function investmentDocument(
  investment: Investment,
  { offering, key, ledger, state }: DocumentInput,
): JsonBytes<InvestmentDocument> {
  const visibility = visibilityOf(key, ledger);
  return investments.get(investment, [offering, visibility], ledger, (used) => ({
    data: investmentResource(investment, state, used),
    included: includedResources([investment], offering, visibility, used),
  }));
}

type StatusDocument = InvestmentStatusDocument | FlatInvestmentStatus;

const statuses = new ResponseCache<StatusDocument>();

/** `GET /investments/:id/status`. */
export function investmentStatusDocument(
  investment: Investment,
  { ledger, state }: DocumentInput,
): JsonBytes<StatusDocument> {
  return statuses.get(investment, [], ledger, (used) => {
    const { id, step, create_date } = investment;
    const status = shownStatus(investment, state, used);
    const shape = used.value("status.document");
    if (shape === "flat") return { step, status };
    const attributes = shape === "resource" ? { step, status, create_date } : { step, status };
    return { data: { type: "investments", id, attributes } };
  });
}

const eventLists = new ResponseCache<InvestmentEventsDocument>();

/** `GET /investments/:id/events` (section 4.2). Filters by the dates of the events. */
export function investmentEventsDocument(
  investment: Investment,
  { ledger, state, values, seed }: DocumentInput,
): JsonBytes<InvestmentEventsDocument> {
  const bounds = [values["create_date[gte]"], values["create_date[lte]"]] as const;
  return eventLists.get(investment, [...bounds, seed], ledger, (used, note): InvestmentEventsDocument => {
    const { id, step, create_date } = investment;
    const status = shownStatus(investment, state, used);
    const found = shownEvents(investment, state, used, (event) => within(event.create_date, bounds));
    const events = found.length > 1 ? ordered(found, used.value("events.order"), seed) : found;
    note({ page: null, size: null, shown: events.length, total: null });
    const attributes = { step, status, create_date };
    const relationships = { events: { data: references("events", events) } };
    return { data: { type: "investments", id, attributes, relationships }, included: events.map(eventResource) };
  });
}

function eventResource({ id, event, action, description, create_date }: InvestmentEvent): EventResource {
  return { type: "events", id, event, action, description, create_date };
}

function ordered(
  events: readonly InvestmentEvent[],
  order: AssumptionValue<"events.order">,
  seed: number,
): InvestmentEvent[] {
  if (order === "unordered") {
    return events.toSorted((one, other) => stableRank(seed, one.id) - stableRank(seed, other.id));
  }
  if (order === "id") return events.toSorted((one, other) => compareText(one.id, other.id));
  const oldestFirst = events.toSorted((one, other) => compareText(one.create_date, other.create_date));
  return order === "create_date" ? oldestFirst : oldestFirst.toReversed();
}
