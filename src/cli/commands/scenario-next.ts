import type { RunDescription, Runs } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { Mistake } from "../../model/mistake.ts";
import { connectedCommand } from "../connection/connected-command.ts";
import { runBlock } from "../show/run-block.ts";
import { waitingRuns } from "../waiting-runs.ts";

/** Plays the step that a run of a running sandbox waits for. */
export const scenarioNext = connectedCommand({
  summary: "Play the step that a run waits for.",
  operand: "[run]",
  flags: {},
  examples: [
    ["scenario next", "of the run that waits, where only one does"],
    ["scenario next run-2", "of the second run"],
  ],
  ask:
    (_, id) =>
    async ({ runs }) =>
      runs.next(id ?? (await theOneThatWaits(runs)).id),
  show: runBlock,
});

async function theOneThatWaits(runs: Runs): Promise<RunDescription> {
  const [run, ...others] = waitingRuns(await runs.list());
  if (!run) throw new ControlError("conflict", "No run waits for its next step.");
  if (others.length === 0) return run;
  const waiting = [run, ...others].map(({ id, scenario }) => `${id} (${scenario})`);
  throw new Mistake(`Several runs wait: ${waiting.join(", ")}. Name one: scenario next ${run.id}.`);
}
