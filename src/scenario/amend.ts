import { paidBy } from "../fixture/complete/payments.ts";
import type { Instant } from "../time/instant.ts";
import type { Investment, Payment, DatedEffect, InvestmentEffect } from "../model/resources.ts";

type AmendingKind = InvestmentEffect["kind"];

/** Applies an effect to an investment. `modify_date` becomes the date of the effect, unless the effect sets it. */
export function amended<Kind extends AmendingKind>(investment: Investment, effect: DatedEffect<Kind>): Investment {
  const modify_date = modifiedAt(investment, effect.date);
  return amendments[effect.kind]({ ...investment, modify_date }, effect);
}

/** Returns the `modify_date` after a change at this date: the resource may be created later. */
export function modifiedAt({ create_date }: { readonly create_date: Instant }, date: Instant): Instant {
  return date < create_date ? create_date : date;
}

const amendments: {
  readonly [Kind in AmendingKind]: (investment: Investment, effect: DatedEffect<Kind>) => Investment;
} = {
  investment: (investment, { attributes }) => ({ ...investment, ...attributes }),
  investor: (investment, { id, attributes }) => ({
    ...investment,
    investors: amendedPart(investment.investors, id, attributes),
  }),
  signing_party: (investment, { id, attributes }) => ({
    ...investment,
    signing_parties: amendedPart(investment.signing_parties, id, attributes),
  }),
  payment: (investment, { id, attributes, date }) =>
    withPayments(
      investment,
      investment.payments.map((payment) =>
        payment.id === id
          ? { ...payment, modify_date: modifiedAt({ ...payment, ...attributes }, date), ...attributes }
          : payment,
      ),
    ),
  new_payment: (investment, { payment }) => withPayments(investment, [...investment.payments, payment]),
  event: (investment, { event }) => ({ ...investment, events: [...investment.events, event] }),
};

function amendedPart<R extends { readonly id: string }>(
  parts: readonly R[],
  id: string,
  attributes: Partial<Omit<NoInfer<R>, "id">>,
): R[] {
  return parts.map((part) => (part.id === id ? { ...part, ...attributes } : part));
}

function withPayments(investment: Investment, payments: readonly Payment[]): Investment {
  return { ...investment, payments, paid_amount: paidBy(payments) };
}
