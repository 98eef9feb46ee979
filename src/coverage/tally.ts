import type {
  BehaviourCoverage,
  CoverageException,
  CoverageExample,
  CoverageReport,
  RiskCoverage,
} from "../coverage-report.ts";
import type { Exceptions } from "./requirements.ts";
import { apart } from "./apart.ts";
import { type Behaviour, behaviours } from "./catalogue.ts";
import { type RiskId, risks } from "./risks.ts";

/** How often something was met, and where. */
interface Meeting {
  count: number;
  examples: readonly CoverageExample[];
}

/** The most examples of a risk. */
const maxExamples = 5;

/** Counts of one environment or many: sums that can be added in any order. */
export class Tally {
  requests = 0;
  notLookedAt = 0;
  environments = 0;
  readonly parts = new Set<string>();
  readonly #meetings = new Map<string, Meeting>();

  /** Counts a behaviour or a risk. */
  count(id: string, examples: readonly CoverageExample[], count = 1): void {
    const meeting = this.#meetings.get(id) ?? { count: 0, examples: [] };
    meeting.count += count;
    meeting.examples = firstOf(meeting.examples, examples);
    this.#meetings.set(id, meeting);
  }

  add(other: Tally): void {
    this.requests += other.requests;
    this.notLookedAt += other.notLookedAt;
    this.environments += other.environments;
    for (const part of other.parts) this.parts.add(part);
    for (const [id, { count, examples }] of other.#meetings) this.count(id, examples, count);
  }

  report(exceptions: Exceptions): CoverageReport {
    const all = behaviours.map((one) => this.#behaviour(one));
    const counted = all.filter(({ id }) => !(id in exceptions));
    return {
      met: counted.filter(({ count }) => count > 0).length,
      of: counted.length,
      requests: this.requests,
      not_looked_at: this.notLookedAt,
      environments: this.environments,
      behaviours: all,
      risks: risks.flatMap((risk) => (risk.id in exceptions ? [] : this.#risk(risk))),
      apart: apart.map((one) => this.#behaviour(one)),
      excepted: Object.entries(exceptions).map(([id, reason]): CoverageException => {
        return { id, reason, count: this.#meetings.get(id)?.count ?? 0 };
      }),
      parts: [...this.parts],
    };
  }

  #behaviour({ id, group, section, sentence, meet }: Behaviour): BehaviourCoverage {
    const { count, examples } = this.#meetings.get(id) ?? { count: 0, examples: [] };
    return { id, section, sentence, group, count, first: examples[0] ?? null, meet };
  }

  #risk({ id, sentence }: { readonly id: RiskId; readonly sentence: string }): RiskCoverage[] {
    const meeting = this.#meetings.get(id);
    return meeting ? [{ id, sentence, ...meeting }] : [];
  }
}

/** Returns the sums of reports. */
export function tallyOf({ requests, not_looked_at, environments, ...report }: CoverageReport): Tally {
  const tally = new Tally();
  Object.assign(tally, { requests, notLookedAt: not_looked_at, environments });
  for (const part of report.parts) tally.parts.add(part);
  for (const { id, count, first } of [...report.behaviours, ...report.apart]) {
    if (count > 0) tally.count(id, first ? [first] : [], count);
  }
  for (const { id, count, examples } of report.risks) tally.count(id, examples, count);
  // Excepted behaviours are among the others.
  const excepted = report.excepted.filter(({ id, count }) => count > 0 && risks.some((risk) => risk.id === id));
  for (const { id, count } of excepted) tally.count(id, [], count);
  return tally;
}

/** The first few in an order that does not depend on that of their coming. */
function firstOf(known: readonly CoverageExample[], more: readonly CoverageExample[]): readonly CoverageExample[] {
  const last = known[maxExamples - 1];
  if (last && more.every((one) => compare(one, last) >= 0)) return known;
  return [...known, ...more].toSorted(compare).slice(0, maxExamples);
}

function compare(one: CoverageExample, other: CoverageExample): number {
  const [test, otherTest] = [one.test ?? "", other.test ?? ""];
  if (test !== otherTest) return test < otherTest ? -1 : 1;
  if (one.environment !== other.environment) return one.environment < other.environment ? -1 : 1;
  if (one.id !== other.id) return one.id - other.id;
  // Processes count their environments each for itself.
  return Number(one.request > other.request) - Number(one.request < other.request);
}
