import type { Dataset } from "../fixture/dataset.ts";
import type { Investment, Key } from "../model/resources.ts";
import type { Arrivals } from "./arrivals.ts";
import type { DatedEffect, InvestmentEffect } from "./change.ts";

/** What tells what is there at an instant. */
export interface Presence {
  /** What is there from the beginning. */
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  /** What comes later. */
  readonly arrivals: Arrivals;
}

/** Why an effect is impossible at its date; undefined when all that it names is there, and what it brings is not. */
export function objection({ dataset, keys, arrivals }: Presence, effect: DatedEffect): string | undefined {
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
  arrivals: Arrivals,
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
