import type { Count, EnvironmentId } from "./scalars.ts";

/** The errors of the service that clients have covered, and how they reacted: the content of a `coverage.json`. */
export interface CoverageReport {
  /** Number of behaviors that were covered. */
  readonly covered: Count;
  /** Number of behaviors. */
  readonly total: Count;
  readonly requests: Count;
  /** Number of pairs of requests for which it is unknown whether the second reacts to the response to the first. */
  readonly undecided: Count;
  /** Number of environments with requests. */
  readonly environments: Count;
  readonly behaviors: readonly BehaviorCoverage[];
  /** The risks that were covered. */
  readonly risks: readonly RiskCoverage[];
}

export interface BehaviorCoverage {
  /** `refusals.429`: the group of the behavior, and its name in the group. */
  readonly id: string;
  /** The section of the specification behind it. */
  readonly section: string;
  readonly sentence: string;
  readonly group: string;
  /** How often the behavior was covered. */
  readonly count: Count;
  /** The first request that covered the behavior; null if there is none. */
  readonly first: CoverageExample | null;
  /** A line of JavaScript that provokes the behavior, with a `sandbox`. */
  readonly snippet: string;
}

export interface RiskCoverage {
  /** `too-early` */
  readonly id: string;
  readonly sentence: string;
  readonly count: Count;
  /** Up to five examples: first of different requests, whatever the values in their queries. */
  readonly examples: readonly CoverageExample[];
}

export interface CoverageExample {
  /** The label of the environment, or null; with the entries for test runners, the name of the test. */
  readonly test: string | null;
  /** Method and path, without secrets, and with `…` for the values of parameters that section 4 does not name. */
  readonly request: string;
  readonly environment: EnvironmentId;
  /** The request in the journal of the environment. */
  readonly id: Count;
}
