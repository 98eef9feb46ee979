import { readFileSync } from "node:fs";
import { assume } from "../../src/assumptions/assume.ts";
import { compareText } from "../../src/model/order.ts";
import { known, knownFixture } from "../support/sandbox.ts";
import type { Run } from "./runs.ts";

/*
 * An environment as somebody imagines who has read the documentation only: dated facts, and a clock. Nothing is cached;
 * whatever is asked for is added up from the facts.
 */

/** A resource or a document, as much of it as matters here. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Thing = any;

/** A new thing, or values that one has from now on, in the form of `State`. `kind` is that of the timeline. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly set?: Thing;
}

export interface Fact extends Change {
  readonly date: string;
  readonly run: string | null;
}

/**
 * All things at an instant, by id, in the form of the admin API or of a fixture file. But signing parties and payments
 * of an investment are by e-mail address and by name, its events are counted, and its number is null until it has been seen.
 */
type State = Readonly<Record<"offerings" | "investments" | "keys" | "faults", Record<string, Thing>>>;

/** The state that a reset returns to. */
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
  /** The part that a database keeps. */
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

class Refused extends Error {}

/** Refuses a command. */
export function refuse(): never {
  throw new Refused();
}

export function isRefused(act: () => void): boolean {
  try {
    act();
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

/** The start of the fixture's clock. */
export const start = "2026-01-15T12:00:00.000Z";

/** The persons of each investment that is made here. */
export const persons = {
  investors: [{ email: "ada@example.com", tax_id: "666-12-3456" }],
  signing_parties: [{ email: "ada@example.com" }, { email: "bob@example.org" }],
};

const unwritten = { ...persons, status: "PENDING", step: null, investment_number: null, payments: [], events: [] };

/** An investment as it is written, or as it is completed. */
export function investmentOf(offering_id: string, date: string, written: Thing = unwritten): Thing {
  const { signing_parties, payments, events, ...others } = written;
  const parties = signing_parties.map((party: Thing) => [party.email, { signed: false, ...party }]);
  const parts = { signing_parties: Object.fromEntries(parties), payments: { ...payments }, events: events.length };
  return { offering_id, create_date: date, modify_date: date, ...others, ...parts };
}

/** How an environment of the known fixture opens; its keys are yet to be learned. */
export function openingOf({ assumptions, ...given }: Partial<Opening>): Opening {
  const fixture: Thing = JSON.parse(readFileSync(knownFixture, "utf8"));
  const state: State = { offerings: {}, investments: {}, keys: {}, faults: {} };
  for (const { id, name, investments = [] } of fixture.offerings) {
    state.offerings[id] = { name };
    for (const one of investments) state.investments[one.id] = investmentOf(id, "", one);
  }
  const all = { ...assume("conventional"), ...assumptions };
  return { now: start, state, assumptions: all, rate_limit: 8, ttl_seconds: Infinity, ...given };
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
export function record({ content }: Environment, facts: readonly Fact[]): void {
  content.facts = [...content.facts, ...facts].toSorted((one, other) => compareText(one.date, other.date));
}

/** Takes away the future facts of a run, and those that nothing exists for without them. */
export function forget({ opening, content }: Environment, run: string): void {
  const rest = content.facts.filter((fact) => fact.date <= content.now || fact.run !== run);
  const things = new Set(Object.values(opening.state).flatMap((some) => Object.keys(some)));
  for (const fact of rest) if (isNew(fact)) things.add(fact.id);
  content.facts = rest.filter(({ id }) => things.has(id));
}

export function isNew({ kind }: Fact): boolean {
  return kind.startsWith("new_") && kind !== "new_payment";
}

/** The kinds of facts that are not of investments. */
const things: Record<string, keyof State> = {
  offering: "offerings",
  new_key: "keys",
  key: "keys",
  new_fault: "faults",
};

/** The state at an instant: all facts up to then, added up. */
export function stateAt({ opening, content }: Environment, instant = content.now): State {
  const { offerings, investments, keys, faults } = opening.state;
  const state = {
    offerings: { ...offerings },
    investments: { ...investments },
    keys: { ...keys },
    faults: { ...faults },
  };
  for (const fact of content.facts) {
    const { date, kind, id } = fact;
    if (date > instant) break;
    const some = state[things[kind] ?? "investments"];
    const before = some[id];
    // A key is revoked once.
    if (isNew(fact) ? false : !before || (kind === "key" && isRevoked(before, date))) continue;
    const set = kind === "event" ? { events: before.events + 1 } : fact.set;
    some[id] = { ...merged(before, set), ...(some === state.investments && { modify_date: date }) };
  }
  return state;
}

function merged(before: Thing, set: Thing): Thing {
  if (typeof set !== "object" || set === null || Array.isArray(set)) return set;
  const values = Object.entries(set).map(([name, value]) => [name, merged(before?.[name], value)]);
  return { ...before, ...Object.fromEntries(values) };
}

export function isRevoked({ revoke_date }: Thing, now: string): boolean {
  return revoke_date !== null && revoke_date <= now;
}

/** The faults that do not end before the present. */
export function currentFaults(environment: Environment): Thing[] {
  const { now } = environment.content;
  return Object.values(stateAt(environment).faults).filter(({ until }) => until === null || until > now);
}

/** Whether a fault has uses left. */
export function isActive({ id, rule: { times = Infinity } }: Thing, { content }: Environment): boolean {
  return (content.uses[id] ?? 0) < times;
}

export function later(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString();
}
