import { paidBy } from "../fixture/complete/payments.ts";
import type { DatedEffect, InvestmentEffect } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import { fromCents, toCents } from "../model/money.ts";
import type { Investment, Payment } from "../model/resources.ts";

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
  payment: (investment, { id, attributes, date }) => {
    const at = investment.payments.findIndex((payment) => payment.id === id);
    const before = investment.payments[at];
    if (!before) return investment;
    const modify_date = modifiedAt({ ...before, ...attributes }, date);
    const after = { ...before, modify_date, ...attributes };
    return withPayments(investment, investment.payments.with(at, after), after, before);
  },
  new_payment: (investment, { payment }) => withPayments(investment, [...investment.payments, payment], payment),
  event: (investment, { event }) => ({ ...investment, events: [...investment.events, event] }),
};

function amendedPart<R extends { readonly id: string }>(
  parts: readonly R[],
  id: string,
  attributes: Partial<Omit<NoInfer<R>, "id">>,
): R[] {
  return parts.map((part) => (part.id === id ? { ...part, ...attributes } : part));
}

/** The sums of lists of payments, in cents: a thousand payments are not added again for each change of one. */
const paidCents = new WeakMap<readonly Payment[], number>();

function withPayments(investment: Investment, payments: Payment[], after: Payment, before?: Payment): Investment {
  const paidBefore = paidCents.get(investment.payments) ?? toCents(paidBy(investment.payments));
  const cents = paidBefore + toCents(paidBy([after])) - (before ? toCents(paidBy([before])) : 0);
  paidCents.set(payments, cents);
  return { ...investment, payments, paid_amount: fromCents(cents) };
}
