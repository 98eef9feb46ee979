import type { AssumptionValue } from "../assumptions/catalog.ts";
import { fillTemplate, listTemplates, showsPages } from "../assumptions/template.ts";
import type { StateView } from "../environment/view.ts";
import { HttpError } from "../errors/http-error.ts";
import type {
  EventResource,
  FlatInvestmentStatus,
  InvestmentDocument,
  InvestmentEventsDocument,
  InvestmentListDocument,
  InvestmentResource,
  InvestmentStatusDocument,
  OfferingDocument,
} from "../model/documents.ts";
import { basePath, type OperationId, type ParameterName, parameters } from "../model/operations.ts";
import { compareText, stableRank } from "../model/order.ts";
import type { Investment, InvestmentEvent, Key, Offering } from "../model/resources.ts";
import type { Ledger } from "./ledger.ts";
import { parameterError, type ParameterValues } from "./parameters.ts";
import {
  includedResources,
  investmentResource,
  offeringResource,
  references,
  shownEvents,
  shownStatus,
  undocumentedStatuses,
  visibilityOf,
} from "./resources.ts";
import { type JsonBytes, type Listing, ResponseCache, type Serializable } from "./response-cache.ts";
import { selectInvestments, isWithin } from "./selection.ts";

/** The input of every document; a document about an investment also gets the investment. */
interface DocumentInput {
  readonly key: Key;
  readonly offering: Offering;
  readonly state: StateView;
  readonly ledger: Ledger;
  /** The seed of the shuffles. */
  readonly seed: number;
  readonly values: ParameterValues;
}

type Document = (input: DocumentInput, id: string) => JsonBytes<object>;

/** The documents of the operations, made for the offering or investment of an id. */
export const documents: Record<OperationId, Document> = {
  getOffering: offeringDocument,
  listInvestments: investmentListDocument,
  getInvestment: ofInvestment(investmentDocument),
  getInvestmentStatus: ofInvestment(investmentStatusDocument),
  listInvestmentEvents: ofInvestment(investmentEventsDocument),
};

function ofInvestment(document: (investment: Investment, input: DocumentInput) => JsonBytes<object>): Document {
  return (input, id) => {
    const investment = input.state.investment(id);
    if (!investment) throw new Error("a call for no investment passed its checks");
    return document(investment, input);
  };
}

const offerings = new ResponseCache<OfferingDocument>();

/** Builds the document of `GET /offerings/:id`. */
function offeringDocument({ offering, state, ledger }: DocumentInput): JsonBytes<OfferingDocument> {
  const list = state.investmentsOf(offering.id);
  return offerings.get(list.contentId, [offering], ledger, (entryLedger) => {
    const data = offeringResource(offering, entryLedger);
    if (entryLedger.value("offering.document") === "resource") return { data };
    const { CLOSED: closed = 0, PENDING: pending = 0 } = list.totals.statuses;
    const undocumented = undocumentedStatuses(offering.id, state, entryLedger);
    return { data, meta: { investments: list.length, closed, pending: pending - undocumented } };
  });
}

const parameterNames = Object.keys(parameters) as ParameterName[];

const [lists, resources] = [new ResponseCache<InvestmentListDocument>(), new ResponseCache<InvestmentResource>()];

/** Builds the document of `GET /offerings/:id/investments` (section 4). */
function investmentListDocument(input: DocumentInput): JsonBytes<InvestmentListDocument> {
  const { offering, key, state, ledger, values, seed } = input;
  const { contentId } = state.investmentsOf(offering.id);
  const parameterValues = parameterNames.map((name) => values[name]);
  const variant = [offering, key.type, key.personal_data, seed, ...parameterValues];
  return lists.get(contentId, variant, ledger, (entryLedger, onListing) =>
    listDocument({ ...input, ledger: entryLedger }, onListing),
  );
}

function listDocument(
  input: DocumentInput,
  onListing: (listing: Listing) => void,
): Serializable<InvestmentListDocument> {
  const { offering, key, state, ledger, values, seed } = input;
  const list = state.investmentsOf(offering.id);
  const matching = selectInvestments(list, values, ledger.unrecorded("list.order"), seed);
  const shape = ledger.value("list.document");
  const template = shape === "resources" || shape === "data" ? undefined : listTemplates.parse(shape);
  const hasOnlyData = template ? !showsPages(template) : shape === "data";
  const page = pageOf(matching.length, input, hasOnlyData);
  const pastEnd = page.page > page.last ? ledger.value("list.past_end") : "empty";
  if (pastEnd !== "empty") {
    const problem = { detail: `The last page is ${page.last}.`, source: { parameter: "page" } };
    throw pastEnd === "404" ? new HttpError("page_not_found", problem) : parameterError(problem, ledger);
  }
  const start = (page.page - page.first) * page.size;
  const pageInvestments = matching.slice(start, start + page.size).flatMap(({ id }) => state.investment(id) ?? []);
  if (pageInvestments.length > 0 && matching.length > 1) ledger.value("list.order");
  const data = pageInvestments.map((investment) =>
    resources.get(investment, [], ledger, (entryLedger) => investmentResource(investment, state, entryLedger)),
  );
  const included =
    ledger.value("list.included") === "yes"
      ? includedResources(pageInvestments, offering, visibilityOf(key, ledger), ledger)
      : undefined;
  onListing({ page: page.page, size: page.size, shown: pageInvestments.length, total: matching.length });
  if (shape === "data") return { data, included };
  const { length: total } = matching;
  const meta = { page: page.page, size: page.size, total, pages: Math.ceil(total / page.size) };
  const links = pageLinks(`${basePath}/offerings/${offering.id}/investments`, values, page);
  if (!template) return { data, included, meta, links };
  const filledTemplate = fillTemplate(template, { data, ...meta, ...links }) as Serializable<InvestmentListDocument>;
  return { ...filledTemplate, included };
}

interface Page {
  readonly page: number;
  readonly size: number;
  /** The numbers of the first page and the last. */
  readonly first: number;
  readonly last: number;
}

/** Returns the requested page. Records only visible assumptions: without links and matches, all pages are equal. */
function pageOf(total: number, { values, ledger }: DocumentInput, hasOnlyData: boolean): Page {
  const showsNothing = hasOnlyData && total === 0;
  const first = Number(
    hasOnlyData && values.page === undefined ? ledger.unrecorded("list.first_page") : ledger.value("list.first_page"),
  );
  const read = showsNothing ? ledger.unrecorded.bind(ledger) : ledger.value.bind(ledger);
  const size = values.size ?? Math.min(read("list.default_size"), read("list.max_size"));
  const last = first + Math.max(1, Math.ceil(total / size)) - 1;
  return { page: values.page ?? first, size, first, last };
}

/** Returns links to other pages, relative to the origin, with the same filters; null for a missing page. */
function pageLinks(
  path: string,
  values: ParameterValues,
  { page, size, first, last }: Page,
): NonNullable<InvestmentListDocument["links"]> {
  const otherParameters: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (name !== "page") otherParameters.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  }
  // Parameters stay in their order; the size comes last if the client did not send it.
  const [before, after]: [string[], string[]] =
    values.page === undefined ? [otherParameters, []] : [[], otherParameters];
  if (values.size === undefined) after.push(`size=${size}`);
  const start = `${path}?${before.map((parameter) => `${parameter}&`).join("")}page=`;
  const end = after.map((parameter) => `&${parameter}`).join("");
  const linkTo = (pageNumber: number): string => start + String(pageNumber) + end;
  return {
    self: linkTo(page),
    first: linkTo(first),
    prev: page > first ? linkTo(Math.min(page - 1, last)) : null,
    next: page < last ? linkTo(page + 1) : null,
    last: linkTo(last),
  };
}

const investments = new ResponseCache<InvestmentDocument>();

/** Builds the document of `GET /investments/:id` (section 4.1). */
function investmentDocument(
  investment: Investment,
  { offering, key, ledger, state }: DocumentInput,
): JsonBytes<InvestmentDocument> {
  const visibility = visibilityOf(key, ledger);
  return investments.get(investment, [offering, visibility], ledger, (entryLedger) => ({
    data: investmentResource(investment, state, entryLedger),
    included: includedResources([investment], offering, visibility, entryLedger),
  }));
}

type StatusDocument = InvestmentStatusDocument | FlatInvestmentStatus;

const statuses = new ResponseCache<StatusDocument>();

/** Builds the document of `GET /investments/:id/status`. */
function investmentStatusDocument(investment: Investment, { ledger, state }: DocumentInput): JsonBytes<StatusDocument> {
  return statuses.get(investment, [], ledger, (entryLedger) => {
    const { id, step, create_date } = investment;
    const status = shownStatus(investment, state, entryLedger);
    const shape = entryLedger.value("status.document");
    if (shape === "flat") return { step, status };
    const attributes = shape === "resource" ? { step, status, create_date } : { step, status };
    return { data: { type: "investments", id, attributes } };
  });
}

const eventLists = new ResponseCache<InvestmentEventsDocument>();

/** Builds the document of `GET /investments/:id/events` (section 4.2). Filters by the dates of the events. */
function investmentEventsDocument(
  investment: Investment,
  { ledger, state, values, seed }: DocumentInput,
): JsonBytes<InvestmentEventsDocument> {
  const bounds = [values["create_date[gte]"], values["create_date[lte]"]] as const;
  return eventLists.get(investment, [...bounds, seed], ledger, (entryLedger, onListing): InvestmentEventsDocument => {
    const { id, step, create_date } = investment;
    const status = shownStatus(investment, state, entryLedger);
    const eventsInRange = shownEvents(investment, state, entryLedger, (event) => isWithin(event.create_date, bounds));
    const events =
      eventsInRange.length > 1 ? sortEvents(eventsInRange, entryLedger.value("events.order"), seed) : eventsInRange;
    onListing({ page: null, size: null, shown: events.length, total: null });
    const attributes = { step, status, create_date };
    const relationships = { events: { data: references("events", events) } };
    return { data: { type: "investments", id, attributes, relationships }, included: events.map(eventResource) };
  });
}

function eventResource({ id, event, action, description, create_date }: InvestmentEvent): EventResource {
  return { type: "events", id, event, action, description, create_date };
}

function sortEvents(
  events: readonly InvestmentEvent[],
  order: AssumptionValue<"events.order">,
  seed: number,
): InvestmentEvent[] {
  if (order === "unordered")
    return events.toSorted((left, right) => stableRank(seed, left.id) - stableRank(seed, right.id));
  if (order === "id") return events.toSorted((left, right) => compareText(left.id, right.id));
  const oldestFirst = events.toSorted((left, right) => compareText(left.create_date, right.create_date));
  return order === "create_date" ? oldestFirst : oldestFirst.toReversed();
}
