import type { InvestmentStatusDocument } from "../../model/documents.ts";
import type { InvestmentRequest } from "../read-request.ts";
import { restOnStatus } from "../resources/investment.ts";

/** `GET /investments/:id/status`. */
export function investmentStatusDocument({ investment, ledger }: InvestmentRequest): InvestmentStatusDocument {
  const { id, step, status, create_date } = investment;
  restOnStatus(investment, ledger);
  const shape = ledger.value("status.document");
  if (shape === "flat") return { step, status };
  const attributes = shape === "resource" ? { step, status, create_date } : { step, status };
  return { data: { type: "investments", id, attributes } };
}
