import type { Fault } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";

/** The number of requests that each fault has met. */
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

  /** Whether a fault is in force at an instant and not used up. */
  isActive({ id, rule, from, until }: Fault, now: Instant): boolean {
    if (now < from || (until !== null && now >= until)) return false;
    return rule.times === undefined || this.get(id) < rule.times;
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#uses);
  }
}
