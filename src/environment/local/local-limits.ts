import type { LimitsControl } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { describeLimit } from "../describe.ts";
import type { Environment } from "../environment.ts";
import type { Perform } from "./perform.ts";

/** The rate limits of an environment in this process. */
export function localLimits(environment: Environment, perform: Perform): LimitsControl {
  return {
    list: () => perform(() => environment.keys.map(({ id }) => describeLimit(environment, id))),
    clear: () => perform(() => environment.stores.limits.clear()),
    set: (keyId, used) =>
      perform(() => {
        if (!environment.read().state.key(keyId)) throw new ControlError("not_found", "There is no key of this id.");
        if (!Number.isInteger(used) || used < 0 || used > 1_000_000) {
          throw new ControlError("invalid", "used is a whole number from 0 to 1000000.");
        }
        environment.stores.limits.set(keyId, used);
        return describeLimit(environment, keyId);
      }),
  };
}
