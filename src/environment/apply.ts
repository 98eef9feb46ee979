import type { Instant } from "../model/instant.ts";
import { sum } from "../model/money.ts";
import type { Investment, Payment } from "../model/resources.ts";
import type { InvestmentEffect } from "./change.ts";

/**
 * The investment as the effect leaves it. Pure and total: what names nothing in the investment changes nothing.
 *
 * `modify_date` follows every effect, and `paid_amount` the payments, unless the effect itself sets them.
 */
export function applyEffect(investment: Investment, effect: InvestmentEffect, date: Instant): Investment {
  const modified = { ...investment, modify_date: date };
  switch (effect.kind) {
    case "investment":
      return { ...modified, ...effect.attributes };
    case "investor":
      return { ...modified, investors: amend(investment.investors, effect.id, effect.attributes) };
    case "signing_party":
      return { ...modified, signing_parties: amend(investment.signing_parties, effect.id, effect.attributes) };
    case "payment":
      return withPayments(modified, amend(investment.payments, effect.id, { modify_date: date, ...effect.attributes }));
    case "new_payment":
      return withPayments(modified, [...investment.payments, effect.payment]);
    case "event":
      return { ...modified, events: [...investment.events, effect.event] };
  }
}

function amend<R extends { readonly id: string }>(
  resources: readonly R[],
  id: string,
  attributes: Partial<Omit<NoInfer<R>, "id">>,
): R[] {
  return resources.map((resource) => (resource.id === id ? { ...resource, ...attributes } : resource));
}

function withPayments(investment: Investment, payments: readonly Payment[]): Investment {
  const paid = payments.filter((payment) => payment.status === "succeeded");
  return { ...investment, payments, paid_amount: sum(paid.map((payment) => payment.amount)) };
}
