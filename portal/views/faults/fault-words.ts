import type { FaultDescription } from "../../../src/control.ts";
import { count, number, span } from "../../format.ts";

/** Whether a fault applies now: the clock may have passed its end since the fault was loaded. */
export function isInForce({ active, until }: FaultDescription, now: number): boolean {
  return active && (until === null || now < Date.parse(until));
}

export function faultsInForce(faults: readonly FaultDescription[], now: number): readonly FaultDescription[] {
  return faults.filter((fault) => isInForce(fault, now));
}

/** `met 1 request, 1 to go, 28 s left on the clock`. */
export function usedInWords({ used, times, until }: FaultDescription, now: number, isPaused: boolean): string {
  const remaining = until === null ? 0 : Date.parse(until) - now;
  return [
    used === 0 ? "not met yet" : `met ${count(used, "request")}`,
    times !== undefined && times > used && `${number(times - used)} to go`,
    remaining > 0 && `${span(remaining)} left on the clock${isPaused ? ", which is paused" : ""}`,
  ]
    .filter(Boolean)
    .join(", ");
}
