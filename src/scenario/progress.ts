import { isPayment } from "../fixture/complete/events.ts";
import { completeInvestment, unstarted } from "../fixture/complete/investment.ts";
import { Place } from "../fixture/complete/place.ts";
import { stated, statedDates } from "../fixture/complete/stated.ts";
import type { InvestmentState } from "../fixture/mistakes/contradictions.ts";
import type { CompletedInvestment } from "../fixture/schema.ts";
import { type Instant, never } from "../model/instant.ts";
import { cost, sum } from "../model/money.ts";
import type { EffectName, ScenarioEffect } from "./effects.ts";
import type { Scenario, Step } from "./scenario.ts";
import { isIn, type Signers } from "./signers.ts";
import { newInvestmentOf, type ScenarioParty } from "./signing-parties.ts";

/** The state of an investment at a step, as far as its scenario states it. Undefined: only an environment knows. */
export interface Progress extends InvestmentState {
  readonly signed?: "nobody" | "somebody" | "everybody" | undefined;
  /** The signing parties of a new investment. */
  readonly parties?: readonly KnownParty[] | undefined;
  /** The payments of a new investment. */
  readonly payments?: readonly KnownPayment[] | undefined;
  /**
   * The new investment before the first step, completed as in some environment: others differ in every value that is not
   * stated.
   */
  readonly example?: CompletedInvestment | undefined;
  readonly price?: number | undefined;
  readonly quantity?: number | undefined;
  /** The status of the offering. */
  readonly offering?: string | undefined;
}

interface KnownPayment {
  readonly alias: string | null;
  /** Undefined: drawn. */
  readonly amount: number | undefined;
  readonly status: "succeeded" | "pending" | "failed";
  readonly create_date: Instant;
}

/** The state of the investment before the first step, and after each. */
export function progressOf(scenario: Scenario): Progress[] {
  const { investment, steps } = scenario;
  let progress = typeof investment === "string" ? {} : beginning(newInvestmentOf(scenario));
  return [progress, ...steps.map((step, index) => (progress = after(step, index, progress)))];
}

/** Stands for the unknown date of a step: later than every instant, and than the steps before. */
export function dateOfStep(index: number): Instant {
  return never + String(index).padStart(5, "0");
}

/** Two opposite environments for completing a new investment: with the least money due, and with the most. */
const [poor, rich] = [
  { place: Place.root(49), price: 0.01 },
  { place: Place.root(184), price: 1_000_000 },
] as const;

function beginning(investment: ReturnType<typeof newInvestmentOf>): Progress {
  const written = { ...unstarted, ...stated(investment) };
  const earliest = Math.min(Date.parse("2026-01-15T12:00:00.000Z"), ...statedDates(written));
  const created = written.create_date === undefined ? earliest : Date.parse(written.create_date);
  const setting = { createDate: created, investmentNumber: 0, now: created, closing: 0 };
  const example = completeInvestment(written, { ...setting, ...poor });
  const other = completeInvestment(written, { ...setting, ...rich });
  const payments = example.payments.map((payment, index) => ({
    ...payment,
    alias: null,
    amount: ifSame(payment.amount, other.payments[index]?.amount),
  }));
  return {
    example,
    status: example.status,
    step: example.step,
    amount: ifSame(example.amount, other.amount),
    price: ifSame(example.price, other.price),
    quantity: ifSame(example.quantity, other.quantity),
    product: ifSame(cost(example.price, example.quantity), cost(other.price, other.quantity)),
    ...factsOf(payments),
    paid: ifSame(example.paid_amount, other.paid_amount),
    approved: example.events.some((event) => isPayment(event, "APPROVED")),
    ...signaturesOf(investment.signing_parties),
  };
}

/** Returns the value if two environments agree about it; undefined if only an environment knows. */
function ifSame<T>(one: T, other: T): T | undefined {
  return one === other ? one : undefined;
}

/** The facts about payments. */
function factsOf(payments: readonly KnownPayment[]) {
  const amounts = payments.map(({ status, amount }) => (status === "succeeded" ? amount : 0));
  const known = amounts.filter((amount) => amount !== undefined);
  return {
    payments,
    succeeded: known.length < amounts.length ? undefined : sum(known),
    pending: payments.some(({ status }) => status === "pending"),
  };
}

function after({ effects }: Step, index: number, before: Progress): Progress {
  const progress = { ...before };
  for (const effect of effects) Object.assign(progress, changeOf(effect, progress, index));
  return progress;
}

function changeOf<Name extends EffectName>(
  effect: ScenarioEffect<Name>,
  before: Progress,
  index: number,
): Partial<Progress> {
  return stateChanges[effect.kind](effect, before, index);
}

type ProgressOfKind<Name extends EffectName> = (
  effect: ScenarioEffect<Name>,
  before: Progress,
  index: number,
) => Partial<Progress>;

const unchanged = (): Partial<Progress> => ({});

/** The change of state by each kind of effect, as far as the warnings and the table of states need it. */
const stateChanges: { readonly [Name in EffectName]: ProgressOfKind<Name> } = {
  investment({ attributes: { status, step, amount, paid_amount: paid, ...set } }, before) {
    const { price = before.price, quantity = before.quantity } = set;
    const isPriced = set.price !== undefined || set.quantity !== undefined;
    const product = price === undefined || quantity === undefined ? undefined : cost(price, quantity);
    return { ...stated({ status, step, amount, paid }), ...(isPriced && { price, quantity, product }) };
  },
  offering: ({ attributes }, { offering }) => ({ offering: attributes.status ?? offering }),
  payment(effect, { payments }, index) {
    if (!payments) return { paid: undefined };
    const facts = factsOf(withPayment(payments, effect, dateOfStep(index)));
    return { ...facts, paid: facts.succeeded };
  },
  sign({ who }, { parties }) {
    if (parties) return signaturesOf(signedBy(who, parties));
    return who === "all" ? { signed: "everybody", unsigned: false } : {};
  },
  event: (effect, { approved }) => ({
    approved: approved === undefined ? undefined : approved || isPayment(effect, "APPROVED"),
  }),
  investor: unchanged,
  key: unchanged,
  fault: unchanged,
};

function withPayment(
  payments: readonly KnownPayment[],
  { alias, number, attributes: { amount, status } }: ScenarioEffect<"payment">,
  create_date: Instant,
): KnownPayment[] {
  const ofAlias = payments.findIndex((payment) => alias !== null && payment.alias === alias);
  const known = number === undefined ? ofAlias : Math.min(number - 1, payments.length);
  if (known < 0) return [...payments, { alias, amount, status: status ?? "pending", create_date }];
  return payments.map((payment, index) =>
    index === known ? { ...payment, amount: amount ?? payment.amount, status: status ?? payment.status } : payment,
  );
}

/** A signing party of a new investment. */
type KnownParty = Pick<ScenarioParty, "email" | "signed" | "countersigner">;

/** The facts about signatures. */
function signaturesOf(parties: readonly KnownParty[]): Pick<Progress, "parties" | "signed" | "unsigned"> {
  const count = parties.filter(({ signed }) => signed).length;
  const isMissing = count < parties.length;
  return { parties, signed: isMissing ? (count > 0 ? "somebody" : "nobody") : "everybody", unsigned: isMissing };
}

function signedBy(who: Signers, parties: readonly KnownParty[]): KnownParty[] {
  // Of several parties with the same e-mail address, the first signs.
  const signs = (party: KnownParty, index: number): boolean =>
    typeof who === "string"
      ? isIn(who, party)
      : who.some(
          (one) => (typeof one === "number" ? one - 1 : parties.findIndex(({ email }) => email === one)) === index,
        );
  return parties.map((party, index) => (signs(party, index) ? { ...party, signed: true } : party));
}
