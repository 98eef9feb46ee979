import type { RunDescription } from "../control.ts";

/** The runs that have a step that waits to be played, in the order in which they began. */
export function waitingRuns(runs: readonly RunDescription[]): RunDescription[] {
  return runs.filter(({ steps }) => steps.some(({ status }) => status === "waiting"));
}
