import type {
  Comparison,
  ComparisonRequest,
  OfferingSummary,
  PreviewedResponse,
  PreviewRequest,
} from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { keyStatus } from "../environment/keys.ts";
import { findInvestment, findKey, findOffering } from "../environment/references.ts";
import type { State } from "../environment/state.ts";
import type { StateAtInstant } from "../environment/view.ts";
import { orNotFound } from "../errors/control-error.ts";
import type { Instant } from "../time/instant.ts";
import { basePath, operations } from "../model/operations.ts";
import type { Investment, Key, Offering } from "../model/resources.ts";
import { type InvestmentDocumentName, keyTypes } from "../model/vocabulary.ts";
import { describeKey, summarizeOffering } from "./describe.ts";

export interface PreviewedCall {
  /** Path and query from the origin. */
  readonly url: string;
  /** The `Authorization` header; undefined for a call without one. */
  readonly authorization: string | undefined;
  readonly stateAtInstant: StateAtInstant;
  /** Seconds until the rate limit of the key allows the call. @default the call is allowed now */
  readonly retryAfterSeconds?: number | undefined;
}

/** The first segments of paths below the base address; all other paths are from the origin. */
const servicePaths = new Set(operations.map(({ path }) => path.split("/", 2)[1]));

/** Converts a request to preview. Throws ValidationError for an unknown key. */
export function previewedCall(environment: Environment, { path, key_id }: PreviewRequest): PreviewedCall {
  const [, firstSegment] = path.split(/[/?]/, 2);
  const stateAtInstant = environment.read();
  return {
    url: servicePaths.has(firstSegment) ? basePath + path : path,
    authorization: key_id === null ? undefined : bearer(findKey(stateAtInstant.state.keys, key_id)),
    stateAtInstant,
  };
}

/**
 * Compares the responses to several keys. Reads the clock once, so that all responses show one instant. `preview`
 * responds to a call like the service.
 * Throws ControlError for a missing offering or investment, ValidationError for a missing key.
 */
export function compareKeys(
  environment: Environment,
  request: ComparisonRequest,
  preview: (call: PreviewedCall) => PreviewedResponse,
): Comparison {
  const stateAtInstant = environment.read();
  const { now, state } = stateAtInstant;
  const { investment, offering, path } = orNotFound(() => findComparedSubject(request, environment, state));
  const offeringSummary = summarizeOffering(offering, state);
  const keys = request.key_ids?.map((id) => findKey(state.keys, id)) ?? defaultKeys([...state.keys], offering, now);
  return {
    now,
    investment: investment ? { ...investment } : null,
    offering: offeringSummary,
    path,
    stored: storedDocument(investment, request.document ?? "investment", offeringSummary),
    responses: keys.map((key) => ({
      key: describeKey(key, environment, now),
      response: preview({ url: basePath + path, authorization: bearer(key), stateAtInstant }),
    })),
  };
}

function bearer({ key }: Key): string {
  return `Bearer ${key}`;
}

/** Finds the compared offering or investment, and its path. Throws ValidationError if it is missing. */
function findComparedSubject(
  { offering_id = "", investment_id, document = "investment" }: ComparisonRequest,
  { offerings, internals: { history } }: Environment,
  state: State,
) {
  if (investment_id === undefined) {
    const offering = findOffering(offerings, offering_id);
    return { investment: undefined, offering, path: `/offerings/${offering.id}` };
  }
  const { dataset, created } = history;
  const investment = findInvestment({ dataset, created, read: () => ({ state }) }, investment_id);
  const offering = findOffering(offerings, investment.offering_id);
  const path = `/investments/${investment.id}${document === "investment" ? "" : `/${document}`}`;
  return { investment, offering, path };
}

/** Returns the oldest active key of each type for an offering. */
function defaultKeys(keys: readonly Key[], { id }: Offering, now: Instant): readonly Key[] {
  const activeKeys = keys.filter((key) => key.offering_id === id && keyStatus(key, now) === "active");
  return keyTypes.toReversed().flatMap((type) => activeKeys.find((key) => key.type === type) ?? []);
}

interface Identified {
  readonly id: string;
}

/** Returns an offering, or a document of an investment, as the service would without redaction (section 4). */
function storedDocument(
  investment: Investment | undefined,
  document: InvestmentDocumentName,
  { id: offeringId, attributes: offeringAttributes }: OfferingSummary,
): Comparison["stored"] {
  const offering = { type: "offerings", id: offeringId, attributes: offeringAttributes };
  if (!investment) return { data: offering };
  const { id, offering_id: _, broker, investors, signing_parties, payments, events, ...attributes } = investment;
  const { step, status, create_date } = attributes;
  const shortResource = { type: "investments", id, attributes: { step, status, create_date } };
  if (document === "status") return { data: shortResource };
  if (document === "events") {
    const included = events.map((event) => ({ type: "events", ...event }));
    return { data: { ...shortResource, relationships: { events: relationshipTo("events", events) } }, included };
  }
  const relationships = {
    broker: { data: broker === null ? null : { type: "brokers", id: broker } },
    offering: { data: { type: "offerings", id: offeringId } },
    signing_parties: relationshipTo("signing_parties", signing_parties),
    investors: relationshipTo("investors", investors),
    payments: relationshipTo("payments", payments),
  };
  const included = [
    ...resources("signing_parties", signing_parties),
    ...resources("investors", investors),
    ...resources("payments", payments),
    offering,
  ];
  return { data: { ...shortResource, attributes: { id, ...attributes }, relationships }, included };
}

function relationshipTo(type: string, list: readonly Identified[]): object {
  return { data: list.map(({ id }) => ({ type, id })) };
}

function resources(type: string, list: readonly Identified[]): readonly object[] {
  return list.map(({ id, ...attributes }) => ({ type, id, attributes }));
}
