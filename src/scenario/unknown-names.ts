import { pairSigners } from "../fixture/complete/pairs.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import { about, type Finding, type Path } from "../model/finding.ts";
import { didYouMean, quoted } from "../model/text.ts";
import { keyTypes } from "../model/vocabulary.ts";
import type { ScenarioEffect } from "./effects.ts";
import type { Scenario } from "./scenario.ts";
import { newInvestmentOf } from "./signing-parties.ts";

/** Finds people, payments, keys and numbers of investments of which only a sandbox knows whether it has them. */
export function* unknownNames(scenario: Scenario): Generator<Finding> {
  const { investment, steps } = scenario;
  const strangers = strangersOf(scenario);
  const labels: string[] = [];
  if (typeof investment !== "string") yield* numberOf(investment, ["investment"]);
  for (const [index, { effects }] of steps.entries()) {
    for (const effect of effects) {
      const path = ["steps", index, effect.kind];
      if (typeof investment === "string") yield* namesOfInvestment(effect, path);
      else if (effect.kind === "sign" && typeof effect.who !== "string") {
        for (const who of effect.who)
          if (typeof who === "string" && strangers.has(who)) yield stranger(who, path, investment);
      }
      if (effect.kind === "investment") yield* numberOf(effect.attributes, path);
      yield* namesOfKeys(effect, path, labels);
    }
  }
}

/** Finds those of an investment that is there before. */
function* namesOfInvestment(effect: ScenarioEffect, path: Path): Generator<Finding> {
  const only = "only the sandbox knows whether the investment has";
  if (effect.kind === "sign" && typeof effect.who !== "string") {
    for (const who of effect.who) yield about(path, `is ${shown(who)}; ${only} this signing party.`);
  }
  if (effect.kind === "investor" && effect.email !== null)
    yield about([...path, "email"], `is ${shown(effect.email)}; ${only} this investor.`);
  if (effect.kind === "payment" && effect.number !== undefined)
    yield about([...path, "number"], `is ${effect.number}; ${only} so many payments.`);
}

function* numberOf({ investment_number: number }: SparseInvestment, path: Path): Generator<Finding> {
  if (number === undefined) return;
  yield about(
    [...path, "investment_number"],
    `is ${number}; only the sandbox knows whether another investment has it.`,
  );
}

function stranger(who: string, path: Path, { investors = [] }: SparseInvestment): Finding {
  const hint = (): string =>
    didYouMean(
      who,
      investors.flatMap(({ email }) => email ?? []),
    );
  return about(path, () => `is ${quoted(who)}, whom investors do not have: this party signs beside them.${hint()}`);
}

function shown(name: string | number): string {
  return typeof name === "number" ? String(name) : quoted(name);
}

/** The e-mail addresses that steps alone name, beside listed investors: perhaps typing mistakes. */
function strangersOf(scenario: Scenario): ReadonlySet<string> {
  const { investors, signing_parties: listed = [] } =
    typeof scenario.investment === "string" ? {} : scenario.investment;
  if (!investors) return new Set();
  const parties = newInvestmentOf(scenario).signing_parties;
  const others = pairSigners(investors, parties).slice(investors.length);
  const emails = new Set(others.flatMap((position) => parties[position ?? -1]?.email ?? []));
  for (const { email = "" } of listed) emails.delete(email);
  return emails;
}

/** Finds keys that neither a type nor an earlier step names. Never shows the text: it may be a key's. */
function* namesOfKeys(effect: ScenarioEffect, path: Path, labels: string[]): Generator<Finding> {
  const unknown = (name: string | undefined, known: readonly string[], ...at: readonly string[]): Finding[] => {
    if (name === undefined || known.includes(name)) return [];
    const message = "is no key of an earlier step; only the sandbox knows whether it has one of this name.";
    return [about([...path, ...at], () => message + didYouMean(name, known))];
  };
  if (effect.kind === "fault") yield* unknown(effect.fault.match?.key_id, labels, "match", "key_id");
  if (effect.kind !== "key") return;
  if ("revoke" in effect) yield* unknown(effect.revoke, [...keyTypes, ...labels], "revoke");
  else if (effect.issue.label !== undefined) labels.push(effect.issue.label);
}
