import type { RunDescription, Runs } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { Mistake } from "../../model/mistakes.ts";
import { text } from "../../settings/kinds.ts";
import { connectedCommand } from "../connection.ts";
import { runBlock } from "../output/lines.ts";

/** The runs with a waiting step, in the order in which they began. */
export function waitingRuns(runs: readonly RunDescription[]): RunDescription[] {
  return runs.filter(({ steps }) => steps.some(({ status }) => status === "waiting"));
}

async function onlyWaitingRun(runs: Runs): Promise<RunDescription> {
  const [run, ...others] = waitingRuns(await runs.list());
  if (!run) throw new ControlError("conflict", "No run has a waiting step.");
  if (others.length === 0) return run;
  const waiting = [run, ...others].map(({ id, scenario }) => `${id} (${scenario})`);
  throw new Mistake(`Several runs wait: ${waiting.join(", ")}. Name one: scenario next ${run.id}.`);
}

const playFlags = {
  offering: {
    kind: text("alias|id", "an offering's alias or id"),
    defaultInWords: "the scenario's own",
    words: "the offering to play it on",
  },
  investment: {
    kind: text("alias|id", "an investment's alias or id"),
    defaultInWords: "the scenario's own",
    words: "the investment to play it on",
  },
} as const;

export const playCommands = [
  connectedCommand({
    name: "scenario play",
    summary: "Play a scenario in a running sandbox.",
    operand: "name or file",
    flags: playFlags,
    examples: [
      ["scenario play closing", "a scenario that ships"],
      ["scenario play my.yaml --offering aurora", "your own, on the offering aurora"],
    ],
    ask: async (nameOrFile, { offering, investment }) => {
      const { scenarioOf } = await import("../../control/files.ts");
      const scenario = await scenarioOf(nameOrFile);
      return (environment) => environment.play(scenario, { offering_id: offering, investment_id: investment });
    },
    show: runBlock,
  }),
  connectedCommand({
    name: "scenario next",
    summary: "Play the waiting step of a run.",
    operand: "[run]",
    examples: [
      ["scenario next", "of the only run that waits"],
      ["scenario next run-2", "of the second run"],
    ],
    ask: (id) => async (environment) => environment.runs.next(id ?? (await onlyWaitingRun(environment.runs)).id),
    show: runBlock,
  }),
];
