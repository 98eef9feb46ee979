import type { FaultRule } from "../model/fault.ts";
import type { Instant } from "../model/instant.ts";

/** A rule that makes matching requests fail or wait, while it is in force. */
export interface Fault {
  readonly id: string;
  readonly rule: FaultRule;
  readonly from: Instant;
  /** From this instant on it is over; null is never. */
  readonly until: Instant | null;
}

/** Whether a fault is in force at an instant. */
export function inForce({ from, until }: Fault, now: Instant): boolean {
  return from <= now && (until === null || now < until);
}
