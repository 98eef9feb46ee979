import type { BehaviorCoverage, CoverageExample, CoverageReport } from "../public/coverage-report.ts";
import { version } from "../package.ts";
import { behaviors, maxExamples, onlyIfCovered, risks } from "./catalog.ts";
import type { SerializedCounts } from "./sums.ts";

/** How often a behavior or risk was covered, and where. */
interface Occurrences {
  count: number;
  examples: readonly CoverageExample[];
}

export const partSuffix = ".part.json";

const riskIds: ReadonlySet<string> = new Set(risks.map(({ id }) => id));

/** The counts of one environment or several; counts can be added in any order. */
export class CoverageCounts {
  requests = 0;
  undecided = 0;
  environments = 0;
  readonly #occurrences = new Map<string, Occurrences>();

  static of({ requests, undecided, environments, occurrences }: SerializedCounts): CoverageCounts {
    const counts = Object.assign(new CoverageCounts(), { requests, undecided, environments });
    for (const { id, count, examples } of occurrences) counts.count(id, examples, count);
    return counts;
  }

  /** Counts a behavior or a risk. */
  count(id: string, examples: readonly CoverageExample[], count = 1): void {
    const occurrences = this.#occurrences.get(id);
    if (!occurrences) return void this.#occurrences.set(id, { count, examples: selectExamples(id, examples) });
    occurrences.count += count;
    if (examples.length > 0) occurrences.examples = selectExamples(id, [...occurrences.examples, ...examples]);
  }

  /** Reverts a count of a request. */
  uncount(id: string, environment: string, entryId: number): void {
    const occurrences = this.#occurrencesOf(id);
    if (!occurrences) return;
    occurrences.count -= 1;
    occurrences.examples = occurrences.examples.filter(
      (example) => example.environment !== environment || example.id !== entryId,
    );
  }

  /** Returns how often a behavior or risk was covered, and where; undefined if it was not. */
  #occurrencesOf(id: string): Occurrences | undefined {
    const occurrences = this.#occurrences.get(id);
    return occurrences && occurrences.count > 0 ? occurrences : undefined;
  }

  /** Returns true if no example of a later request would be stored. */
  hasAllExamples(id: string): boolean {
    const { examples = [] } = this.#occurrences.get(id) ?? {};
    return (riskIds.has(id) ? distinctRequests(examples) : examples).length === maxExamples;
  }

  add(addedCounts: CoverageCounts): void {
    this.requests += addedCounts.requests;
    this.undecided += addedCounts.undecided;
    this.environments += addedCounts.environments;
    for (const [id, { count, examples }] of addedCounts.#occurrences) this.count(id, examples, count);
  }

  serialize(part: string): SerializedCounts {
    const { requests, undecided, environments } = this;
    const covered = [...this.#occurrences].filter(([, { count }]) => count > 0);
    const occurrences = covered.map(([id, occurrence]) => ({ id, ...occurrence }));
    return { part, program: version, requests, undecided, environments, occurrences };
  }

  report(): CoverageReport {
    const { requests, undecided, environments } = this;
    const coverages = behaviors
      .map((behavior): BehaviorCoverage => {
        const { count = 0, examples = [] } = this.#occurrencesOf(behavior.id) ?? {};
        return { ...behavior, count, first: examples[0] ?? null };
      })
      .filter(({ id, count }) => id !== onlyIfCovered || count > 0);
    return {
      covered: coverages.filter(({ count }) => count > 0).length,
      total: coverages.length,
      requests,
      undecided,
      environments,
      behaviors: coverages,
      risks: risks.flatMap(({ id, sentence }) => {
        const occurrences = this.#occurrencesOf(id);
        return occurrences ? [{ id, sentence, ...occurrences }] : [];
      }),
    };
  }
}

/** Returns the first examples, whatever the order of arrival; for a risk, first one of each different request. */
function selectExamples(id: string, examples: readonly CoverageExample[]): readonly CoverageExample[] {
  const sorted = examples.toSorted(compareExamples);
  const inOrder = riskIds.has(id) ? [...new Set([...distinctRequests(sorted), ...sorted])] : sorted;
  return inOrder.slice(0, maxExamples);
}

/** Returns the first example of each request. Requests that differ only in values of the query are the same. */
export function distinctRequests(examples: readonly CoverageExample[]): CoverageExample[] {
  const requestForms = examples.map(({ request }) => request.replaceAll(/=[^&]*/g, "="));
  return examples.filter((_, index) => requestForms.indexOf(requestForms[index] ?? "") === index);
}

function compareExamples(left: CoverageExample, right: CoverageExample): number {
  // An example with the name of a test is the most useful.
  if (left.test !== right.test) return right.test === null || (left.test !== null && left.test < right.test) ? -1 : 1;
  if (left.environment !== right.environment) return left.environment < right.environment ? -1 : 1;
  if (left.id !== right.id) return left.id - right.id;
  // Two processes may each have an environment of this id.
  return Number(left.request > right.request) - Number(left.request < right.request);
}
