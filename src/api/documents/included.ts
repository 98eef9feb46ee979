import type { IncludedResource } from "../../model/documents.ts";
import type { Investment, Offering } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";
import { investorResource } from "../resources/investor.ts";
import { offeringResource } from "../resources/offering.ts";
import { paymentResource } from "../resources/payment.ts";
import { signingPartyResource } from "../resources/signing-party.ts";
import type { Visibility } from "../visibility.ts";

/** The resources that the relationships of an offering's investments reference, each once (section 4.1). */
export function includedResources(
  investments: readonly Investment[],
  offering: Offering,
  visibility: Visibility,
  ledger: Ledger,
): IncludedResource[] {
  const included = new Map<string, IncludedResource>();
  const include = (resource: IncludedResource): unknown => included.set(resource.id, resource);
  for (const investment of investments) {
    for (const party of investment.signing_parties) include(signingPartyResource(party, visibility, ledger));
    for (const investor of investment.investors) include(investorResource(investor, visibility, ledger));
    include(offeringResource(offering));
    for (const payment of investment.payments) include(paymentResource(payment, ledger));
  }
  return [...included.values()];
}
