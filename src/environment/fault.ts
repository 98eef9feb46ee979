import type { FaultRule } from "../model/fault.ts";
import type { Instant } from "../model/instant.ts";

/** How many requests each fault has met. */
export class FaultUses {
  readonly #uses: Map<string, number>;

  constructor(uses: Readonly<Record<string, number>> = {}) {
    this.#uses = new Map(Object.entries(uses));
  }

  get(faultId: string): number {
    return this.#uses.get(faultId) ?? 0;
  }

  count(faultId: string): void {
    this.#uses.set(faultId, this.get(faultId) + 1);
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#uses);
  }
}

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
