import type { CoverageExample } from "../coverage-report.ts";
import { risks } from "./catalogue.ts";

/** How often a behaviour or risk was met, and where. */
interface Meeting {
  count: number;
  examples: readonly CoverageExample[];
}

/** The counts of one process, as they are written to a folder. */
export interface Sums {
  /** Names the process's counts: in a folder or several, they are added once. */
  readonly part: string;
  readonly requests: number;
  readonly undecided: number;
  readonly environments: number;
  readonly meetings: readonly (Readonly<Meeting> & { readonly id: string })[];
}

/** The end of the names of files with sums. */
export const partEnding = ".part.json";

const riskIds: ReadonlySet<string> = new Set(risks.map(({ id }) => id));

/** Maximum number of examples of a behaviour or a risk. */
export const maxExamples = 5;

/** Counts of one environment or many, which can be added in any order. */
export class CoverageTally {
  requests = 0;
  undecided = 0;
  environments = 0;
  readonly #meetings = new Map<string, Meeting>();

  static of({ requests, undecided, environments, meetings }: Sums): CoverageTally {
    const tally = Object.assign(new CoverageTally(), { requests, undecided, environments });
    for (const { id, count, examples } of meetings) tally.count(id, examples, count);
    return tally;
  }

  /** Counts a behaviour or a risk. */
  count(id: string, examples: readonly CoverageExample[], count = 1): void {
    const meeting = this.#meetings.get(id);
    const first = riskIds.has(id) ? differentFirst : firstOf;
    if (!meeting) return void this.#meetings.set(id, { count, examples: first([], examples) });
    meeting.count += count;
    if (examples.length > 0) meeting.examples = first(meeting.examples, examples);
  }

  /** Undoes a count at a request. */
  uncount(id: string, environment: string, entryId: number): void {
    const meeting = this.meeting(id);
    if (!meeting) return;
    meeting.count -= 1;
    meeting.examples = meeting.examples.filter((one) => one.environment !== environment || one.id !== entryId);
  }

  /** How often something was met, and where; undefined if it was not. */
  meeting(id: string): Meeting | undefined {
    const meeting = this.#meetings.get(id);
    return meeting && meeting.count > 0 ? meeting : undefined;
  }

  /** Whether there are so many examples that none of a later request would be kept. */
  hasAllExamples(id: string): boolean {
    const { examples = [] } = this.#meetings.get(id) ?? {};
    return (riskIds.has(id) ? differentOf(examples) : examples).length === maxExamples;
  }

  add(other: CoverageTally): void {
    this.requests += other.requests;
    this.undecided += other.undecided;
    this.environments += other.environments;
    for (const [id, { count, examples }] of other.#meetings) this.count(id, examples, count);
  }

  sums(part: string): Sums {
    const { requests, undecided, environments } = this;
    const met = [...this.#meetings].filter(([, { count }]) => count > 0);
    return { part, requests, undecided, environments, meetings: met.map(([id, meeting]) => ({ id, ...meeting })) };
  }
}

/** The first few, in an order that does not depend on the order of arrival. */
function firstOf(known: readonly CoverageExample[], more: readonly CoverageExample[]): readonly CoverageExample[] {
  const last = known[maxExamples - 1];
  if (last && more.every((one) => compareExamples(one, last) >= 0)) return known;
  return [...known, ...more].toSorted(compareExamples).slice(0, maxExamples);
}

/** The first few examples of a risk: one of each different request, and only then others of the same requests. */
function differentFirst(known: readonly CoverageExample[], more: readonly CoverageExample[]): CoverageExample[] {
  const sorted = [...known, ...more].toSorted(compareExamples);
  return [...new Set([...differentOf(sorted), ...sorted])].slice(0, maxExamples);
}

/** The first example of each request, whatever the values in its query. */
export function differentOf(examples: readonly CoverageExample[]): CoverageExample[] {
  const forms = examples.map(({ request }) => request.replaceAll(/=[^&]*/g, "="));
  return examples.filter((_, at) => forms.indexOf(forms[at] ?? "") === at);
}

function compareExamples(one: CoverageExample, other: CoverageExample): number {
  // An example with the name of a test is the most useful.
  if (one.test !== other.test) return other.test === null || (one.test !== null && one.test < other.test) ? -1 : 1;
  if (one.environment !== other.environment) return one.environment < other.environment ? -1 : 1;
  if (one.id !== other.id) return one.id - other.id;
  // Each process counts its own environments.
  return Number(one.request > other.request) - Number(one.request < other.request);
}
