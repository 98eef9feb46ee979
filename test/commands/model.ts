import type { FaultRule } from "../../src/control.ts";
import type { KeyType } from "../../src/model/vocabulary.ts";
import type { Run } from "./runs.ts";

/*
 * An environment as somebody imagines who has read the documentation only: dated facts, and a clock. Nothing is cached or
 * moved along; whatever is asked for is added up from the facts.
 */

export interface Investment {
  readonly offering_id: string;
  readonly create_date: string;
  /** Null until it has been seen, and then the same for ever. */
  number: number | null;
  readonly tax_ids: readonly (string | null)[];
  readonly modify_date: string;
  readonly status: string;
  readonly step: string | null;
  /** By alias, or by position. */
  readonly payments: Readonly<Record<string, Payment>>;
  readonly events: number;
  /** By e-mail address. */
  readonly signed: Readonly<Record<string, boolean>>;
}

interface Payment {
  readonly amount: number;
  readonly status: string;
}

export interface Key {
  readonly id: string;
  readonly secret: string;
  readonly type: KeyType;
  readonly offering_id: string;
  readonly label: string | null;
  readonly granted: boolean;
  revoke_date: string | null;
}

interface Fault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly until: string | null;
}

export type Fact = { readonly date: string; readonly run: string | null } & (
  | { readonly kind: "offering"; readonly id: string; readonly name: string }
  | { readonly kind: "new_investment"; readonly id: string; readonly investment: Investment }
  | { readonly kind: "investment"; readonly id: string; readonly set: Partial<Pick<Investment, "status" | "step">> }
  | { readonly kind: "event"; readonly id: string }
  | { readonly kind: "signing_party"; readonly id: string; readonly email: string }
  | {
      readonly kind: "new_payment" | "payment";
      readonly id: string;
      readonly payment: string;
      readonly set: Partial<Payment>;
    }
  | { readonly kind: "new_key"; readonly id: string; readonly key: Key }
  | { readonly kind: "key"; readonly id: string }
  | { readonly kind: "new_fault"; readonly id: string; readonly fault: Fault }
);

/** What a snapshot and a database keep. */
interface Content {
  now: string;
  facts: Fact[];
  readonly runs: Run[];
  readonly assumptions: Record<string, string | number>;
  readonly uses: Record<string, number>;
}

/** What a reset returns to. */
export interface Opening {
  readonly now: string;
  readonly keys: readonly Key[];
  readonly investments: Readonly<Record<string, Investment>>;
  readonly offerings: Readonly<Record<string, string>>;
  readonly assumptions: Readonly<Record<string, string | number>>;
  readonly rate_limit: number;
  /** Seconds without use after which it is dropped. */
  readonly ttl_seconds: number;
  readonly at_limit: readonly string[];
}

/** Whole milliseconds of real time, which passes on command only: sums of fractions depend on where they begin. */
export const realTime = { passed: 0 };

/** Requests of a key: those that count, and the limit time at which their window ends, if one has begun. */
interface Window {
  used: number;
  end?: number;
}

export interface Environment {
  readonly id: string;
  readonly opening: Opening;
  content: Content;
  limits: Record<string, Window>;
  /** Milliseconds by which the clock was advanced, which ends windows sooner. */
  advanced: number;
  journal: number;
  /** In milliseconds of real time. */
  lastUsed: number;
}

export function opened(id: string, opening: Opening): Environment {
  const { now, assumptions } = opening;
  const content = { now, facts: [], runs: [], assumptions: { ...assumptions }, uses: {} };
  return { id, opening, content, ...unused(opening), lastUsed: realTime.passed };
}

/** Limits and journal of an environment that has just begun. */
export function unused({ at_limit, rate_limit }: Opening): Pick<Environment, "limits" | "advanced" | "journal"> {
  return { limits: Object.fromEntries(at_limit.map((id) => [id, { used: rate_limit }])), advanced: 0, journal: 0 };
}

/** Milliseconds by which the windows of the limits go. */
export function limitTime({ advanced }: Environment): number {
  return realTime.passed + advanced;
}

export function later(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString();
}

/** Facts are in the order of their dates; of one date, in the order in which they were recorded. */
export function record({ content }: Environment, ...facts: readonly Fact[]): void {
  content.facts = [...content.facts, ...facts].toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date));
}

/** Takes away the future facts of a run, and those that nothing exists for without them. */
export function forget({ opening, content }: Environment, run: string): void {
  const things = new Set([...Object.keys(opening.investments), ...opening.keys.map(({ id }) => id)]);
  content.facts = content.facts.filter((fact) => {
    if (fact.date > content.now && fact.run === run) return false;
    const isNew = fact.kind === "new_investment" || fact.kind === "new_key" || fact.kind === "new_fault";
    if (isNew) things.add(fact.id);
    return isNew || fact.kind === "offering" || things.has(fact.id);
  });
}

export interface State {
  readonly offerings: Record<string, string>;
  readonly investments: Record<string, Investment>;
  readonly keys: readonly Key[];
  readonly faults: readonly Fault[];
}

/** The state at an instant: all facts up to then, added up. */
export function stateAt({ opening, content }: Environment, instant = content.now): State {
  const offerings = { ...opening.offerings };
  const investments = { ...opening.investments };
  const keys = opening.keys.map((key) => ({ ...key }));
  const faults: Fault[] = [];
  for (const fact of content.facts) {
    if (fact.date > instant) break;
    if (fact.kind === "offering") offerings[fact.id] = fact.name;
    else if (fact.kind === "new_key") keys.push({ ...fact.key });
    else if (fact.kind === "new_fault") faults.push(fact.fault);
    else if (fact.kind === "new_investment") investments[fact.id] = fact.investment;
    else if (fact.kind === "key") {
      const key = keys.find(({ id }) => id === fact.id);
      if (key && !isRevoked(key, fact.date)) key.revoke_date = fact.date;
    } else {
      const investment = investments[fact.id];
      if (investment) investments[fact.id] = { ...amended(investment, fact), modify_date: fact.date };
    }
  }
  return { offerings, investments, keys, faults };
}

type OfInvestment = Extract<Fact, { kind: "investment" | "event" | "signing_party" | "new_payment" | "payment" }>;

const unpaid: Payment = { amount: 0, status: "pending" };

function amended(investment: Investment, fact: OfInvestment): Investment {
  const { events, signed, payments } = investment;
  if (fact.kind === "investment") return { ...investment, ...fact.set };
  if (fact.kind === "event") return { ...investment, events: events + 1 };
  if (fact.kind === "signing_party") return { ...investment, signed: { ...signed, [fact.email]: true } };
  const payment = { ...unpaid, ...payments[fact.payment], ...fact.set };
  return { ...investment, payments: { ...payments, [fact.payment]: payment } };
}

export function paid({ payments }: Investment): number {
  const cents = Object.values(payments).map(({ amount, status }) => (status === "succeeded" ? amount * 100 : 0));
  return Math.round(cents.reduce((sum, one) => sum + one, 0)) / 100;
}

export function isRevoked({ revoke_date }: Key, now: string): boolean {
  return revoke_date !== null && revoke_date <= now;
}
