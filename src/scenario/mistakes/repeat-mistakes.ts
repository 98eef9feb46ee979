import { about, type Finding } from "../../model/finding.ts";
import { isMembers, type Members } from "../../model/members.ts";
import { mostPlayedSteps } from "../limits.ts";

/** Finds that a repetition has not a new investment of its own each time, or that all of them together are too long. */
export function* repeatMistakes({ repeat, investment, steps }: Members): Generator<Finding> {
  if (repeat === undefined) return;
  const count = isMembers(repeat) && typeof repeat["count"] === "number" ? repeat["count"] : 1;
  if (Array.isArray(steps) && count * steps.length > mostPlayedSteps) {
    const most = Math.floor(mostPlayedSteps / steps.length);
    yield about(["repeat", "count"], `is ${count}; expected ${most} at most, with ${steps.length} steps each.`);
  }
  if (typeof investment === "string") {
    yield about(["repeat"], "brings new investments, but investment names one that exists; expected one of the two.");
  } else if (isMembers(investment)) {
    for (const name of ["id", "alias", "investment_number"]) {
      if (investment[name] === undefined) continue;
      yield about(["investment", name], "would be the same for each repetition; expected to be left out.");
    }
  }
}
