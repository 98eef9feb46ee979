import type { OfferingDocument } from "../../model/documents.ts";
import type { OfferingRequest } from "../read-request.ts";
import { offeringResource } from "../resources/offering.ts";

/** `GET /offerings/:id`. */
export function offeringDocument({ offering, state, ledger }: OfferingRequest): OfferingDocument {
  const data = offeringResource(offering);
  if (ledger.value("offering.document") === "resource") return { data };
  const { items } = state.investmentsOf(offering.id);
  const count = (status: string): number => items.filter((investment) => investment.status === status).length;
  return { data, meta: { investments: items.length, closed: count("CLOSED"), pending: count("PENDING") } };
}
