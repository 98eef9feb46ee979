import type { RunDescription } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { missing } from "../environment/references.ts";
import type { Run } from "../environment/run.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Handlers } from "./call.ts";
import { scenarioFrom, tellScenario } from "./scenarios.ts";

/** The work of the operations on runs. */
export const runHandlers = {
  listRuns: ({ environment: { parts } }) => ({ data: parts.runs.all.map((run) => parts.runs.describe(run)) }),

  async getRun({ environment, id }) {
    const run = findRun(environment, id);
    const script = await tellScenario(run.scenario);
    return { ...environment.parts.runs.describe(run), script };
  },

  async playScenario({ environment, isRemote, body }) {
    const { scenario, ...subject } = typeof body === "string" ? { scenario: body } : body;
    const script = await scenarioFrom(scenario, environment.setup.loadedScenarios, isRemote);
    await environment.parts.runs.prepare();
    const run = await environment.whenCaughtUp(() => environment.parts.runs.play(script, subject));
    return environment.whenCaughtUp(() => environment.parts.runs.describe(run));
  },

  playNext: ({ environment, id }) => continueRun(environment, id, "next"),
  stopRun: ({ environment, id }) => continueRun(environment, id, "stop"),
} satisfies Partial<Handlers>;

/** Plays the waiting step of a run, or stops the run. */
function continueRun(environment: Environment, id: string, command: "next" | "stop"): RunDescription {
  const { runs } = environment.parts;
  const run = findRun(environment, id);
  runs[command](run);
  environment.read();
  return runs.describe(run);
}

function findRun({ parts: { runs } }: Environment, id: string): Run {
  const run = runs.all.find((candidate) => candidate.id === id);
  const ids = runs.all.map((each) => each.id);
  if (!run) throw new ControlError("not_found", missing("run", id, ids));
  return run;
}
