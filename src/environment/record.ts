import type { Dataset } from "../fixture/dataset.ts";
import type { Instant } from "../model/instant.ts";
import { Impossible } from "../model/mistakes.ts";
import { compareText } from "../model/order.ts";
import type { Investment, Key } from "../model/resources.ts";
import type { DatedEffect, Effect, InvestmentEffect } from "../model/change.ts";
import type { EnvironmentSetup } from "./environment-content.ts";
import type { State, StateView } from "./state.ts";
import { CreatedResources, type Timeline } from "./timeline.ts";

/** Whether an effect gives an investment a number or an alias, which no other one of its offering may have. */
function claims(effect: Effect): boolean {
  if (effect.kind === "investment") return effect.attributes.investment_number !== undefined;
  if (effect.kind !== "new_investment") return false;
  return effect.investment.investment_number > 0 || effect.investment.alias !== undefined;
}

/** Why what an effect claims is not to be had in a state; undefined when it is. */
function counterclaim(state: StateView, effect: Effect): string | undefined {
  if (effect.kind === "new_investment") {
    const { alias, offering_id } = effect.investment;
    const taken = alias !== undefined && state.investmentsOf(offering_id).items.some((other) => other.alias === alias);
    return taken ? `there is an investment "${alias}" already` : numberTaken(state, effect.investment);
  }
  if (effect.kind !== "investment") return undefined;
  const investment = state.investment(effect.investment_id);
  return investment && numberTaken(state, { ...investment, investment_number: 0, ...effect.attributes });
}

/** Whether another investment of the offering has the number; 0 stands for one that is yet to be given. */
function numberTaken(state: StateView, { id, offering_id, investment_number }: Investment): string | undefined {
  if (investment_number === 0) return undefined;
  const { byNumber } = state.investmentsOf(offering_id);
  const first = byNumber.position((other) => other.investment_number < investment_number);
  // Of two that have the number, one at least is another investment.
  const taken = byNumber
    .slice(first, first + 2)
    .some((other) => other.investment_number === investment_number && other.id !== id);
  return taken ? `another investment has the number ${investment_number}` : undefined;
}

/** What tells what is there at an instant. */
interface Presence {
  /** What is there from the beginning. */
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  /** What comes later. */
  readonly arrivals: CreatedResources;
}

/** Why an effect is impossible at its date; undefined when all that it names is there, and what it brings is not. */
function objection({ dataset, keys, arrivals }: Presence, effect: DatedEffect): string | undefined {
  const isThere = (id: string): boolean => keys.some((key) => key.id === id) || arrivals.has(id, effect.date);
  switch (effect.kind) {
    case "offering":
      return dataset.offering(effect.offering_id) ? undefined : `there is no offering ${effect.offering_id}`;
    case "new_investment": {
      const { id, offering_id } = effect.investment;
      if (!dataset.offering(offering_id)) return `there is no offering ${offering_id}`;
      if (dataset.investment(id)) return `there is an investment ${id} already`;
      return arrivals.repeats(effect) ? `there is an investment ${id} already, or will be` : undefined;
    }
    case "new_key":
      return isThere(effect.key.id) || arrivals.repeats(effect) ? `there is a key ${effect.key.id} already` : undefined;
    case "key":
      return isThere(effect.key_id) ? undefined : `there is no key ${effect.key_id}`;
    case "new_fault":
      return arrivals.repeats(effect) ? `there is a fault ${effect.fault.id} already` : undefined;
    case "fault":
      return isThere(effect.fault_id) ? undefined : `there is no fault ${effect.fault_id}`;
    default: {
      const { investment_id, date } = effect;
      const investment = dataset.investment(investment_id) ?? arrivals.investment(investment_id, date);
      return investment ? within(investment, effect, arrivals) : `there is no investment ${investment_id}`;
    }
  }
}

/** Why an effect is impossible in an investment, which is given as it was in the beginning or as it came. */
function within(
  investment: Investment,
  effect: InvestmentEffect & DatedEffect,
  arrivals: CreatedResources,
): string | undefined {
  switch (effect.kind) {
    case "investment":
      return undefined;
    case "investor":
      return lacks("investor", investment.investors, effect.id);
    case "signing_party":
      return lacks("signing party", investment.signing_parties, effect.id);
    case "payment":
      return arrivals.has(effect.id, effect.date, investment.id)
        ? undefined
        : lacks("payment", investment.payments, effect.id);
    case "new_payment":
      return arrivals.repeats(effect) || has(investment.payments, effect.payment.id)
        ? "the investment has this payment already"
        : undefined;
    case "event":
      return arrivals.repeats(effect) || has(investment.events, effect.event.id)
        ? "the investment has this event already"
        : undefined;
  }
}

function lacks(what: string, resources: readonly { readonly id: string }[], id: string): string | undefined {
  return has(resources, id) ? undefined : `the investment has no ${what} ${id}`;
}

function has(resources: readonly { readonly id: string }[], id: string): boolean {
  return resources.some((resource) => resource.id === id);
}

/** A timeline, and the state that some of its changes are folded into. */
interface History {
  readonly timeline: Timeline;
  readonly state: State;
}

/** What is there from the beginning. */
type Beginning = Pick<EnvironmentSetup, "dataset" | "keys">;

/**
 * Puts effects on a timeline, each at its date. Throws Impossible when one is impossible at its date, because what it names
 * is not there, or is there already; then the timeline is as it was.
 */
export function record(
  { timeline, state }: History,
  { dataset, keys }: Beginning,
  effects: readonly DatedEffect[],
): void {
  const { changes, arrivals } = timeline;
  const inserted: number[] = [];
  try {
    for (const effect of effects.toSorted((one, other) => compareText(one.date, other.date))) {
      refuse(effect, objection({ dataset, keys, arrivals }, effect));
      const position = timeline.insert(effect);
      inserted.push(position);
      state.moveTo(Math.min(position, state.position), changes);
      if (claims(effect)) {
        state.moveTo(position, changes);
        refuse(effect, counterclaim(state, effect));
      }
    }
  } catch (error) {
    state.moveTo(Math.min(state.position, ...inserted), changes);
    for (const position of inserted.toReversed()) timeline.remove(position);
    throw error;
  }
}

/** Folds all changes of a timeline into a state that has none yet. Throws Impossible when one of them cannot have been. */
export function replay({ timeline, state }: History, { dataset, keys }: Beginning): void {
  const arrivals = new CreatedResources();
  for (const [position, change] of timeline.changes.entries()) {
    refuse(change, objection({ dataset, keys, arrivals }, change) ?? counterclaim(state, change));
    arrivals.add(change);
    state.moveTo(position + 1, timeline.changes);
  }
}

/** Takes what a run has put on a timeline after an instant away again, and what is impossible without it. */
export function forget(
  { timeline, state }: History,
  { dataset, keys }: Beginning,
  runId: string,
  after: Instant,
): void {
  const { changes, arrivals } = timeline;
  const position = timeline.countUntil(Date.parse(after));
  state.moveTo(Math.min(position, state.position), changes);
  timeline.removeFrom(position, ({ origin }) => origin?.run === runId);
  timeline.removeFrom(position, (change) => {
    // What it brings itself is no objection to it.
    arrivals.delete(change);
    if (objection({ dataset, keys, arrivals }, change) !== undefined) return true;
    arrivals.add(change);
    return false;
  });
}

function refuse({ date, origin }: DatedEffect, reason: string | undefined): void {
  if (reason === undefined) return;
  const where = origin ? `step ${origin.step + 1}` : "the change";
  throw new Impossible(`${where} is impossible at ${date}: ${reason}`);
}
