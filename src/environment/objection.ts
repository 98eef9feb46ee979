import type { Investment } from "../model/resources.ts";
import type { Effect } from "./change.ts";
import type { StateView } from "./state.ts";

/** Why an effect is impossible in a state; undefined when all that it names is there, and what it brings is not. */
export function objection(state: StateView, effect: Effect): string | undefined {
  switch (effect.kind) {
    case "offering":
      return state.offering(effect.offering_id) ? undefined : `there is no offering ${effect.offering_id}`;
    case "new_investment": {
      const { id, offering_id, alias } = effect.investment;
      if (!state.offering(offering_id)) return `there is no offering ${offering_id}`;
      if (state.investment(id)) return `there is an investment ${id} already`;
      if (alias !== undefined && state.investmentsOf(offering_id).items.some((other) => other.alias === alias)) {
        return `there is an investment "${alias}" already`;
      }
      return numberTaken(state, effect.investment);
    }
    case "new_key":
      return state.key(effect.key.id) ? `there is a key ${effect.key.id} already` : undefined;
    case "key":
      return state.key(effect.key_id) ? undefined : `there is no key ${effect.key_id}`;
    case "new_fault":
      return state.fault(effect.fault.id) ? `there is a fault ${effect.fault.id} already` : undefined;
    case "fault":
      return state.fault(effect.fault_id) ? undefined : `there is no fault ${effect.fault_id}`;
    default:
      return objectionOfInvestment(state, effect);
  }
}

function objectionOfInvestment(
  state: StateView,
  effect: Extract<Effect, { investment_id: string }>,
): string | undefined {
  const investment = state.investment(effect.investment_id);
  if (!investment) return `there is no investment ${effect.investment_id}`;
  switch (effect.kind) {
    case "investment":
      return numberTaken(state, { ...investment, investment_number: 0, ...effect.attributes });
    case "investor":
      return lacks("investor", investment.investors, effect.id);
    case "signing_party":
      return lacks("signing party", investment.signing_parties, effect.id);
    case "payment":
      return lacks("payment", investment.payments, effect.id);
    case "new_payment":
      return has(investment.payments, effect.payment.id) ? "the investment has this payment already" : undefined;
    case "event":
      return has(investment.events, effect.event.id) ? "the investment has this event already" : undefined;
  }
}

function lacks(what: string, resources: readonly { readonly id: string }[], id: string): string | undefined {
  return has(resources, id) ? undefined : `the investment has no ${what} ${id}`;
}

function has(resources: readonly { readonly id: string }[], id: string): boolean {
  return resources.some((resource) => resource.id === id);
}

/** Whether another investment of the offering has the number; 0 stands for one that is yet to be given. */
function numberTaken(state: StateView, { id, offering_id, investment_number }: Investment): string | undefined {
  if (investment_number === 0) return undefined;
  const { items } = state.investmentsOf(offering_id);
  const taken = items.some((other) => other.investment_number === investment_number && other.id !== id);
  return taken ? `another investment has the number ${investment_number}` : undefined;
}
