import { bounds } from "../model/bounds.ts";
import { about, type Finding } from "../model/finding.ts";
import type { Scenario, Step } from "./scenario.ts";
import { isIn } from "./signers.ts";
import { newInvestmentOf, type ScenarioParty } from "./signing-parties.ts";

/** Finds more changes at once than one investment takes. A step that waits for reads or a command begins anew. */
export function* changeMistakes(scenario: Scenario): Generator<Finding> {
  const parties = newInvestmentOf(scenario).signing_parties;
  let count = 0;
  for (const [index, step] of scenario.steps.entries()) {
    if (step.trigger.kind === "next" || step.trigger.kind === "after_reads") count = 0;
    count += changesIn(step, parties);
    if (count <= bounds.changes) continue;
    const most = bounds.changes.toLocaleString("en");
    yield about(["steps", index], `goes too far: more than ${most} changes on one investment.`);
    return;
  }
}

function changesIn({ effects }: Step, parties: readonly ScenarioParty[]): number {
  const signatures = effects.map((effect) => {
    if (effect.kind !== "sign") return 1;
    const { who } = effect;
    if (typeof who !== "string") return who.length;
    return parties.filter((party) => isIn(who, party)).length;
  });
  return signatures.reduce((sum, each) => sum + each, 0);
}
