import type { InvestmentDocument } from "../../model/documents.ts";
import type { Investment, Offering } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";
import type { ReadRequest } from "../read-request.ts";
import { investmentResource } from "../resources/investment.ts";
import { visibilityOf, type Visibility } from "../visibility.ts";
import { writtenOnce, type Written } from "../written.ts";
import { includedResources } from "./included.ts";

/** `GET /investments/:id` (section 4.1). */
export function investmentDocument(
  investment: Investment,
  { offering, key, ledger }: ReadRequest,
): Written<InvestmentDocument> {
  return written(investment, ledger, offering, visibilityOf(key, ledger));
}

const written = writtenOnce(
  (investment: Investment, ledger: Ledger, offering: Offering, visibility: Visibility): InvestmentDocument => ({
    data: investmentResource(investment, ledger),
    included: includedResources([investment], offering, visibility, ledger),
  }),
);
