import type { Count, EnvironmentId } from "./model/scalars.ts";

/** The behaviours of the service that clients have met, and how they reacted: the content of a `coverage.json`. */
export interface CoverageReport {
  /** Number of behaviours that were met, without the excepted ones. */
  readonly met: Count;
  /** Number of behaviours, without the excepted ones. */
  readonly of: Count;
  /** Number of requests that were looked at. */
  readonly requests: Count;
  /** Number of requests that the journal had lost before anybody looked. */
  readonly not_looked_at: Count;
  /** Number of environments with requests. */
  readonly environments: Count;
  /** All of them, excepted ones too. */
  readonly behaviours: readonly BehaviourCoverage[];
  /** Those that were met, without the excepted ones. */
  readonly risks: readonly RiskCoverage[];
  /** Answers that rest on assumptions alone, 400 and 405: they do not count. */
  readonly apart: readonly BehaviourCoverage[];
  readonly excepted: readonly CoverageException[];
  /** Names the reports of single processes in it: each counts once, however often it is merged. */
  readonly parts: readonly string[];
}

export interface BehaviourCoverage {
  /** `refusals.429`: its group, and its name in it. */
  readonly id: string;
  /** The section of the specification behind it. */
  readonly section: string;
  readonly sentence: string;
  readonly group: string;
  /** How often it was met. */
  readonly count: Count;
  /** The first time; null if it was not met. */
  readonly first: CoverageExample | null;
  /** A line of JavaScript that provokes it, with a `sandbox`. */
  readonly meet: string;
}

export interface RiskCoverage {
  /** `too-early` */
  readonly id: string;
  readonly sentence: string;
  readonly count: Count;
  /** Five at most. */
  readonly examples: readonly CoverageExample[];
}

export interface CoverageExample {
  /** The label of the environment: with the entries for test runners, the test's name. Null without one. */
  readonly test: string | null;
  /** Method and path, without secrets, and with `…` for the values of parameters that section 4 does not name. */
  readonly request: string;
  readonly environment: EnvironmentId;
  /** The request in the journal of the environment. */
  readonly id: Count;
}

/** A behaviour or a risk that does not count. */
export interface CoverageException {
  readonly id: string;
  readonly reason: string;
  /** How often it was met all the same. */
  readonly count: Count;
}
