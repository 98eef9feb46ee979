import type { ScenarioDetail } from "../public/control.ts";
import { describeDuration, describeSpan } from "../time/duration.ts";
import { formatCount } from "../text/text.ts";
import { wordsOf } from "../model/words.ts";
import { dryRun } from "./dry-run.ts";
import type { Scenario, Step, Trigger } from "./scenario.ts";
import { formatEffect } from "./step-effects.ts";

/** Describes a scenario for people: its subject and its steps in words, and its states over time. */
export function outlineOf(scenario: Scenario): Pick<ScenarioDetail, "subject" | "steps" | "states"> {
  const since = elapsed(scenario.steps);
  return {
    subject: formatSubject(scenario),
    steps: scenario.steps.map(({ trigger, effects }, index) => ({
      trigger: trigger.kind,
      when: formatTrigger(trigger, index),
      since: since[index] ?? "",
      effects: wordsOf(effects.map((effect) => ({ ...effect, summary: formatEffect(effect) }))),
    })),
    states: dryRun(scenario).states,
  };
}

function formatSubject({ offering, investment, repeat }: Scenario): string {
  const of = offering ?? "the first offering";
  const on = typeof investment === "string" ? `the investment ${investment} of ${of}` : newSubject(investment, of);
  if (!repeat) return on;
  const { count, every, jitter } = repeat;
  const give = jitter > 0 ? `, give or take ${describeDuration(jitter)}` : "";
  return `${on}, ${count} times, every ${describeDuration(every)}${give}`;
}

function newSubject({ amount }: Exclude<Scenario["investment"], string>, offering: string): string {
  return `a new investment${amount === undefined ? "" : ` of ${amount.toLocaleString("en")}`} in ${offering}`;
}

/** Writes a trigger: `2 min later`. */
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

/** The time from the start to each step: `1 h 5 min`, `1 h to 2 h`; `?` for a waiting step, then `? + 5 min`. */
function elapsed(all: readonly Step[]): string[] {
  let [isKnown, least, most] = [true, 0, 0];
  return all.map(({ trigger }) => {
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
