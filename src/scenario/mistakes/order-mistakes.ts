import { formatDuration, parseDuration } from "../../model/duration.ts";
import { about, type Finding } from "../../model/finding.ts";
import { formatInstant, parseIsoDate } from "../../model/instant.ts";
import type { Members } from "../../model/members.ts";

/** Finds steps that would happen before the step before them. What waits may take any time, none included. */
export function* orderMistakes(steps: readonly Members[]): Generator<Finding> {
  let since = 0;
  let instant: number | undefined;
  for (const [index, { after, at }] of steps.entries()) {
    const path = ["steps", index, "at"];
    const passed = (typeof after === "string" ? parseDuration(after) : undefined) ?? 0;
    since += passed;
    if (instant !== undefined) instant += passed;
    if (typeof at !== "string") continue;
    const duration = parseDuration(at);
    const date = parseIsoDate(at)?.milliseconds;
    if (duration !== undefined) {
      if (duration < since)
        yield about(path, `is before the step before it; expected ${formatDuration(since)} or later.`);
      since = Math.max(since, duration);
    } else if (date !== undefined) {
      if (instant !== undefined && date < instant) {
        yield about(path, `is before the step before it; expected ${formatInstant(instant)} or later.`);
      }
      instant = Math.max(instant ?? date, date);
    }
  }
}
