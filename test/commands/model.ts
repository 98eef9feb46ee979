import { readFileSync } from "node:fs";
import { assume } from "../../src/assumptions/assume.ts";
import type { FaultRule, KeyDescription } from "../../src/control.ts";
import { known, knownFixture } from "../support/sandbox.ts";
import type { Run } from "./runs.ts";

/*
 * An environment as somebody imagines who has read the documentation only: dated facts, and a clock. Nothing is cached;
 * whatever is asked for is added up from the facts.
 */

/** In the form of a fixture file. */
export interface Investment {
  readonly offering_id: string;
  readonly create_date: string;
  readonly modify_date: string;
  /** Null until it has been seen, and then the same for ever. */
  investment_number: number | null;
  readonly status: string;
  readonly step: string | null;
  readonly investors: readonly { readonly tax_id: string | null }[];
  readonly signing_parties: readonly { readonly email: string; readonly signed: boolean }[];
  readonly payments: readonly Payment[];
  readonly events: readonly unknown[];
}

interface Payment {
  readonly name?: string;
  readonly amount: number;
  readonly status: string;
}

export type Key = Pick<KeyDescription, "id" | "key" | "type" | "offering_id" | "label" | "revoke_date">;

interface Fault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly until: string | null;
}

/** A change of the thing with this id, or a new one. */
export type Change = { readonly id: string } & (
  | { readonly kind: "offering"; readonly name: string }
  | { readonly kind: "new_investment"; readonly thing: Investment }
  | { readonly kind: "new_key"; readonly thing: Key }
  | { readonly kind: "new_fault"; readonly thing: Fault }
  | { readonly kind: "investment"; readonly set: Partial<Investment> }
  | { readonly kind: "new_payment" | "payment"; readonly set: Partial<Payment> }
  | { readonly kind: "signing_party"; readonly email: string }
  | { readonly kind: "event" | "key" }
);

export type Fact = Change & { readonly date: string; readonly run: string | null };

/** What there is at an instant, by id. */
export interface State {
  readonly offerings: Record<string, string>;
  readonly investments: Record<string, Investment>;
  readonly keys: Record<string, Key>;
  readonly faults: Record<string, Fault>;
}

/** What a reset returns to. */
export interface Opening {
  readonly now: string;
  readonly state: State;
  readonly assumptions: Readonly<Record<string, string | number>>;
  readonly rate_limit: number;
  /** Seconds without use after which it is dropped. */
  readonly ttl_seconds: number;
}

export interface Environment {
  readonly id: string;
  readonly opening: Opening;
  /** What a database keeps. */
  content: {
    now: string;
    facts: Fact[];
    readonly runs: Run[];
    readonly assumptions: Record<string, string | number>;
    /** Of the faults, by id. */
    readonly uses: Record<string, number>;
  };
  /** Requests of the keys, and the milliseconds until they no longer count; null before the first request. */
  limits: Record<string, { used: number; left: number | null }>;
  journal: number;
  /** Milliseconds since it was used. */
  idle: number;
}

export type Environments = Map<string, Environment>;

/** Thrown for a command that has to be refused. */
export class Refused extends Error {}

/** The start of the fixture's clock. */
export const start = "2026-01-15T12:00:00.000Z";

interface Written {
  readonly id: string;
  readonly name: string;
  readonly investments?: readonly (Investment & { readonly id: string })[];
}

const fixture = JSON.parse(readFileSync(knownFixture, "utf8")) as { readonly offerings: readonly Written[] };

/** The persons of each investment that is made here. */
export const persons = {
  investors: [{ email: "ada@example.com", tax_id: "666-12-3456" }],
  signing_parties: [{ email: "ada@example.com" }, { email: "bob@example.org" }],
};

export function newInvestment(offering_id: string, date: string): Investment {
  const { investors, signing_parties: parties } = persons;
  const signing_parties = parties.map(({ email }) => ({ email, signed: false }));
  const dates = { create_date: date, modify_date: date, investment_number: null };
  return { offering_id, ...dates, status: "PENDING", step: null, investors, signing_parties, payments: [], events: [] };
}

/** An environment of the known fixture, just opened; its keys are yet to be learned. */
export function openingOf({ assumptions, ...given }: Partial<Opening>): Opening {
  const written = fixture.offerings.flatMap(({ id: offering_id, investments = [] }) =>
    investments.map((one): [string, Investment] => [one.id, { ...one, offering_id }]),
  );
  const offerings = Object.fromEntries(fixture.offerings.map(({ id, name }) => [id, name]));
  return {
    now: start,
    state: { offerings, investments: Object.fromEntries(written), keys: {}, faults: {} },
    assumptions: { ...assume("conventional"), ...assumptions },
    rate_limit: 8,
    ttl_seconds: Infinity,
    ...given,
  };
}

export function opened(id: string, opening: Opening): Environment {
  const { now, assumptions } = opening;
  const content = { now, facts: [], runs: [], assumptions: { ...assumptions }, uses: {} };
  return { id, opening, content, ...unused(opening), idle: 0 };
}

/** Limits and journal of an environment that has just begun. */
export function unused({ state, rate_limit }: Opening): Pick<Environment, "limits" | "journal"> {
  const atLimit = Object.values(state.keys).filter(({ key }) => key === known.keys.atLimit);
  return { limits: Object.fromEntries(atLimit.map(({ id }) => [id, { used: rate_limit, left: null }])), journal: 0 };
}

/** Lets milliseconds pass for the limits. */
export function passLimits({ limits }: Environment, milliseconds: number): void {
  for (const [id, window] of Object.entries(limits))
    if (window.left !== null && (window.left -= milliseconds) <= 0) delete limits[id];
}

/** Facts are in the order of their dates; of one date, in the order in which they were recorded. */
export function record({ content }: Environment, ...facts: readonly Fact[]): void {
  content.facts = [...content.facts, ...facts].toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date));
}

/** Takes away the future facts of a run, and those that nothing exists for without them. */
export function forget({ opening, content }: Environment, run: string): void {
  const rest = content.facts.filter((fact) => fact.date <= content.now || fact.run !== run);
  const things = new Set(Object.values(opening.state).flatMap((some: object) => Object.keys(some)));
  for (const fact of rest) if ("thing" in fact) things.add(fact.id);
  content.facts = rest.filter(({ id }) => things.has(id));
}

/** The state at an instant: all facts up to then, added up. */
export function stateAt({ opening, content }: Environment, instant = content.now): State {
  const [offerings, investments] = [{ ...opening.state.offerings }, { ...opening.state.investments }];
  const [keys, faults] = [{ ...opening.state.keys }, { ...opening.state.faults }];
  for (const fact of content.facts) {
    const { id, date, kind } = fact;
    if (date > instant) break;
    if (kind === "offering") offerings[id] = fact.name;
    else if (kind === "new_key") keys[id] = fact.thing;
    else if (kind === "new_fault") faults[id] = fact.thing;
    else if (kind === "new_investment") investments[id] = fact.thing;
    else if (kind === "key") {
      const key = keys[id];
      if (key && !isRevoked(key, date)) keys[id] = { ...key, revoke_date: date };
    } else {
      const investment = investments[id];
      if (investment) investments[id] = { ...investment, ...amendment(investment, fact), modify_date: date };
    }
  }
  return { offerings, investments, keys, faults };
}

function amendment({ events, signing_parties, payments }: Investment, fact: Change): Partial<Investment> {
  switch (fact.kind) {
    case "investment":
      return fact.set;
    case "event":
      return { events: [...events, fact] };
    case "signing_party":
      return {
        signing_parties: signing_parties.map((one) => (one.email === fact.email ? { ...one, signed: true } : one)),
      };
    case "new_payment":
      return { payments: [...payments, { amount: 0, status: "pending", ...fact.set }] };
    case "payment":
      return { payments: payments.map((one) => (one.name === fact.set.name ? { ...one, ...fact.set } : one)) };
    default:
      return {};
  }
}

export function isRevoked({ revoke_date }: Key, now: string): boolean {
  return revoke_date !== null && revoke_date <= now;
}

/** The faults that do not end before the present. */
export function currentFaults(environment: Environment): Fault[] {
  const { now } = environment.content;
  return Object.values(stateAt(environment).faults).filter(({ until }) => until === null || until > now);
}

/** Whether a fault has uses left. */
export function isActive({ id, rule: { times } }: Fault, { content }: Environment): boolean {
  return times === undefined || (content.uses[id] ?? 0) < times;
}

export function later(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString();
}
