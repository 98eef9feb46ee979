import { isPayment, type PaymentAction } from "../fixture/complete/events.ts";
import { paidBy } from "../fixture/complete/payments.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import { cost } from "../model/money.ts";
import type { ScenarioEffect } from "./effects.ts";
import type { Scenario, Step } from "./scenario.ts";

/** The state of an investment at a step, as far as its scenario states it. Undefined: only an environment knows. */
export interface Progress {
  readonly status?: string | undefined;
  readonly step?: string | null | undefined;
  readonly amount?: number | undefined;
  readonly paid?: number | undefined;
  readonly signed?: "nobody" | "somebody" | "everybody" | undefined;
  readonly payments: readonly KnownPayment[];
  /** The number of submitted payments, by the events. */
  readonly submitted: number;
  /** The number of approved payments, by the events. */
  readonly approved: number;
  /** The status of the offering. */
  readonly offering?: string | undefined;
}

interface KnownPayment {
  readonly alias: string | null;
  readonly amount: number;
  readonly status: "succeeded" | "pending" | "failed";
}

/** The state of the investment before the first step, and after each. */
export function progressOf({ investment, steps }: Scenario): Progress[] {
  const signatures = new Signatures(investment);
  let progress = typeof investment === "string" ? nothingKnown : beginning(investment, signatures);
  return [progress, ...steps.map((step) => (progress = after(step, progress, signatures)))];
}

/** An existing investment. */
const nothingKnown: Progress = { payments: [], submitted: 0, approved: 0 };

function beginning(investment: SparseInvestment, { signed }: Signatures): Progress {
  const { status = "PENDING", step = null, events = [], paid_amount, price, quantity } = investment;
  const product = price === undefined || quantity === undefined ? undefined : cost(price, quantity);
  const payments = (investment.payments ?? []).map((payment) => ({
    alias: null,
    amount: payment.amount ?? 0,
    status: payment.status ?? "succeeded",
  }));
  const count = (action: PaymentAction): number => events.filter((event) => isPayment(event, action)).length;
  return {
    ...nothingKnown,
    status,
    step,
    amount: investment.amount ?? product,
    paid: paid_amount ?? paidBy(payments),
    signed,
    payments,
    submitted: count("SUBMITTED"),
    approved: count("APPROVED"),
  };
}

function after({ effects }: Step, before: Progress, signatures: Signatures): Progress {
  const progress = { ...before };
  for (const effect of effects) Object.assign(progress, change(effect, progress, signatures));
  return progress;
}

/** Only the kinds of effects that the warnings and the table of states look at. */
function change(effect: ScenarioEffect, progress: Progress, signatures: Signatures): Partial<Progress> {
  switch (effect.kind) {
    case "investment": {
      const { status = progress.status, step = progress.step, amount, paid_amount } = effect.attributes;
      return { status, step, amount: amount ?? progress.amount, paid: paid_amount ?? progress.paid };
    }
    case "offering":
      return { offering: effect.attributes.status ?? progress.offering };
    case "payment": {
      const payments = withPayment(progress.payments, effect);
      return { payments, paid: progress.paid === undefined ? undefined : paidBy(payments) };
    }
    case "sign":
      signatures.add(effect.who);
      return { signed: signatures.signed };
    case "event":
      return {
        submitted: progress.submitted + Number(isPayment(effect, "SUBMITTED")),
        approved: progress.approved + Number(isPayment(effect, "APPROVED")),
      };
    default:
      return {};
  }
}

function withPayment(
  payments: readonly KnownPayment[],
  { alias, attributes: { amount, status } }: ScenarioEffect<"payment">,
): KnownPayment[] {
  const known = payments.findIndex((payment) => alias !== null && payment.alias === alias);
  if (known < 0) return [...payments, { alias, amount: amount ?? 0, status: status ?? "pending" }];
  return payments.map((payment, index) =>
    index === known ? { alias, amount: amount ?? payment.amount, status: status ?? payment.status } : payment,
  );
}

interface Party {
  readonly email?: string | undefined;
  readonly signed?: boolean | undefined;
}

/** The signatures of an investment. A new one has those that it states. */
class Signatures {
  readonly #isNew: boolean;
  readonly #parties: readonly Party[];
  readonly #emails: Set<string | undefined>;
  #all: boolean;

  constructor(investment: Scenario["investment"]) {
    this.#isNew = typeof investment !== "string";
    const { status, investors = [], signing_parties } = typeof investment === "string" ? {} : investment;
    const signers = investors.filter(({ is_signer }) => is_signer !== false).map(({ email }) => ({ email }));
    this.#parties = signing_parties ?? signers;
    this.#emails = new Set(this.#parties.filter(({ signed }) => signed).map(({ email }) => email));
    this.#all = status === "CLOSED" && !signing_parties;
  }

  add(who: "all" | readonly string[]): void {
    if (who === "all") this.#all = true;
    else for (const email of who) this.#emails.add(email);
  }

  get signed(): Progress["signed"] {
    if (this.#all) return "everybody";
    if (!this.#isNew) return undefined;
    const hasSigned = ({ signed, email }: Party): boolean =>
      signed === true || (email !== undefined && this.#emails.has(email));
    if (this.#parties.length > 0 && this.#parties.every(hasSigned)) return "everybody";
    return this.#emails.size > 0 ? "somebody" : "nobody";
  }
}
