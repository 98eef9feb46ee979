import { completeInvestment, unstarted } from "../fixture/complete/investment.ts";
import { Place } from "../fixture/complete/place.ts";
import { stated, statedDates } from "../fixture/complete/stated.ts";
import { type InvestmentState, stateOf } from "../fixture/mistakes/contradictions.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import type { Effect } from "../model/change.ts";
import { type Instant, never } from "../model/instant.ts";
import type { Investment } from "../model/resources.ts";
import { amended } from "./amend.ts";
import { changesOf, type ScenarioEffect, type StepContext } from "./step-effects.ts";
import type { Scenario } from "./scenario.ts";
import { newInvestmentOf } from "./signing-parties.ts";

/** The state of an investment at a step, as far as its scenario decides it. Undefined: only an environment knows. */
export interface Progress extends InvestmentState {
  readonly signed?: "nobody" | "somebody" | "everybody" | undefined;
  /** The status of the offering. */
  readonly offering?: string | undefined;
}

/** Two opposite environments: with the least money due and nothing done, and with the most and everything done. */
const [poor, rich] = [
  {
    place: Place.root(49),
    price: 0.01,
    existing: { status: "PENDING", step: "SIGNERS", signing_parties: [{ signed: false }, { countersigner: true }] },
  },
  { place: Place.root(184), price: 1_000_000, existing: { status: "CLOSED" } },
] as const;

/** The state of the investment before the first step, and after each: what opposite environments agree about. */
export function progressOf(scenario: Scenario): Progress[] {
  const [one, other] = [rehearse(scenario, poor), rehearse(scenario, rich)];
  const offerings = offeringStatuses(scenario);
  return one.map((investment, index) => {
    const [least, most] = [investment, other[index] ?? investment].map((each): Progress => ({
      ...stateOf(each),
      signed: signedOf(each),
      offering: offerings[index],
    }));
    const agreed = Object.entries(least ?? {}).filter(([name, value]) => value === most?.[name as keyof Progress]);
    return Object.fromEntries(agreed);
  });
}

/**
 * The new investment of a scenario before the first step, and after each, as in some environment: others differ in every
 * value that is not stated. Undefined for an existing one.
 */
export function exampleOf(scenario: Scenario): readonly Investment[] | undefined {
  return typeof scenario.investment === "string" ? undefined : rehearse(scenario, poor);
}

/** Plays the effects on one investment. */
function rehearse(scenario: Scenario, { place, price, existing }: typeof poor | typeof rich): Investment[] {
  const { investment: subject, steps } = scenario;
  const written: SparseInvestment =
    typeof subject === "string"
      ? (existing as SparseInvestment)
      : { ...unstarted, ...stated(newInvestmentOf(scenario)) };
  const earliest = Math.min(Date.parse("2026-01-15T12:00:00.000Z"), ...statedDates(written));
  const now = written.create_date === undefined ? earliest : Date.parse(written.create_date);
  const completed = completeInvestment(written, {
    place,
    price,
    createDate: now,
    investmentNumber: 0,
    now,
    closing: 0,
  });
  const begun: Investment = { ...completed, offering_id: place.id };
  const payments: StepContext["payments"] = {};
  let investment = begun;
  const after = steps.map(({ effects }, index) => {
    const date = dateOfStep(index);
    for (const [at, effect] of effects.entries()) {
      const context = { ...nowhere, place: place.at(index), date, investment: begun, payments };
      for (const change of changesIn(effect, at, context))
        if ("investment_id" in change) investment = amended(investment, { ...change, date });
    }
    return investment;
  });
  return [begun, ...after];
}

/** Those of an effect on the investment; none if it names a part that this one lacks. */
function changesIn(effect: ScenarioEffect, index: number, context: StepContext): Effect[] {
  if (effect.kind === "key" || effect.kind === "fault") return [];
  try {
    return changesOf(effect, index, context);
  } catch {
    return [];
  }
}

/** Effects on an investment look at nothing else. */
const nowhere = { environmentId: "", offeringId: "", keys: () => [], unrevoked: () => [], keyId: () => "" };

/** Stands for the unknown date of a step: later than every instant, and than the steps before. */
function dateOfStep(index: number): Instant {
  return never + String(index).padStart(5, "0");
}

function signedOf({ signing_parties: parties }: Investment): Progress["signed"] {
  const count = parties.filter(({ signed }) => signed).length;
  return count === parties.length ? "everybody" : count > 0 ? "somebody" : "nobody";
}

/** The status of the offering before the first step, and after each; undefined until a step sets it. */
function offeringStatuses({ steps }: Scenario): (string | undefined)[] {
  let status: string | undefined;
  const after = steps.map(({ effects }) => {
    for (const effect of effects) if (effect.kind === "offering") ({ status = status } = effect.attributes);
    return status;
  });
  return [undefined, ...after];
}
