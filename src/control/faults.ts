import { findKey, formatMissing } from "../environment/references.ts";
import { ControlError } from "../errors/control-error.ts";
import { inputLimits } from "../bounds/bounds.ts";
import type { Fault } from "../model/resources.ts";
import { readDuration } from "../time/duration.ts";
import { withKeyId } from "../model/fault.ts";
import { instantAfter } from "../time/instant.ts";
import type { Handlers } from "./call.ts";
import { currentFaults, describeFault, describeFaults } from "./describe.ts";

/** Maximum number of faults: more than a test needs, and few enough to bound the memory. */
const maxFaults = 1000;

/** The handlers of the operations on faults. Setting the clock back does not restore a removed fault. */
export const faultHandlers = {
  listFaults: ({ environment }) => ({ data: describeFaults(environment) }),

  addFault({ environment, body: { for: duration, ...ruleInput } }) {
    const rule = withKeyId(ruleInput, (reference) => findKey(environment.keys, reference).id);
    const { faultUses, creationCount } = environment.internals;
    const faults = currentFaults(environment).filter((fault) => !faultUses.isExhausted(fault));
    if (faults.length >= maxFaults)
      throw new ControlError("conflict", `There are ${maxFaults} faults already; remove some.`);
    const rules = JSON.stringify([rule, ...faults.map((fault) => fault.rule)]);
    if (rules.length > inputLimits.faultRules) {
      const maxLength = inputLimits.faultRules.toLocaleString("en");
      throw new ControlError("conflict", `All faults together may have ${maxLength} characters; remove some.`);
    }
    const { now } = environment.read();
    const until = duration === undefined ? null : instantAfter(now, readDuration(duration) ?? 0);
    const fault: Fault = { id: `fault-${creationCount + 1}`, rule, from: now, until };
    environment.record([{ kind: "new_fault", fault, date: now }]);
    return describeFault(fault, faultUses, now);
  },

  removeFaults: ({ environment }) => environment.removeFaults(currentFaults(environment)),

  removeFault({ environment, id }) {
    const faults = currentFaults(environment);
    const ids = faults.map((fault) => fault.id);
    if (!ids.includes(id)) throw new ControlError("not_found", formatMissing("fault", id, ids));
    environment.removeFaults(faults.filter((fault) => fault.id === id));
  },
} satisfies Partial<Handlers>;
