import { numberBetween, SeedPath, type Random } from "../fixture/complete/seed-path.ts";
import type { Fault, AppliedFault } from "../model/resources.ts";
import { readSpan } from "../time/duration.ts";
import { type FaultCandidate, matchesFault } from "../model/fault.ts";
import { type Instant, never } from "../time/instant.ts";
import type { StateAtInstant } from "./state.ts";

/** The active faults from one instant until another, while no fault begins or ends. */
interface ActiveFaults {
  readonly revision: number;
  readonly from: Instant;
  readonly until: Instant;
  faults: readonly Fault[];
}

type Counts = Readonly<Record<string, number>>;

/** Counts the requests to which each fault was applied. */
export class FaultUses {
  readonly #seed: number;
  readonly #uses: Map<string, number>;
  /** Matching requests of each fault with a share, whether it was applied or not. */
  readonly #matches: Map<string, number>;
  /** Number of requests counted against any fault. */
  revision = 0;
  #cached: ActiveFaults | undefined;

  constructor(seed: number, uses: Counts = {}, matches: Counts = {}) {
    this.#seed = seed;
    this.#uses = new Map(Object.entries(uses));
    this.#matches = new Map(Object.entries(matches));
  }

  get(faultId: string): number {
    return this.#uses.get(faultId) ?? 0;
  }

  /** Finds the first active fault that applies to a request. Counts the request for all matching faults up to it. */
  match(request: FaultCandidate, stateAtInstant: StateAtInstant): AppliedFault | undefined {
    const active = this.#activeFaultsAt(stateAtInstant);
    for (const fault of active.faults) {
      if (!matchesFault(fault.rule, request)) continue;
      this.revision += 1;
      const { share, delay = 0 } = fault.rule;
      const matches = share === undefined ? this.get(fault.id) : (this.#matches.get(fault.id) ?? 0);
      if (share !== undefined) this.#matches.set(fault.id, matches + 1);
      const random = (name: string): Random => SeedPath.root(this.#seed).at("faults", fault.id, matches, name).random();
      if (share !== undefined && !random("share").boolean(share)) continue;
      this.#uses.set(fault.id, this.get(fault.id) + 1);
      if (this.isExhausted(fault)) active.faults = active.faults.filter((candidate) => candidate !== fault);
      return { fault, delay: numberBetween(readSpan(delay) ?? [0, 0], () => random("delay")) };
    }
    return undefined;
  }

  forget(faultId: string): void {
    this.#uses.delete(faultId);
    this.#matches.delete(faultId);
  }

  isActive(fault: Fault, now: Instant): boolean {
    return fault.from <= now && now < (fault.until ?? never) && !this.isExhausted(fault);
  }

  /** Whether a fault was applied to the maximum number of requests. */
  isExhausted({ id, rule }: Fault): boolean {
    return rule.times !== undefined && this.get(id) >= rule.times;
  }

  /** The counts as plain data. */
  get data(): { readonly fault_uses: Counts; readonly fault_matches: Counts } {
    return { fault_uses: Object.fromEntries(this.#uses), fault_matches: Object.fromEntries(this.#matches) };
  }

  /** Returns the active faults. They are cached, so that past and exhausted faults cost a request nothing. */
  #activeFaultsAt({ now, state }: StateAtInstant): ActiveFaults {
    const cached = this.#cached;
    if (cached?.revision === state.faultRevision && cached.from <= now && now < cached.until) return cached;
    const faults: Fault[] = [];
    let until: Instant = never;
    for (const fault of state.faults) {
      const next = now < fault.from ? fault.from : (fault.until ?? never);
      if (now < next && next < until) until = next;
      if (this.isActive(fault, now)) faults.push(fault);
    }
    this.#cached = { revision: state.faultRevision, from: now, until, faults };
    return this.#cached;
  }
}
