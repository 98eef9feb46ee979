import { compareText } from "../../model/compare.ts";
import type { OfferingDocument } from "../../model/documents.ts";
import type { ReadRequest } from "../read-request.ts";
import { offeringResource } from "../resources/offering.ts";

/** `GET /offerings/:id`. */
export function offeringDocument({ offering, state, ledger }: ReadRequest): OfferingDocument {
  const data = offeringResource(offering);
  if (ledger.value("offering.document") === "resource") return { data };
  const list = state.investmentsOf(offering.id);
  const byStatus = list.inOrder("status", (one, other) => compareText(one.status, other.status));
  const count = (status: string): number =>
    byStatus.position((investment) => investment.status <= status) -
    byStatus.position((investment) => investment.status < status);
  return { data, meta: { investments: list.length, closed: count("CLOSED"), pending: count("PENDING") } };
}
