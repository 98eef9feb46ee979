import type { RunDescription, RunStep } from "../../control.ts";
import { count } from "./count.ts";

/** `closing (run-1): step 3 of 7 played, waiting`, from the run before and after. */
export function playedStep(before: RunDescription, after: RunDescription): string {
  const waited = new Set(before.steps.filter(({ status }) => status === "waiting").map(place));
  const played = after.steps.filter((step) => step.status === "done" && waited.has(place(step)));
  const steps = [...new Set(played.map(({ index }) => index + 1))].join(", ");
  const all = Math.max(...after.steps.map(({ index }) => index + 1));
  const investments = new Set(played.map(({ investment_id: id }) => id)).size;
  const of = investments > 1 ? ` for ${count(investments, "investment")}` : "";
  return `${after.scenario} (${after.id}): step ${steps} of ${all} played${of}, ${after.status}`;
}

function place({ investment_id: investment, index }: RunStep): string {
  return `${investment} ${index}`;
}
