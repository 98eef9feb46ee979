import type { FaultDescription, Faults } from "../../control.ts";
import { ControlError } from "../../errors/control-error.ts";
import { describeFault } from "../describe.ts";
import type { Environment } from "../environment.ts";
import type { Fault } from "../fault.ts";
import type { Perform } from "./perform.ts";

/** More faults than anybody needs at once, so that nobody fills the memory with them. */
const most = 1000;

/** The faults of an environment in this process. */
export function localFaults(environment: Environment, perform: Perform): Faults {
  const current = (): Fault[] => {
    const { now, state } = environment.read();
    return [...state.faults].filter(({ until }) => until === null || until > now);
  };
  const described = (fault: Fault): FaultDescription =>
    describeFault(fault, environment.stores.faultUses.get(fault.id), environment.read().now);
  return {
    list: () => perform(() => current().map(described)),
    add: (given) =>
      perform(async () => {
        const [{ parseShape }, { faultRule }] = await Promise.all([
          import("../../model/parse-shape.ts"),
          import("../../model/schema/fault.ts"),
        ]);
        const rule = parseShape(faultRule, given, "the fault");
        if (current().length >= most)
          throw new ControlError("conflict", `There are ${most} faults already; remove some.`);
        const { now } = environment.read();
        const fault: Fault = { id: `fault-${environment.stores.timeline.issued + 1}`, rule, from: now, until: null };
        environment.record([{ kind: "new_fault", fault, date: now }]);
        return described(fault);
      }),
    remove: (id) =>
      perform(() => {
        const gone = current().filter((fault) => id === undefined || fault.id === id);
        if (id !== undefined && gone.length === 0) throw new ControlError("not_found", "There is no fault of this id.");
        const date = environment.read().now;
        environment.record(
          gone.map((fault) => ({ kind: "fault", fault_id: fault.id, attributes: { until: date }, date })),
        );
      }),
  };
}
