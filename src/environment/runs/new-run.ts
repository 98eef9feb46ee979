import type { PlaySubject } from "../../control.ts";
import { Impossible } from "../../model/impossible.ts";
import type { Investment, Offering } from "../../model/resources.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { findOffering } from "../find-offering.ts";
import type { StateView } from "../state.ts";
import type { Run } from "./run.ts";
import type { RunHost } from "./runs.ts";

/** A run that has not begun. Throws Impossible when what it is to be played on is not there. */
export function newRun(id: string, scenario: Scenario, subject: PlaySubject, host: RunHost): Run {
  const { now, state } = host.read();
  const refuse = (reason: string): never => {
    throw new Impossible(`Scenario ${scenario.name}: ${reason}.`);
  };
  const named = typeof scenario.investment === "string" ? scenario.investment : undefined;
  const wanted = subject.investment_id ?? named;
  const existing = wanted === undefined ? undefined : findInvestment(state, host.offerings, wanted);
  if (wanted !== undefined && !existing) refuse("there is no investment of this id or alias");
  const place = subject.offering_id ?? existing?.offering_id ?? scenario.offering;
  const offering = place === null ? host.offerings[0] : findOffering(host.offerings, place);
  if (!offering) return refuse(place === null ? "there are no offerings" : "there is no offering of this id or alias");
  if (existing && existing.offering_id !== offering.id) refuse("the investment is of another offering");
  return {
    id,
    scenario,
    offering_id: offering.id,
    start: now,
    investment_id: existing?.id ?? null,
    tracks: [],
    stopped: false,
    problem: null,
  };
}

function findInvestment(state: StateView, offerings: readonly Offering[], idOrAlias: string): Investment | undefined {
  const found = state.investment(idOrAlias.toLowerCase());
  if (found) return found;
  for (const { id } of offerings) {
    const named = state.investmentsOf(id).items.find(({ alias }) => alias === idOrAlias);
    if (named) return state.investment(named.id);
  }
  return undefined;
}
