import type { BehaviourCoverage, CoverageExample, CoverageReport, RiskCoverage } from "../coverage-report.ts";
import { type Behaviour, behaviours, type Risk, risks } from "./catalogue.ts";

/** How often something was met, and where. */
interface Meeting {
  readonly count: number;
  readonly examples: readonly CoverageExample[];
}

/** The counts of one process, as they are written to a folder. */
export interface Sums {
  /** Names the process's counts: in a folder or several, they are added once. */
  readonly part: string;
  readonly requests: number;
  readonly not_looked_at: number;
  readonly undecided: number;
  readonly environments: number;
  readonly meetings: readonly (Meeting & { readonly id: string })[];
}

/** The most examples of a risk. */
export const mostExamples = 5;

const never: Meeting = { count: 0, examples: [] };

/** Counts of one environment or many, which can be added in any order. */
export class Tally {
  requests = 0;
  notLookedAt = 0;
  undecided = 0;
  environments = 0;
  readonly #meetings = new Map<string, Meeting>();

  static of({ requests, not_looked_at, undecided, environments, meetings }: Sums): Tally {
    const tally = Object.assign(new Tally(), { requests, notLookedAt: not_looked_at, undecided, environments });
    for (const { id, count, examples } of meetings) tally.count(id, examples, count);
    return tally;
  }

  /** Counts a behaviour or a risk. */
  count(id: string, examples: readonly CoverageExample[], count = 1): void {
    const before = this.#meetings.get(id) ?? never;
    this.#meetings.set(id, { count: before.count + count, examples: firstOf(before.examples, examples) });
  }

  add(other: Tally): void {
    this.requests += other.requests;
    this.notLookedAt += other.notLookedAt;
    this.undecided += other.undecided;
    this.environments += other.environments;
    for (const [id, { count, examples }] of other.#meetings) this.count(id, examples, count);
  }

  sums(part: string): Sums {
    const { requests, notLookedAt: not_looked_at, undecided, environments } = this;
    const meetings = Array.from(this.#meetings, ([id, meeting]) => ({ id, ...meeting }));
    return { part, requests, not_looked_at, undecided, environments, meetings };
  }

  report(): CoverageReport {
    const { requests, notLookedAt: not_looked_at, undecided, environments } = this;
    const all = behaviours.map((one) => this.#behaviour(one));
    return {
      met: all.filter(({ count }) => count > 0).length,
      of: all.length,
      requests,
      not_looked_at,
      undecided,
      environments,
      behaviours: all,
      risks: risks.flatMap((risk) => this.#risk(risk)),
    };
  }

  #behaviour({ remedy, ...behaviour }: Behaviour): BehaviourCoverage {
    const { count, examples } = this.#meetings.get(behaviour.id) ?? never;
    return { ...behaviour, count, first: examples[0] ?? null, meet: remedy };
  }

  #risk({ id, sentence }: Risk): RiskCoverage[] {
    const meeting = this.#meetings.get(id);
    return meeting ? [{ id, sentence, ...meeting }] : [];
  }
}

/** The first few in an order that does not depend on that of their coming. */
function firstOf(known: readonly CoverageExample[], more: readonly CoverageExample[]): readonly CoverageExample[] {
  const last = known[mostExamples - 1];
  if (last && more.every((one) => compare(one, last) >= 0)) return known;
  return [...known, ...more].toSorted(compare).slice(0, mostExamples);
}

function compare(one: CoverageExample, other: CoverageExample): number {
  const [test, otherTest] = [one.test ?? "", other.test ?? ""];
  if (test !== otherTest) return test < otherTest ? -1 : 1;
  if (one.environment !== other.environment) return one.environment < other.environment ? -1 : 1;
  if (one.id !== other.id) return one.id - other.id;
  // Processes count their environments each for itself.
  return Number(one.request > other.request) - Number(one.request < other.request);
}
