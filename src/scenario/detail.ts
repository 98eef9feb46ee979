import { stringify } from "yaml";
import type { ScenarioDetail } from "../control.ts";
import { formatDuration, formatSpan } from "../model/duration.ts";
import { writtenEffects } from "./effects.ts";
import { outlineOf } from "./outline.ts";
import { checkScenario, remarks, sourceOf } from "./parse.ts";
import type { Scenario, Trigger } from "./scenario.ts";

/** Tells a scenario, by the text that it was read from or by one that says the same. */
export function scenarioDetail(scenario: Scenario): ScenarioDetail {
  const { name, description } = scenario;
  const { text, warnings } = sourceOf(scenario) ?? printed(writtenForm(scenario));
  return { name, description, ...outlineOf(scenario), text, warnings: remarks(warnings) };
}

function printed(document: object) {
  return { text: stringify(document), warnings: checkScenario(document).warnings };
}

/** Writes a checked scenario as the content of a file. */
export function writtenForm({ name, description, offering, investment, repeat, steps }: Scenario): object {
  return {
    name,
    ...(description !== "" && { description }),
    ...(offering !== null && { offering }),
    ...((typeof investment === "string" || Object.keys(investment).length > 0) && { investment }),
    ...(repeat && {
      repeat: { ...repeat, every: formatDuration(repeat.every), jitter: formatDuration(repeat.jitter) },
    }),
    steps: steps.map(({ trigger, effects }) => ({ ...writtenTrigger(trigger), ...writtenEffects(effects) })),
  };
}

function writtenTrigger(trigger: Trigger): object {
  switch (trigger.kind) {
    case "after": {
      const { by, most = by } = trigger;
      return most === 0 ? {} : { after: formatSpan([by, most]) };
    }
    case "at":
      if ("since" in trigger) return { at: formatSpan([trigger.since, trigger.most ?? trigger.since]) };
      return { at: trigger.instant + (trigger.until === undefined ? "" : `..${trigger.until}`) };
    case "after_reads":
      return { after_reads: trigger.reads };
    case "next":
      return { next: true };
  }
}
