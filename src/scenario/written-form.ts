import { formatDuration, formatSpan } from "../model/duration.ts";
import { writtenEffects } from "./step-effects.ts";
import type { Scenario, Trigger } from "./scenario.ts";

/** Writes a checked scenario as the content of a file, from which `checkScenario` reads an equal one. Loads no zod and no YAML. */
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
      const { by, most: max = by } = trigger;
      return max === 0 ? {} : { after: formatSpan([by, max]) };
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
