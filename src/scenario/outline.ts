import type { ScenarioDetail } from "../public/control.ts";
import { describeDuration, describeSpan } from "../time/duration.ts";
import { formatCount } from "../text/text.ts";
import { summarize } from "../model/summaries.ts";
import { dryRun } from "./dry-run.ts";
import type { Scenario, Step, Trigger } from "./scenario.ts";
import { formatEffect } from "./step-effects.ts";

/** Describes a scenario for people: its subject and its steps in words, and its states over time. */
export function outlineOf(scenario: Scenario): Pick<ScenarioDetail, "subject" | "steps" | "states"> {
  const since = elapsedTimes(scenario.steps);
  return {
    subject: formatSubject(scenario),
    steps: scenario.steps.map(({ trigger, effects }, index) => ({
      trigger: trigger.kind,
      when: formatTrigger(trigger, index),
      since: since[index] ?? "",
      effects: summarize(effects.map((effect) => ({ ...effect, summary: formatEffect(effect) }))),
    })),
    states: dryRun(scenario).states,
  };
}

function formatSubject({ offering, investment, repeat }: Scenario): string {
  const offeringName = offering ?? "the first offering";
  const subject =
    typeof investment === "string"
      ? `the investment ${investment} of ${offeringName}`
      : newSubject(investment, offeringName);
  if (!repeat) return subject;
  const { count, every, jitter } = repeat;
  const tolerance = jitter > 0 ? `, give or take ${describeDuration(jitter)}` : "";
  return `${subject}, ${count} times, every ${describeDuration(every)}${tolerance}`;
}

function newSubject({ amount }: Exclude<Scenario["investment"], string>, offering: string): string {
  return `a new investment${amount === undefined ? "" : ` of ${amount.toLocaleString("en")}`} in ${offering}`;
}

/** Formats a trigger: `2 min later`. */
function formatTrigger(trigger: Trigger, index: number): string {
  switch (trigger.kind) {
    case "after": {
      const { by, most: max = by } = trigger;
      return max === 0 ? (index === 0 ? "at once" : "with it") : `${describeSpan([by, max])} later`;
    }
    case "at": {
      if (!("instant" in trigger)) return `at ${describeSpan([trigger.since, trigger.most ?? trigger.since])}`;
      return `at ${trigger.instant}${trigger.until === undefined ? "" : `..${trigger.until}`}`;
    }
    case "after_reads":
      return `after ${formatCount(trigger.reads, "read")}`;
    case "next":
      return "on command";
  }
}

/** Formats the time from the start to each step: `1 h 5 min`, `1 h to 2 h`; `?` if it waits, then `? + 5 min`. */
function elapsedTimes(steps: readonly Step[]): string[] {
  let [isKnown, least, most] = [true, 0, 0];
  return steps.map(({ trigger }) => {
    if (trigger.kind === "after") [least, most] = [least + trigger.by, most + (trigger.most ?? trigger.by)];
    else if (trigger.kind === "at" && "since" in trigger) {
      // The step before may cut off the beginning of its span.
      [least, most] = [isKnown ? Math.max(least, trigger.since) : trigger.since, trigger.most ?? trigger.since];
      isKnown = true;
    } else [isKnown, least, most] = [false, 0, 0];
    if (isKnown) return describeSpan([least, most]);
    return most === 0 ? "?" : `? + ${describeSpan([least, most])}`;
  });
}
