import type { InvestmentResource, Reference } from "../../model/documents.ts";
import { isShownStatus } from "../../model/investment-status.ts";
import type { Investment } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";

/** An investments resource (section 2.1). */
export function investmentResource(investment: Investment, ledger: Ledger): InvestmentResource {
  ledger.value("money.currency");
  restOnStatus(investment, ledger);
  const shown = investment.broker !== null && ledger.value("investment.broker") === "reference";
  return {
    type: "investments",
    id: investment.id,
    attributes: {
      id: investment.id,
      amount: investment.amount,
      price: investment.price,
      quantity: investment.quantity,
      paid_amount: investment.paid_amount,
      investment_number: investment.investment_number,
      expedited: investment.expedited,
      step: investment.step,
      status: investment.status,
      create_date: investment.create_date,
      modify_date: investment.modify_date,
    },
    relationships: {
      broker: { data: shown ? { type: "brokers", id: investment.broker } : null },
      signing_parties: { data: references("signing_parties", investment.signing_parties) },
      investors: { data: references("investors", investment.investors) },
      offering: { data: { type: "offerings", id: investment.offering_id } },
      payments: { data: references("payments", investment.payments) },
    },
  };
}

/** Notes that a status which the specification does not show rests on an assumption. */
export function restOnStatus({ status }: Investment, ledger: Ledger): void {
  if (!isShownStatus(status)) ledger.value("investment.statuses");
}

/** References to resources, by type and id. */
export function references<Type extends string>(
  type: Type,
  resources: readonly { readonly id: string }[],
): Reference<Type>[] {
  return resources.map(({ id }) => ({ type, id }));
}
