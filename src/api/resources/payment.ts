import type { PaymentResource } from "../../model/documents.ts";
import type { Payment } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";

/** A payment in `included` (section 2.5). */
export function paymentResource(payment: Payment, ledger: Ledger): PaymentResource {
  const { id, amount, status, category, create_date, modify_date } = payment;
  ledger.value("money.currency");
  if (status !== "succeeded") ledger.value("payment.statuses");
  return { type: "payments", id, attributes: { amount, status, category, create_date, modify_date } };
}
