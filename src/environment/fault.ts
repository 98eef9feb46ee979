import type { Fault } from "../model/change.ts";
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

/** Whether a fault is in force at an instant. */
export function inForce({ from, until }: Fault, now: Instant): boolean {
  return from <= now && (until === null || now < until);
}
