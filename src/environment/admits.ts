import type { Effect } from "./change.ts";
import type { StateView } from "./state.ts";

/** Whether all that an effect names is there to be changed, and nothing that it brings into being is there already. */
export function admits(state: StateView, effect: Effect): boolean {
  if (effect.kind === "offering") return state.offering(effect.offering_id) !== undefined;
  if (effect.kind === "new_investment") {
    const { id, offering_id } = effect.investment;
    return state.investment(id) === undefined && state.offering(offering_id) !== undefined;
  }
  const investment = state.investment(effect.investment_id);
  if (!investment) return false;
  switch (effect.kind) {
    case "investment":
      return true;
    case "investor":
      return has(investment.investors, effect.id);
    case "signing_party":
      return has(investment.signing_parties, effect.id);
    case "payment":
      return has(investment.payments, effect.id);
    case "new_payment":
      return !has(investment.payments, effect.payment.id);
    case "event":
      return !has(investment.events, effect.event.id);
  }
}

function has(resources: readonly { readonly id: string }[], id: string): boolean {
  return resources.some((resource) => resource.id === id);
}
