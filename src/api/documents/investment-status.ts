import type { FlatInvestmentStatus, InvestmentStatusDocument } from "../../model/documents.ts";
import type { Investment } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";
import type { ReadRequest } from "../read-request.ts";
import { restOnStatus } from "../resources/investment.ts";
import { writtenOnce, type Written } from "../written.ts";

/** `GET /investments/:id/status`. */
export function investmentStatusDocument(
  investment: Investment,
  { ledger }: ReadRequest,
): Written<InvestmentStatusDocument | FlatInvestmentStatus> {
  return written(investment, ledger);
}

const written = writtenOnce(
  (investment: Investment, ledger: Ledger): InvestmentStatusDocument | FlatInvestmentStatus => {
    const { id, step, status, create_date } = investment;
    restOnStatus(investment, ledger);
    const shape = ledger.value("status.document");
    if (shape === "flat") return { step, status };
    const attributes = shape === "resource" ? { step, status, create_date } : { step, status };
    return { data: { type: "investments", id, attributes } };
  },
);
