import { readFileSync } from "node:fs";
import { assume } from "../../src/assumptions/catalog.ts";
import { compareText } from "../../src/model/order.ts";
import { knownFixture } from "../support/sandbox.ts";
import type { Run } from "./runs.ts";

/*
 * A model of an environment, written from the documentation alone: dated facts and a clock. It caches nothing; each
 * response is computed from the facts.
 */

/** A resource or a document, reduced to the members compared here. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Thing = any;

/** A new thing, or new values of an existing one, in the form of `State`. `kind` is the timeline's. */
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
 * All things at an instant, by id, in the form of the admin API or of a fixture file. Three members of an investment
 * differ: signing parties and payments are keyed by email address and alias, events are a count, and the number is
 * null until a response has shown it.
 */
type State = Readonly<Record<"offerings" | "investments" | "keys" | "faults", Record<string, Thing>>>;

/** The state after a reset. */
export interface Opening {
  readonly now: string;
  readonly state: State;
  readonly assumptions: Readonly<Record<string, string | number>>;
  readonly rate_limit: number;
  /** Seconds without use until the environment is deleted. */
  readonly ttl_seconds: number;
}

export interface Environment {
  readonly id: string;
  readonly opening: Opening;
  /** The part stored in the database. */
  content: {
    now: string;
    facts: Fact[];
    readonly runs: Run[];
    readonly assumptions: Record<string, string | number>;
    /** Uses of the faults, by id. */
    readonly uses: Record<string, number>;
  };
  /** Counted requests by key, and the milliseconds until the window ends; null before the first request. */
  limits: Record<string, { used: number; remaining: number | null }>;
  journal: number;
  /** Milliseconds since the last use. */
  idle: number;
}

export type Environments = Map<string, Environment>;

class Refused extends Error {}

export function refuse(): never {
  throw new Refused();
}

export function isRefused(action: () => void): boolean {
  try {
    action();
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}

/** The start of the known fixture's clock. */
export const start = "2026-01-15T12:00:00.000Z";

/** The people of each investment created by a command. */
export const people = {
  investors: [{ email: "ada@example.com", tax_id: "666-12-3456" }],
  signing_parties: [{ email: "ada@example.com" }, { email: "bob@example.org" }],
};

const defaults = { ...people, status: "PENDING", step: null, investment_number: null, payments: [], events: [] };

/** An investment in the model's form, from its form in a fixture file. */
export function investmentOf(offering_id: string, date: string, source: Thing = defaults): Thing {
  const { signing_parties, payments, events, ...rest } = source;
  const parties = signing_parties.map((party: Thing) => [party.email, { signed: false, ...party }]);
  const parts = { signing_parties: Object.fromEntries(parties), payments: { ...payments }, events: events.length };
  return { offering_id, create_date: date, modify_date: date, ...rest, ...parts };
}

/** The opening of an environment over the known fixture; `World` fills in its keys. */
export function openingOf({ assumptions, ...options }: Partial<Opening>): Opening {
  const fixture: Thing = JSON.parse(readFileSync(knownFixture, "utf8"));
  const state: State = { offerings: {}, investments: {}, keys: {}, faults: {} };
  for (const { id, name, investments = [] } of fixture.offerings) {
    state.offerings[id] = { name };
    for (const investment of investments) state.investments[investment.id] = investmentOf(id, "", investment);
  }
  const allAssumptions = { ...assume("conventional"), ...assumptions };
  return { now: start, state, assumptions: allAssumptions, rate_limit: 8, ttl_seconds: Infinity, ...options };
}

export function newEnvironment(id: string, opening: Opening): Environment {
  const { now, assumptions } = opening;
  const content = { now, facts: [], runs: [], assumptions: { ...assumptions }, uses: {} };
  return { id, opening, content, ...initialUse(opening), idle: 0 };
}

/** Limits and journal of a new environment. */
export function initialUse({ state, rate_limit }: Opening): Pick<Environment, "limits" | "journal"> {
  const atLimit = Object.values(state.keys).filter(({ alias }) => alias === "at-limit");
  return {
    limits: Object.fromEntries(atLimit.map(({ id }) => [id, { used: rate_limit, remaining: null }])),
    journal: 0,
  };
}

/** Lets real time pass for the limits, in milliseconds. */
export function passLimits({ limits }: Environment, milliseconds: number): void {
  for (const [id, window] of Object.entries(limits))
    if (window.remaining !== null && (window.remaining -= milliseconds) <= 0) delete limits[id];
}

/** Adds facts. They are ordered by date; facts of one date stay in the order of recording. */
export function record({ content }: Environment, facts: readonly Fact[]): void {
  content.facts = [...content.facts, ...facts].toSorted((left, right) => compareText(left.date, right.date));
}

/** Removes the future facts of a run, and all facts about things they would have created. */
export function removeFutureFacts({ opening, content }: Environment, run: string): void {
  const remainingFacts = content.facts.filter((fact) => fact.date <= content.now || fact.run !== run);
  const ids = new Set(Object.values(opening.state).flatMap((collection) => Object.keys(collection)));
  for (const fact of remainingFacts) if (isNew(fact)) ids.add(fact.id);
  content.facts = remainingFacts.filter(({ id }) => ids.has(id));
}

export function isNew({ kind }: Fact): boolean {
  return kind.startsWith("new_") && kind !== "new_payment";
}

/** Collections by kind of fact; all other kinds are about investments. */
const collections: Record<string, keyof State> = {
  offering: "offerings",
  new_key: "keys",
  key: "keys",
  new_fault: "faults",
};

/** The state at an instant: the sum of all facts up to then. */
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
    const collection = state[collections[kind] ?? "investments"];
    const valueBefore = collection[id];
    // A second revocation changes nothing.
    if (isNew(fact) ? false : !valueBefore || (kind === "key" && isRevoked(valueBefore, date))) continue;
    const values = kind === "event" ? { events: valueBefore.events + 1 } : fact.set;
    collection[id] = {
      ...mergeValues(valueBefore, values),
      ...(collection === state.investments && { modify_date: date }),
    };
  }
  return state;
}

function mergeValues(valueBefore: Thing, values: Thing): Thing {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return values;
  const entries = Object.entries(values).map(([name, value]) => [name, mergeValues(valueBefore?.[name], value)]);
  return { ...valueBefore, ...Object.fromEntries(entries) };
}

export function isRevoked({ revoke_date }: Thing, now: string): boolean {
  return revoke_date !== null && revoke_date <= now;
}

/** Faults whose time has not ended. */
export function currentFaults(environment: Environment): Thing[] {
  const { now } = environment.content;
  return Object.values(stateAt(environment).faults).filter(({ until }) => until === null || until > now);
}

/** Whether a fault has remaining uses. */
export function isActive({ id, rule: { times = Infinity } }: Thing, { content }: Environment): boolean {
  return (content.uses[id] ?? 0) < times;
}

export function addMinutes(instant: string, minutes: number): string {
  return new Date(Date.parse(instant) + minutes * 60_000).toISOString();
}
