import type { Investment } from "../model/resources.ts";
import type { Effect } from "./change.ts";
import type { StateView } from "./state.ts";

/** Whether an effect gives an investment a number or an alias, which no other one of its offering may have. */
export function claims(effect: Effect): boolean {
  if (effect.kind === "investment") return effect.attributes.investment_number !== undefined;
  if (effect.kind !== "new_investment") return false;
  return effect.investment.investment_number > 0 || effect.investment.alias !== undefined;
}

/** Why what an effect claims is not to be had in a state; undefined when it is. */
export function counterclaim(state: StateView, effect: Effect): string | undefined {
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
