import { compareText } from "../../model/compare.ts";
import type { OfferingDocument } from "../../model/documents.ts";
import type { ReadRequest } from "../read-request.ts";
import { offeringResource } from "../resources/offering.ts";
import { WrittenOnce } from "../written-once.ts";
import type { Written } from "../written.ts";

const documents = new WrittenOnce<OfferingDocument>();

/** `GET /offerings/:id`. */
export function offeringDocument({ offering, state, ledger }: ReadRequest): Written<OfferingDocument> {
  const list = state.investmentsOf(offering.id);
  return documents.of(list.content, [offering], ledger, (asked) => {
    const data = offeringResource(offering);
    if (asked.value("offering.document") === "resource") return { data };
    const byStatus = list.inOrder("status", (one, other) => compareText(one.status, other.status));
    const count = (status: string): number =>
      byStatus.position((investment) => investment.status <= status) -
      byStatus.position((investment) => investment.status < status);
    return { data, meta: { investments: list.length, closed: count("CLOSED"), pending: count("PENDING") } };
  });
}
