import { parseAssumption } from "../../assumptions/parse-assumption.ts";
import type { AssumptionsControl } from "../../control.ts";
import { describeAssumptions } from "../describe.ts";
import type { Environment } from "../environment.ts";
import type { Perform } from "./perform.ts";

/** The assumptions of an environment in this process. */
export function localAssumptions(environment: Environment, perform: Perform): AssumptionsControl {
  return {
    list: () => perform(() => describeAssumptions(environment)),
    set: (changes) =>
      perform(() => {
        const parsed = Object.entries(changes).map(([id, value]) => parseAssumption(id, value));
        environment.assume(Object.assign({}, ...parsed) as ReturnType<typeof parseAssumption>);
        return describeAssumptions(environment);
      }),
  };
}
