import type { FaultDescription } from "../../src/public/control.ts";
import { formatCount, formatNumber, formatDuration } from "../base/format.ts";
import { withNames } from "../data/names.ts";
import { environment, now } from "../data/state.ts";

/** Whether a fault applies now: the clock may have passed its end since the fault was loaded. */
export function isActive({ active, until }: FaultDescription): boolean {
  return active && (until === null || now.value < Date.parse(until));
}

export function activeFaults(): readonly FaultDescription[] {
  return environment.data?.faults.filter(isActive) ?? [];
}

/** `the fault for every request: delay 2 s`; a fault that was removed is known only by its id. */
export function faultName(id: string): string {
  const fault = environment.data?.faults.find((item) => item.id === id);
  if (fault) return `the fault for ${withNames(fault.summary)}`;
  return environment.data ? `${id}, which was removed` : id;
}

/** `applied to 1 request, 1 remaining, 28 s left on the clock` */
export function formatUse({ used, times, until }: FaultDescription, isPaused: boolean): string {
  const remaining = until === null ? 0 : Date.parse(until) - now.value;
  return [
    used === 0 ? "not applied yet" : `applied to ${formatCount(used, "request")}`,
    times !== undefined && times > used && `${formatNumber(times - used)} remaining`,
    remaining > 0 && `${formatDuration(remaining)} left on the clock${isPaused ? ", which is paused" : ""}`,
  ]
    .filter(Boolean)
    .join(", ");
}
