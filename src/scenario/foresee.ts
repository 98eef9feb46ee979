import type { SparseInvestment } from "../fixture/schema.ts";
import { cost, sum } from "../model/money.ts";
import type { PaymentEffect, Scenario, ScenarioEffect, Step } from "./scenario.ts";

/** How far signing has come. */
type Signed = "nobody" | "somebody" | "everybody";

/** Who has signed, as far as a scenario says. */
interface Signatures {
  /** Undefined: not known. */
  readonly signed: Signed | undefined;
  add(who: "all" | readonly string[]): void;
}

/** The signatures of an investment before the first step: of a new one nobody's, unless it is written. */
function signaturesOf(investment: Scenario["investment"]): Signatures {
  const isNew = typeof investment !== "string";
  const parties = isNew ? (investment.signing_parties ?? investorsWhoSign(investment)) : [];
  const signed = new Set(parties.filter((party) => hasSigned(party)).map(({ email }) => email));
  let all = isNew && investment.status === "CLOSED" && !investment.signing_parties;
  return {
    get signed() {
      if (all) return "everybody";
      if (!isNew) return undefined;
      if (parties.length > 0 && parties.every((party) => hasSigned(party) || isIn(signed, party.email)))
        return "everybody";
      return signed.size > 0 ? "somebody" : "nobody";
    },
    add(who) {
      if (who === "all") all = true;
      else for (const email of who) signed.add(email);
    },
  };
}

interface Party {
  readonly email?: string | undefined;
  readonly signed?: boolean | undefined;
}

function investorsWhoSign({ investors = [] }: Exclude<Scenario["investment"], string>): Party[] {
  return investors.filter((investor) => investor.is_signer !== false).map(({ email }) => ({ email }));
}

function hasSigned({ signed }: Party): boolean {
  return signed === true;
}

function isIn(signed: ReadonlySet<string | undefined>, email: string | undefined): boolean {
  return email !== undefined && signed.has(email);
}

/** A payment, as far as a scenario says. */
interface KnownPayment {
  readonly alias: string | null;
  readonly amount: number;
  readonly status: string;
}

/** How an investment stands at a step, as far as its scenario says. What only an environment can know is undefined. */
export interface Standing {
  readonly status: string | undefined;
  readonly step: string | null | undefined;
  readonly amount: number | undefined;
  readonly paid: number | undefined;
  readonly signed: Signed | undefined;
  readonly payments: readonly KnownPayment[];
  /** How many payments were submitted and approved, by the events. */
  readonly submitted: number;
  readonly approved: number;
  /** The status of the offering. */
  readonly offering: string | undefined;
}

/** How the investment stands before the first step, and after each. */
export function standings({ investment, steps }: Scenario): Standing[] {
  const signatures = signaturesOf(investment);
  let standing = beginning(investment, signatures);
  return [standing, ...steps.map((step) => (standing = after(step, standing, signatures)))];
}

function beginning(investment: Scenario["investment"], signatures: Signatures): Standing {
  const nothing = { payments: [], submitted: 0, approved: 0, offering: undefined };
  if (typeof investment === "string") {
    return { ...nothing, status: undefined, step: undefined, amount: undefined, paid: undefined, signed: undefined };
  }
  const { status = "PENDING", step = null, events = [] } = investment;
  const payments = (investment.payments ?? []).map((payment) => ({
    alias: null,
    amount: payment.amount ?? 0,
    status: payment.status ?? "succeeded",
  }));
  const count = (action: string): number =>
    events.filter((one) => one.event === "PAYMENT" && one.action === action).length;
  return {
    ...nothing,
    status,
    step,
    amount: writtenAmount(investment),
    paid: investment.paid_amount ?? paidBy(payments),
    signed: signatures.signed,
    payments,
    submitted: count("SUBMITTED"),
    approved: count("APPROVED"),
  };
}

function after({ effects }: Step, before: Standing, signatures: Signatures): Standing {
  const standing = { ...before };
  for (const effect of effects) Object.assign(standing, change(effect, standing, signatures));
  return standing;
}

function change(effect: ScenarioEffect, standing: Standing, signatures: Signatures): Partial<Standing> {
  switch (effect.kind) {
    case "investment": {
      const { status = standing.status, step = standing.step, amount, paid_amount } = effect.attributes;
      return { status, step, amount: amount ?? standing.amount, paid: paid_amount ?? standing.paid };
    }
    case "offering":
      return { offering: effect.attributes.status ?? standing.offering };
    case "payment": {
      const payments = withPayment(standing.payments, effect);
      return { payments, paid: standing.paid === undefined ? undefined : paidBy(payments) };
    }
    case "sign":
      signatures.add(effect.who);
      return { signed: signatures.signed };
    case "event": {
      const isPayment = effect.event === "PAYMENT";
      return {
        submitted: standing.submitted + Number(isPayment && effect.action === "SUBMITTED"),
        approved: standing.approved + Number(isPayment && effect.action === "APPROVED"),
      };
    }
    case "investor":
    case "key":
    case "fault":
      return {};
  }
}

function withPayment(payments: readonly KnownPayment[], { alias, attributes }: PaymentEffect): KnownPayment[] {
  const { amount, status } = attributes;
  const known = payments.findIndex((payment) => alias !== null && payment.alias === alias);
  if (known < 0) return [...payments, { alias, amount: amount ?? 0, status: status ?? "pending" }];
  return payments.map((payment, index) =>
    index === known ? { alias, amount: amount ?? payment.amount, status: status ?? payment.status } : payment,
  );
}

function paidBy(payments: readonly KnownPayment[]): number {
  return sum(payments.filter(({ status }) => status === "succeeded").map(({ amount }) => amount));
}

/** The amount as far as what is written settles it. */
function writtenAmount({ amount, price, quantity }: SparseInvestment): number | undefined {
  if (amount !== undefined) return amount;
  return price === undefined || quantity === undefined ? undefined : cost(price, quantity);
}
