import { isPayment } from "../fixture/complete/events.ts";
import { completeInvestment, unstarted } from "../fixture/complete/investment.ts";
import { Place } from "../fixture/complete/place.ts";
import { hasSubscribed } from "../fixture/complete/progress.ts";
import { stated, statedDates } from "../fixture/complete/stated.ts";
import type { InvestmentState } from "../fixture/mistakes/contradictions.ts";
import type { CompletedInvestment, SparseInvestment, SparseSigningParty } from "../fixture/schema.ts";
import { type Instant, never } from "../model/instant.ts";
import { cost, sum } from "../model/money.ts";
import type { EffectName, ScenarioEffect } from "./effects.ts";
import type { Scenario, Step } from "./scenario.ts";

/** The state of an investment at a step, as far as its scenario states it. Undefined: only an environment knows. */
export interface Progress extends InvestmentState {
  readonly signed?: "nobody" | "somebody" | "everybody" | undefined;
  /** The payments of a new investment. */
  readonly payments?: readonly KnownPayment[] | undefined;
  /**
   * The new investment before the first step, completed as in some environment: others differ in every value that is not
   * stated.
   */
  readonly example?: CompletedInvestment | undefined;
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
export function progressOf({ investment, steps }: Scenario): Progress[] {
  const signatures = new Signatures(investment);
  let progress = typeof investment === "string" ? {} : beginning(investment, signatures);
  return [progress, ...steps.map((step, index) => (progress = after(step, index, progress, signatures)))];
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

function beginning(investment: SparseInvestment, signatures: Signatures): Progress {
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
    product: ifSame(cost(example.price, example.quantity), cost(other.price, other.quantity)),
    ...factsOf(payments),
    paid: ifSame(example.paid_amount, other.paid_amount),
    approved: example.events.some((event) => isPayment(event, "APPROVED")),
    ...signatures.facts,
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

function after({ effects }: Step, index: number, before: Progress, signatures: Signatures): Progress {
  const progress = { ...before };
  for (const effect of effects) Object.assign(progress, changeOf(effect, progress, index, signatures));
  return progress;
}

function changeOf<Name extends EffectName>(
  effect: ScenarioEffect<Name>,
  before: Progress,
  index: number,
  signatures: Signatures,
): Partial<Progress> {
  return stateChanges[effect.kind](effect, before, index, signatures);
}

type ProgressOfKind<Name extends EffectName> = (
  effect: ScenarioEffect<Name>,
  before: Progress,
  index: number,
  signatures: Signatures,
) => Partial<Progress>;

const unchanged = (): Partial<Progress> => ({});

/** The change of state by each kind of effect, as far as the warnings and the table of states need it. */
const stateChanges: { readonly [Name in EffectName]: ProgressOfKind<Name> } = {
  investment({ attributes: { status, step, amount, paid_amount: paid, price, quantity } }) {
    const isPriced = price !== undefined || quantity !== undefined;
    const product = price === undefined || quantity === undefined ? undefined : cost(price, quantity);
    return { ...stated({ status, step, amount, paid }), ...(isPriced && { product }) };
  },
  offering: ({ attributes }, { offering }) => ({ offering: attributes.status ?? offering }),
  payment(effect, { payments }, index) {
    if (!payments) return { paid: undefined };
    const facts = factsOf(withPayment(payments, effect, dateOfStep(index)));
    return { ...facts, paid: facts.succeeded };
  },
  sign({ who }, _before, _index, signatures) {
    signatures.add(who);
    return signatures.facts;
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

interface Party {
  readonly email?: string | undefined;
  /** Undefined: drawn. */
  readonly signed?: boolean | undefined;
}

/** The signatures of an investment. Those of a new one are stated. */
class Signatures {
  readonly #isNew: boolean;
  /** The parties known for certain. */
  readonly #parties: readonly Party[];
  /** Whether there may be others, such as a countersigner. */
  readonly #hasOthers: boolean;
  /** Whether somebody certainly has yet to sign in the beginning. */
  readonly #waits: boolean;
  /** E-mail addresses, and places from 1. */
  readonly #signers = new Set<string | number>();
  #all: boolean;

  constructor(investment: Scenario["investment"]) {
    this.#isNew = typeof investment !== "string";
    const written = typeof investment === "string" ? {} : investment;
    const { status: of, step, investors = [], signing_parties: parties } = written;
    const isClosed = of === "CLOSED";
    const hasBegun = hasSubscribed(written, false);
    const unstated = isClosed || (hasBegun ? undefined : false);
    const signers = investors.filter(({ is_signer, is_primary }) => is_signer ?? is_primary ?? investors.length === 1);
    this.#parties = (parties ?? signers.map(({ email }): SparseSigningParty => ({ email }))).map(
      ({ email, status, signed = status === undefined ? unstated : status === "signed" }) => ({ email, signed }),
    );
    this.#hasOthers = !parties;
    const isPlain = investors.every(({ is_signer, is_primary }) => (is_signer ?? is_primary) === undefined);
    this.#waits = step === "SIGNERS" || (!hasBegun && isPlain && written.investors?.length !== 0);
    this.#all = isClosed && !parties;
  }

  add(who: ScenarioEffect<"sign">["who"]): void {
    if (who === "all") this.#all = true;
    else for (const one of who) this.#signers.add(one);
  }

  get facts(): Pick<Progress, "signed" | "unsigned"> {
    if (this.#all) return { signed: "everybody", unsigned: false };
    if (!this.#isNew) return {};
    // Of several parties with the same e-mail address, the first signs. A party without an address may get an investor's.
    const left = new Set(this.#signers);
    let isBlank = false;
    const signatures = this.#parties.map(({ signed, email }, index) => {
      const isNamed = left.delete(index + 1);
      isBlank ||= email === undefined;
      const signs = email === undefined ? left.size > 0 : left.delete(email);
      return isNamed || signed || (signs ? (isBlank ? undefined : true) : signed);
    });
    if (!this.#hasOthers && signatures.every(Boolean)) return { signed: "everybody", unsigned: false };
    const isBegun = this.#signers.size > 0 || signatures.includes(true);
    const isMissing = signatures.includes(false) || (this.#waits && !isBegun);
    return { signed: isBegun ? "somebody" : "nobody", unsigned: isMissing || undefined };
  }
}
