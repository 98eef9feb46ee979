import type { ScenarioState } from "../control.ts";
import { completeInvestment, unstarted } from "../fixture/complete/investment.ts";
import { Place } from "../fixture/complete/place.ts";
import { stated, statedDates } from "../fixture/complete/stated.ts";
import type { Effect } from "../model/change.ts";
import { never } from "../model/instant.ts";
import type { Investment } from "../model/resources.ts";
import { amended } from "./amend.ts";
import type { Scenario } from "./scenario.ts";
import { newInvestmentOf } from "./signing-parties.ts";
import { changesOf, type ScenarioEffect, type StepContext } from "./step-effects.ts";

/**
 * The states before the first step, and after each. A new investment is an example: another play draws other values for what
 * the scenario leaves out. Of an existing one, the scenario knows only what its steps set.
 */
export function statesOf(scenario: Scenario): ScenarioState[] {
  const begun = exampleOf(scenario);
  const payments: StepContext["payments"] = {};
  const fromSteps: ScenarioState = { status: null, step: null, signed: null, paid: null, offering: null };
  let investment = begun;
  const state = (): ScenarioState => ({ ...fromSteps, ...(investment && stateOf(investment)) });
  const states = [state()];
  for (const [index, { effects }] of scenario.steps.entries()) {
    for (const [at, effect] of effects.entries()) {
      Object.assign(fromSteps, setBy(effect));
      if (!begun || !investment) continue;
      const context = { ...nowhere, place: place.at(index), investment: begun, payments };
      for (const change of changesIn(effect, at, context))
        if ("investment_id" in change) investment = amended(investment, { ...change, date: never });
    }
    states.push(state());
  }
  return states;
}

/** The values that an effect sets whatever the investment was before. */
function setBy(effect: ScenarioEffect): Partial<ScenarioState> {
  if (effect.kind === "offering") return stated({ offering: effect.attributes.status });
  if (effect.kind === "investment") return valuesInWords(effect.attributes);
  if (effect.kind === "payment") return { paid: null };
  return effect.kind === "sign" && effect.who === "all" ? { signed: "everybody" } : {};
}

function stateOf(investment: Investment): Partial<ScenarioState> {
  const { signing_parties: parties } = investment;
  const count = parties.filter(({ signed }) => signed).length;
  const signed = count === parties.length ? "everybody" : count > 0 ? "somebody" : "nobody";
  return { ...valuesInWords(investment), signed };
}

function valuesInWords({ status, step, paid_amount }: Partial<Pick<Investment, "status" | "step" | "paid_amount">>) {
  return stated({ status, step: step === null ? "null" : step, paid: paid_amount?.toString() });
}

const place = Place.root(49);

/** A new investment of the scenario, as some environment completes it; undefined for an existing one. */
function exampleOf(scenario: Scenario): Investment | undefined {
  if (typeof scenario.investment === "string") return undefined;
  const written = { ...unstarted, ...stated(newInvestmentOf(scenario)) };
  const earliest = Math.min(Date.parse("2026-01-15T12:00:00.000Z"), ...statedDates(written));
  const now = written.create_date === undefined ? earliest : Date.parse(written.create_date);
  const setting = { place, price: 10, createDate: now, investmentNumber: 0, now, closing: 0 };
  return { ...completeInvestment(written, setting), offering_id: place.id };
}

/** The changes of an effect on the investment; none if it names a part that the investment lacks. */
function changesIn(effect: ScenarioEffect, index: number, context: StepContext): Effect[] {
  if (effect.kind === "key" || effect.kind === "fault") return [];
  try {
    return changesOf(effect, index, context);
  } catch {
    return [];
  }
}

/** Effects on an investment look at nothing else. */
const nowhere = {
  date: never,
  environmentId: "",
  offeringId: "",
  keys: () => [],
  unrevoked: () => [],
  keyId: () => "",
};
