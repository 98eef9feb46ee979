import type { FlatInvestmentStatus, InvestmentStatusDocument } from "../../model/documents.ts";
import type { Investment } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";
import type { ReadRequest } from "../read-request.ts";
import { restOnStatus } from "../resources/investment.ts";
import { WrittenOnce } from "../written-once.ts";
import type { Written } from "../written.ts";

type StatusDocument = InvestmentStatusDocument | FlatInvestmentStatus;

const documents = new WrittenOnce<StatusDocument>();

/** `GET /investments/:id/status`. */
export function investmentStatusDocument(investment: Investment, { ledger }: ReadRequest): Written<StatusDocument> {
  return documents.of(investment, [], ledger, (asked) => show(investment, asked));
}

function show(investment: Investment, ledger: Ledger): StatusDocument {
  const { id, step, status, create_date } = investment;
  restOnStatus(investment, ledger);
  const shape = ledger.value("status.document");
  if (shape === "flat") return { step, status };
  const attributes = shape === "resource" ? { step, status, create_date } : { step, status };
  return { data: { type: "investments", id, attributes } };
}
