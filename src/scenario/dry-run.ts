import { pickDates } from "../fixture/complete/dates.ts";
import { pickDefined } from "../validation/members.ts";
import type { ScenarioState } from "../public/control.ts";
import { completeInvestment, emptyInvestment } from "../fixture/complete/investment.ts";
import { SeedPath } from "../fixture/complete/seed-path.ts";
import { excessiveAmounts } from "../fixture/validation/resources.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { never } from "../time/instant.ts";
import { messageOf, createIssueAt, type Issue, type Path } from "../validation/errors.ts";
import type { Investment, Effect } from "../model/resources.ts";
import { amended } from "./amend.ts";
import type { Scenario } from "./scenario.ts";
import { newInvestmentOf } from "./signing-parties.ts";
import { changesOf, type ScenarioEffect, type StepContext } from "./step-effects.ts";

/** The course of a scenario on one example of its investment. */
interface DryRun {
  /**
   * The states before the first step, and after each step. Another play on a new investment samples other values for
   * what the scenario omits. The states of an existing investment are only what the steps set.
   */
  readonly states: readonly ScenarioState[];
  /** Effects that are impossible in every play, each at its step. */
  readonly errors: readonly Issue[];
}

/** Plays a scenario without other errors. Tries each effect by itself, so that no error hides the next. */
export function dryRun(scenario: Scenario): DryRun {
  const newInvestment = typeof scenario.investment === "string" ? undefined : scenario.investment;
  const example = exampleOf(scenario);
  const payments: StepContext["payments"] = {};
  const stateFromSteps: ScenarioState = { status: null, step: null, signed: null, paid: null, offering: null };
  const errors: Issue[] = [];
  const terms = { price: newInvestment?.price, quantity: newInvestment?.quantity };
  let excessBefore = new Map<string, string>();
  let [investment, count] = [example, 0];
  const state = (): ScenarioState => ({ ...stateFromSteps, ...(newInvestment && stateOf(investment)) });
  const states = [state()];
  for (const [index, { trigger, effects }] of scenario.steps.entries()) {
    // The steps up to one that waits are scheduled together.
    if (trigger.kind === "next" || trigger.kind === "after_reads") count = 0;
    for (const [effectIndex, effect] of effects.entries()) {
      Object.assign(stateFromSteps, traitsOf(effect).sets);
      if (effect.kind === "investment") Object.assign(terms, pickDefined(effect.attributes, ["price", "quantity"]));
      const context = { ...noEnvironment, seedPath: seedPath.at(index), investment: example, payments };
      for (const { changes = [], path, error } of attemptsAt(effect, effectIndex, context)) {
        // No list shows more, and each costs time.
        if (errors.length > inputLimits.errors) return { states, errors };
        count += changes.length;
        investment = changes.reduce(afterChange, investment);
        if (error !== undefined && (newInvestment || traitsOf(effect).needs === "steps"))
          errors.push(createIssueAt(["steps", index, ...path], `is impossible: ${messageOf(error)}.`));
      }
    }
    states.push(state());
    const excess = new Map(excessiveAmounts({ ...terms, payments: investment.payments }));
    for (const [member, message] of excess) {
      const path = ["steps", index, member === "payments" ? "payment" : "investment"];
      if (!excessBefore.has(member)) errors.push(createIssueAt(path, `goes too far: ${member} ${message}`));
    }
    excessBefore = excess;
    const added = investment.payments.length - example.payments.length;
    const bounds = [
      [count, inputLimits.changes, "changes"],
      [added, inputLimits.added.new_payment, "new payments"],
    ] as const;
    const exceeded = bounds.find(([number, max]) => number > max);
    if (!exceeded) continue;
    const [, max, noun] = exceeded;
    const message = `goes too far: more than ${max.toLocaleString("en")} ${noun} on one investment.`;
    errors.push(createIssueAt(["steps", index], message));
    break;
  }
  return { states, errors };
}

/** The result of trying an effect or one signature: its changes, or the reason why it is impossible. */
interface Attempt {
  /** In the step. */
  readonly path: Path;
  readonly changes?: readonly Effect[];
  readonly error?: unknown;
}

/** Tries an effect as a whole, and each signature of an impossible list by itself. */
function attemptsAt(
  effect: ScenarioEffect,
  index: number,
  context: StepContext,
  path: Path = [effect.kind],
): readonly Attempt[] {
  try {
    return [{ path, changes: changesIn(effect, index, context) }];
  } catch (error) {
    if (effect.kind !== "sign" || typeof effect.who === "string" || effect.who.length === 1) return [{ path, error }];
    return effect.who.flatMap((signer, signerIndex) =>
      attemptsAt({ ...effect, who: [signer] }, index, context, [...path, signerIndex]),
    );
  }
}

/** Returns the changes of an effect. Throws Error if it is impossible. */
function changesIn(effect: ScenarioEffect, index: number, context: StepContext): Effect[] {
  if (traitsOf(effect).needs === "environment") return [];
  const changes = changesOf(effect, index, context);
  if (effect.kind === "sign" && effect.who !== "all" && changes.length === 0)
    throw new Error(`the investment has no ${String(effect.who)} to sign`);
  return changes;
}

/** Applies a change. Omits those that no state shows, of which there may be very many. */
function afterChange(investment: Investment, change: Effect): Investment {
  if (!("investment_id" in change) || change.kind === "event") return investment;
  const isSigner = ({ id, signed }: Investment["signing_parties"][number]) =>
    signed && "id" in change && id === change.id;
  if (change.kind === "signing_party" && investment.signing_parties.some(isSigner)) return investment;
  return amended(investment, { ...change, date: never });
}

interface EffectTraits {
  /** What decides whether the effect is possible. Only an environment has keys. */
  readonly needs: "steps" | "investment" | "environment";
  /** The states that the effect sets whatever the investment was before. */
  readonly sets?: Partial<ScenarioState>;
}

type EffectName = ScenarioEffect["kind"];

const traits: { readonly [Name in EffectName]: (effect: ScenarioEffect<Name>) => EffectTraits } = {
  offering: ({ attributes }) => ({ needs: "steps", sets: pickDefined({ offering: attributes.status }) }),
  investor: () => ({ needs: "investment" }),
  sign: ({ who }) => ({ needs: "investment", sets: who === "all" ? { signed: "everybody" } : {} }),
  payment({ alias, number }) {
    return { needs: number === undefined || alias !== null ? "steps" : "investment", sets: { paid: null } };
  },
  event: () => ({ needs: "steps" }),
  investment: ({ attributes }) => ({ needs: "investment", sets: formatValues(attributes) }),
  key: () => ({ needs: "environment" }),
  fault: () => ({ needs: "environment" }),
};

function traitsOf<Name extends EffectName>(effect: ScenarioEffect<Name>): EffectTraits {
  return traits[effect.kind](effect);
}

function stateOf(investment: Investment): Partial<ScenarioState> {
  const { signing_parties: parties } = investment;
  const count = parties.filter(({ signed }) => signed).length;
  const signed = count === parties.length ? "everybody" : count > 0 ? "somebody" : "nobody";
  return { ...formatValues(investment), signed };
}

function formatValues({ status, step, paid_amount }: Partial<Pick<Investment, "status" | "step" | "paid_amount">>) {
  return pickDefined({ status, step: step === null ? "null" : step, paid: paid_amount?.toString() });
}

const seedPath = SeedPath.root(49);

/** Completes the new investment of a scenario, as some environment does; for an existing one, any investment. */
function exampleOf(scenario: Scenario): Investment {
  const written = { ...emptyInvestment, ...pickDefined(newInvestmentOf(scenario)) };
  const earliest = Math.min(Date.parse("2026-01-15T12:00:00.000Z"), ...pickDates(written));
  const now = written.create_date === undefined ? earliest : Date.parse(written.create_date);
  const setting = { seedPath, price: 10, createDate: now, investmentNumber: 0, now, closingProbability: 0 };
  return { ...completeInvestment(written, setting), offering_id: seedPath.id };
}

/** The rest of an environment, which effects on an investment do not need. */
const noEnvironment = {
  date: never,
  environmentId: "",
  offeringId: "",
  keys: () => [],
  unrevoked: () => [],
  keyId: () => "",
};
