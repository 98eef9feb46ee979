import type { IncludedResource } from "../../model/documents.ts";
import type { Investment } from "../../model/resources.ts";
import { investorResource } from "../resources/investor.ts";
import { offeringResource } from "../resources/offering.ts";
import { paymentResource } from "../resources/payment.ts";
import { signingPartyResource } from "../resources/signing-party.ts";
import type { ReadRequest } from "../read-request.ts";
import { visibilityOf } from "../visibility.ts";

/** The resources that the relationships of investments reference, each once (section 4.1). */
export function includedResources(
  investments: readonly Investment[],
  { state, key, ledger }: Pick<ReadRequest, "state" | "key" | "ledger">,
): IncludedResource[] {
  const visibility = visibilityOf(key, ledger);
  const included = new Map<string, IncludedResource>();
  const include = (resource: IncludedResource): unknown => included.set(resource.id, resource);
  for (const investment of investments) {
    for (const party of investment.signing_parties) include(signingPartyResource(party, visibility, ledger));
    for (const investor of investment.investors) include(investorResource(investor, visibility, ledger));
    const offering = state.offering(investment.offering_id);
    if (offering) include(offeringResource(offering));
    for (const payment of investment.payments) include(paymentResource(payment, ledger));
  }
  return [...included.values()];
}
