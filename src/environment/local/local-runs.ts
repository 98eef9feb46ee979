import type { RunDescription, Runs } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import type { Environment } from "../environment.ts";
import type { Run } from "../runs/run.ts";
import type { Perform } from "./perform.ts";

/** The runs of an environment in this process. */
export function localRuns(environment: Environment, perform: Perform): Runs {
  const find = (id: string): Run => {
    const run = environment.stores.runs.all.find((candidate) => candidate.id === id);
    if (!run) throw new ControlError("not_found", "There is no run of this id.");
    return run;
  };
  const described = (run: Run): RunDescription => {
    environment.read();
    return environment.stores.runs.describe(run);
  };
  return {
    list: () => perform(() => environment.stores.runs.all.map(described)),
    next: (id) =>
      perform(() => {
        const run = find(id);
        environment.stores.runs.next(run);
        return described(run);
      }),
    stop: (id) =>
      perform(() => {
        const run = find(id);
        environment.stores.runs.stop(run);
        return described(run);
      }),
  };
}
