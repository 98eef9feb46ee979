import type { InvestmentDocument } from "../../model/documents.ts";
import type { InvestmentRequest } from "../read-request.ts";
import { investmentResource } from "../resources/investment.ts";
import { includedResources } from "./included.ts";

/** `GET /investments/:id` (section 4.1). */
export function investmentDocument(request: InvestmentRequest): InvestmentDocument {
  const { investment, ledger } = request;
  return { data: investmentResource(investment, ledger), included: includedResources([investment], request) };
}
