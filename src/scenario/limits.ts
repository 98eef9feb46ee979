import { bounds, megabyte } from "../model/bounds.ts";
import { day, formatDuration } from "../model/duration.ts";
import { about, type Finding } from "../model/finding.ts";
import { progressOf } from "./progress.ts";
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

/** The bytes of a change in a snapshot beside its attributes. */
const bytesOfChange = 250;

/** Finds repetitions for which an environment has no room, or no time: a run stops there. */
export function* limitWarnings(scenario: Scenario): Generator<Finding> {
  const { repeat, steps } = scenario;
  const parties = newInvestmentOf(scenario).signing_parties;
  const count = repeat?.count ?? 1;
  const bytes = steps.reduce(
    (sum, step) => sum + JSON.stringify(step.effects).length + bytesOfChange * changesIn(step, parties),
    JSON.stringify(progressOf(scenario)[0]?.example ?? "").length + bytesOfChange,
  );
  const room = bounds.environment * megabyte;
  if (count * bytes > room * 0.9) {
    const most = Math.floor((room * 0.9) / bytes).toLocaleString("en");
    yield about(
      repeat ? ["repeat", "count"] : ["steps"],
      `may take more than the ${bounds.environment} MB that an environment has, and then the run stops; some ${most} repetitions have room.`,
    );
  }
  const end = steps.reduce((sum, { trigger }) => sum + longest(trigger), count * (repeat?.every ?? 0));
  if (end > lastYears * 365 * day)
    yield about(
      ["steps"],
      `may go on after the year 9999, where the run stops: it lasts up to ${formatDuration(end)}.`,
    );
}

/** From now to the end of all dates. */
const lastYears = 7900;

function longest(trigger: Step["trigger"]): number {
  if (trigger.kind === "after") return trigger.most ?? trigger.by;
  return trigger.kind === "at" && "since" in trigger ? (trigger.most ?? trigger.since) : 0;
}
