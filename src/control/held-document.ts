import type { OfferingSummary } from "../control.ts";
import type { Investment } from "../model/resources.ts";
import type { InvestmentDocumentName } from "../model/vocabulary.ts";

type HeldState = Readonly<Record<string, unknown>>;

interface Identified {
  readonly id: string;
}

/**
 * Returns an offering, or a document of an investment, in the form of the service (section 4), with everything stored.
 */
export function heldDocument(
  investment: Investment | undefined,
  document: InvestmentDocumentName,
  { id: offeringId, attributes: offeringAttributes }: OfferingSummary,
): HeldState {
  const offering = { type: "offerings", id: offeringId, attributes: offeringAttributes };
  if (!investment) return { data: offering };
  const { id, offering_id: _, broker, investors, signing_parties, payments, events, ...attributes } = investment;
  const { step, status, create_date } = attributes;
  const short = { type: "investments", id, attributes: { step, status, create_date } };
  if (document === "status") return { data: short };
  if (document === "events") {
    const included = events.map((event) => ({ type: "events", ...event }));
    return { data: { ...short, relationships: { events: heldReferences("events", events) } }, included };
  }
  const relationships = {
    broker: { data: broker === null ? null : { type: "brokers", id: broker } },
    offering: { data: { type: "offerings", id: offeringId } },
    signing_parties: heldReferences("signing_parties", signing_parties),
    investors: heldReferences("investors", investors),
    payments: heldReferences("payments", payments),
  };
  const included = [
    ...resources("signing_parties", signing_parties),
    ...resources("investors", investors),
    ...resources("payments", payments),
    offering,
  ];
  return { data: { ...short, attributes: { id, ...attributes }, relationships }, included };
}

function heldReferences(type: string, list: readonly Identified[]): object {
  return { data: list.map(({ id }) => ({ type, id })) };
}

function resources(type: string, list: readonly Identified[]): readonly object[] {
  return list.map(({ id, ...attributes }) => ({ type, id, attributes }));
}
