import { defaultId, type Environments } from "../../environment/environments.ts";
import { stoppedRun } from "../output/lines.ts";
import type { Log } from "../output/log.ts";

/** Warns of each run that stops because a step or repetition was impossible. */
export function tellStoppedRuns(environments: Environments, log: Log): void {
  environments.onProblem(({ id, scenario, problem }, environment) => {
    const where = environment.id === defaultId ? "" : `environment ${environment.id}: `;
    const warning = where + stoppedRun({ id, scenario: scenario.name, problem: problem ?? "" });
    log.warning(environments.secrets.redact(warning));
  });
}
