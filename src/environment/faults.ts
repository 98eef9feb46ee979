import type { Fault } from "../model/change.ts";
import { type FaultCandidate, matchesFault } from "../model/fault.ts";
import { type Instant, never } from "../model/instant.ts";
import type { Reading } from "./view.ts";

/** The faults in force from one instant until another, while no fault comes or goes. */
interface FaultsInForce {
  readonly revision: number;
  readonly from: Instant;
  readonly until: Instant;
  faults: readonly Fault[];
}

/** The number of requests that each fault has met. */
export class FaultUses {
  readonly #uses: Map<string, number>;
  #known: FaultsInForce | undefined;

  constructor(uses: Readonly<Record<string, number>> = {}) {
    this.#uses = new Map(Object.entries(uses));
  }

  get(faultId: string): number {
    return this.#uses.get(faultId) ?? 0;
  }

  /** Finds the first fault in force that matches a request, and counts the request against it. */
  meet(request: FaultCandidate, reading: Reading): Fault | undefined {
    const known = this.#inForce(reading);
    const fault = known.faults.find(({ rule }) => matchesFault(rule, request));
    if (!fault) return undefined;
    this.#uses.set(fault.id, this.get(fault.id) + 1);
    if (this.#isUsedUp(fault)) known.faults = known.faults.filter((other) => other !== fault);
    return fault;
  }

  forget(faultId: string): void {
    this.#uses.delete(faultId);
  }

  /** Whether a fault is in force at an instant and not used up. */
  isActive(fault: Fault, now: Instant): boolean {
    return fault.from <= now && now < (fault.until ?? never) && !this.#isUsedUp(fault);
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#uses);
  }

  /** Remembered, so that a request costs nothing for faults that are past or used up. */
  #inForce({ now, state }: Reading): FaultsInForce {
    const known = this.#known;
    if (known?.revision === state.faultRevision && known.from <= now && now < known.until) return known;
    const faults: Fault[] = [];
    let until: Instant = never;
    for (const fault of state.faults) {
      const next = now < fault.from ? fault.from : (fault.until ?? never);
      if (now < next && next < until) until = next;
      if (this.isActive(fault, now)) faults.push(fault);
    }
    this.#known = { revision: state.faultRevision, from: now, until, faults };
    return this.#known;
  }

  #isUsedUp({ id, rule }: Fault): boolean {
    return rule.times !== undefined && this.get(id) >= rule.times;
  }
}
