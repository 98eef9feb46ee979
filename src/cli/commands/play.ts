import type { RunDescription, Runs } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { Mistake } from "../../model/mistakes.ts";
import { isName } from "../../model/text.ts";
import { connectedCommand } from "../connection.ts";
import { runBlock } from "../output/lines.ts";
import { text } from "../../settings/kinds.ts";

/** The runs that have a step that waits to be played, in the order in which they began. */
export function waitingRuns(runs: readonly RunDescription[]): RunDescription[] {
  return runs.filter(({ steps }) => steps.some(({ status }) => status === "waiting"));
}

/** Plays the step that a run of a running sandbox waits for. */
export const scenarioNext = connectedCommand({
  name: "scenario next",
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

/** What a name or a file means to a running sandbox: the name, or what the file says. Throws FileMistakes, UnreadableFile. */
export async function scenarioToPlay(nameOrFile: string): Promise<string | object> {
  if (isName(nameOrFile)) return nameOrFile;
  const [{ readTextFile }, { parseScenario }, { ScenarioText }] = await Promise.all([
    import("../../fixture/read.ts"),
    import("../../scenario/parse.ts"),
    import("../../scenario/text.ts"),
  ]);
  const written = await readTextFile(nameOrFile);
  parseScenario(written, nameOrFile);
  return new ScenarioText(written, nameOrFile).content as object;
}

const flags = {
  offering: {
    kind: text("alias|id", "an offering's alias or id"),
    defaultInWords: "the one that the scenario names",
    words: "the offering to play it on",
  },
  investment: {
    kind: text("alias|id", "an investment's alias or id"),
    defaultInWords: "the one that the scenario names",
    words: "the investment to play it on",
  },
} as const;

/** Plays a scenario in a running sandbox. */
export const scenarioPlay = connectedCommand({
  name: "scenario play",
  summary: "Play a scenario in a running sandbox.",
  operand: "name or file",
  flags,
  examples: [
    ["scenario play closing", "one that the sandbox knows"],
    ["scenario play my.yaml --offering aurora", "your own, on the offering aurora"],
  ],
  ask: async ({ offering, investment }, nameOrFile = "") => {
    const scenario = await scenarioToPlay(nameOrFile);
    return (environment) => environment.play(scenario, { offering_id: offering, investment_id: investment });
  },
  show: runBlock,
});
