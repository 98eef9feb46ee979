import { pairSigners } from "../fixture/complete/pairs.ts";
import { about, type Finding, type Path } from "../model/finding.ts";
import { didYouMean, nearest, quoted } from "../model/text.ts";
import { keyTypes } from "../model/vocabulary.ts";
import type { Scenario } from "./scenario.ts";
import { newInvestmentOf } from "./signing-parties.ts";

/** Finds signers beside the listed investors, and names that are nearly those of keys of earlier steps. */
export function* misspeltNames(scenario: Scenario): Generator<Finding> {
  const { known, strangers } = signersBeside(scenario);
  const labels: string[] = [];
  for (const [index, { effects }] of scenario.steps.entries()) {
    for (const effect of effects) {
      const path = ["steps", index, effect.kind];
      if (effect.kind === "sign" && typeof effect.who !== "string") {
        for (const who of effect.who) {
          if (typeof who !== "string" || !strangers.has(who)) continue;
          const message = `is ${quoted(who)}, whom investors do not have: this party signs beside them.`;
          yield about(path, () => message + didYouMean(who, known));
        }
      }
      if (effect.kind === "fault") yield* keyMistake(effect.fault.match?.key_id, labels, [...path, "match", "key_id"]);
      if (effect.kind !== "key") continue;
      if ("revoke" in effect) yield* keyMistake(effect.revoke, [...keyTypes, ...labels], [...path, "revoke"]);
      else if (effect.issue.label !== undefined) labels.push(effect.issue.label);
    }
  }
}

/** Never shows the name: it may be a key's text. Without a near one, it names a key of the sandbox. */
function* keyMistake(name: string | undefined, known: readonly string[], path: Path): Generator<Finding> {
  if (name === undefined || known.includes(name) || nearest(name, known) === undefined) return;
  yield about(path, () => `is no key of an earlier step.${didYouMean(name, known)}`);
}

/** The e-mail addresses of listed investors, and those that steps alone name beside them. */
function signersBeside(scenario: Scenario): {
  readonly known: readonly string[];
  readonly strangers: ReadonlySet<string>;
} {
  const { investors, signing_parties: listed = [] } =
    typeof scenario.investment === "string" ? {} : scenario.investment;
  if (!investors) return { known: [], strangers: new Set() };
  const parties = newInvestmentOf(scenario).signing_parties;
  const others = pairSigners(investors, parties).slice(investors.length);
  const strangers = new Set(others.flatMap((position) => parties[position ?? -1]?.email ?? []));
  for (const { email = "" } of listed) strangers.delete(email);
  return { known: investors.flatMap(({ email }) => email ?? []), strangers };
}
