import { formatDuration } from "../../model/duration.ts";
import type { Step, Trigger } from "../../scenario/scenario.ts";

/** When a step happens: `2m later`. */
export function triggerInWords(trigger: Trigger, index: number): string {
  switch (trigger.kind) {
    case "after":
      return trigger.by === 0 ? (index === 0 ? "at once" : "with it") : `${formatDuration(trigger.by)} later`;
    case "at":
      return "instant" in trigger ? `at ${trigger.instant}` : `at ${formatDuration(trigger.since)}`;
    case "after_reads":
      return trigger.reads === 1 ? "after 1 read" : `after ${trigger.reads} reads`;
    case "next":
      return "when told";
  }
}

/** How long after the beginning each step happens: `1h5m`; `?` for one that waits, and counted from there what follows it. */
export function elapsed(steps: readonly Step[]): string[] {
  let [isKnown, since] = [true, 0];
  return steps.map(({ trigger }) => {
    if (trigger.kind === "after") since += trigger.by;
    else if (trigger.kind === "at" && "since" in trigger) [isKnown, since] = [true, trigger.since];
    else [isKnown, since] = [false, 0];
    if (isKnown) return formatDuration(since);
    return since === 0 ? "?" : `? + ${formatDuration(since)}`;
  });
}
