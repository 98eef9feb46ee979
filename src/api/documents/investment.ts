import type { InvestmentDocument } from "../../model/documents.ts";
import type { Investment } from "../../model/resources.ts";
import type { ReadRequest } from "../read-request.ts";
import { investmentResource } from "../resources/investment.ts";
import { visibilityOf } from "../visibility.ts";
import { WrittenOnce } from "../written-once.ts";
import type { Written } from "../written.ts";
import { includedResources } from "./included.ts";

const documents = new WrittenOnce<InvestmentDocument>();

/** `GET /investments/:id` (section 4.1). */
export function investmentDocument(
  investment: Investment,
  { offering, key, ledger }: ReadRequest,
): Written<InvestmentDocument> {
  const visibility = visibilityOf(key, ledger);
  return documents.of(investment, [offering, visibility], ledger, (asked) => ({
    data: investmentResource(investment, asked),
    included: includedResources([investment], offering, visibility, asked),
  }));
}
