import { appendFileSync } from "node:fs";
import type { Environment } from "../environment/environment.ts";
import type { Environments } from "../environment/environments.ts";
import type { RequestEntry } from "../requests.ts";

/**
 * Returns a listener that writes what varies in an environment to a file, at the first request there; undefined where no
 * file is asked for. So `exec` and `bisect` learn of servers in processes of their command.
 */
export function varyReport(environments: Environments): ((entry: RequestEntry) => void) | undefined {
  const { OFFERING_SANDBOX_VARY_REPORT: file = "" } = process.env;
  if (file === "") return undefined;
  const reported = new WeakSet<Environment>();
  return ({ environment: id }) => {
    const environment = id === null ? undefined : environments.get(id);
    if (!environment || reported.has(environment)) return;
    reported.add(environment);
    const { assumptions, marks } = environment;
    const varied = [...(marks ?? [])].flatMap(([row, mark]) => (mark === "varied" ? [[row, assumptions[row]]] : []));
    appendFileSync(file, `${JSON.stringify(Object.fromEntries(varied))}\n`);
  };
}
