import type { BehaviorCoverage, CoverageExample, CoverageReport } from "../public/coverage-report.ts";
import { version } from "../package.ts";
import { behaviors, maxExamples, onlyIfCovered, risks } from "./catalog.ts";
import type { Sums } from "./sums.ts";

/** How often a behavior or risk was covered, and where. */
interface Occurrences {
  count: number;
  examples: readonly CoverageExample[];
}

export const partEnding = ".part.json";

const riskIds: ReadonlySet<string> = new Set(risks.map(({ id }) => id));

/** Counts of one environment or many, which can be added in any order. */
export class CoverageCounts {
  requests = 0;
  undecided = 0;
  environments = 0;
  readonly #occurrences = new Map<string, Occurrences>();

  static of({ requests, undecided, environments, occurrences }: Sums): CoverageCounts {
    const tally = Object.assign(new CoverageCounts(), { requests, undecided, environments });
    for (const { id, count, examples } of occurrences) tally.count(id, examples, count);
    return tally;
  }

  /** Counts a behavior or a risk. */
  count(id: string, examples: readonly CoverageExample[], count = 1): void {
    const occurrences = this.#occurrences.get(id);
    if (!occurrences) return void this.#occurrences.set(id, { count, examples: firstOf(id, examples) });
    occurrences.count += count;
    if (examples.length > 0) occurrences.examples = firstOf(id, [...occurrences.examples, ...examples]);
  }

  /** Undoes a count at a request. */
  uncount(id: string, environment: string, entryId: number): void {
    const occurrences = this.#occurrencesOf(id);
    if (!occurrences) return;
    occurrences.count -= 1;
    occurrences.examples = occurrences.examples.filter(
      (example) => example.environment !== environment || example.id !== entryId,
    );
  }

  /** How often something was covered, and where; undefined if it was not. */
  #occurrencesOf(id: string): Occurrences | undefined {
    const occurrences = this.#occurrences.get(id);
    return occurrences && occurrences.count > 0 ? occurrences : undefined;
  }

  /** Whether there are enough examples, so that no example of a later request would be stored. */
  hasAllExamples(id: string): boolean {
    const { examples = [] } = this.#occurrences.get(id) ?? {};
    return (riskIds.has(id) ? differentOf(examples) : examples).length === maxExamples;
  }

  add(added: CoverageCounts): void {
    this.requests += added.requests;
    this.undecided += added.undecided;
    this.environments += added.environments;
    for (const [id, { count, examples }] of added.#occurrences) this.count(id, examples, count);
  }

  sums(part: string): Sums {
    const { requests, undecided, environments } = this;
    const met = [...this.#occurrences].filter(([, { count }]) => count > 0);
    const occurrences = met.map(([id, occurrence]) => ({ id, ...occurrence }));
    return { part, program: version, requests, undecided, environments, occurrences };
  }

  report(): CoverageReport {
    const { requests, undecided, environments } = this;
    const all = behaviors
      .map(({ remedy, ...behavior }): BehaviorCoverage => {
        const { count = 0, examples = [] } = this.#occurrencesOf(behavior.id) ?? {};
        return { ...behavior, count, first: examples[0] ?? null, snippet: remedy };
      })
      .filter(({ id, count }) => id !== onlyIfCovered || count > 0);
    return {
      covered: all.filter(({ count }) => count > 0).length,
      total: all.length,
      requests,
      undecided,
      environments,
      behaviors: all,
      risks: risks.flatMap(({ id, sentence }) => {
        const occurrences = this.#occurrencesOf(id);
        return occurrences ? [{ id, sentence, ...occurrences }] : [];
      }),
    };
  }
}

/**
 * The first few examples, in an order that does not depend on the order of arrival; of a risk, one of each different
 * request, and only then others of the same requests.
 */
function firstOf(id: string, examples: readonly CoverageExample[]): readonly CoverageExample[] {
  const sorted = examples.toSorted(compareExamples);
  const inOrder = riskIds.has(id) ? [...new Set([...differentOf(sorted), ...sorted])] : sorted;
  return inOrder.slice(0, maxExamples);
}

/** The first example of each request, whatever the values in its query. */
export function differentOf(examples: readonly CoverageExample[]): CoverageExample[] {
  const forms = examples.map(({ request }) => request.replaceAll(/=[^&]*/g, "="));
  return examples.filter((_, at) => forms.indexOf(forms[at] ?? "") === at);
}

function compareExamples(left: CoverageExample, right: CoverageExample): number {
  // An example with the name of a test is the most useful.
  if (left.test !== right.test) return right.test === null || (left.test !== null && left.test < right.test) ? -1 : 1;
  if (left.environment !== right.environment) return left.environment < right.environment ? -1 : 1;
  if (left.id !== right.id) return left.id - right.id;
  // Two processes may each have an environment of this id.
  return Number(left.request > right.request) - Number(left.request < right.request);
}
