import type { Instant } from "../time/instant.ts";
import type { Count, Uuid } from "./scalars.ts";

export interface Scenarios {
  /** Lists the scenarios that can be played by name. */
  list(): Promise<readonly ScenarioDescription[]>;
  /** Describes a scenario by its name, step by step. */
  get(name: string): Promise<ScenarioDetail>;
  /** Checks a scenario: a document, or the text of a file. */
  check(scenario: string | object): Promise<ScenarioCheck>;
  /**
   * Writes the manual changes of one investment, of keys and of faults as a scenario with the same times
   * between them. If a run created the investment, its steps are part of it; changes by other runs are omitted.
   */
  record(options?: RecordOptions): Promise<RecordedScenario>;
  /** Saves a scenario or replaces that of the same name: a document, or the text of a file. Outlives a reset. */
  save(scenario: string | object): Promise<ScenarioDescription>;
  /** Deletes a saved scenario. */
  delete(name: string): Promise<void>;
}

export interface RecordOptions {
  /** The instant from which to record. @default the first change */
  readonly from?: string | undefined;
  /** The investment's id or alias. @default the only investment with manual changes */
  readonly investment_id?: string | undefined;
  /** The name of the scenario. @default "recorded" */
  readonly name?: string | undefined;
}

/** A scenario with the manual changes. */
export interface RecordedScenario {
  /** YAML, with the warnings as comments. */
  readonly text: string;
  /** Sentences about everything that is missing in the scenario, or differs each time it is played. */
  readonly warnings: readonly string[];
}

export interface ScenarioDescription {
  readonly name: string;
  /** The title for people; the name if the file has no title. */
  readonly title: string;
  readonly description: string;
  /** Number of steps. */
  readonly steps: Count;
  /** Whether it was saved in this environment, where it can be deleted. */
  readonly saved: boolean;
}

/** A scenario with its steps in words. */
export interface ScenarioDetail {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The investment that the scenario plays on, in words: `a new investment of 5,000 in aurora`. */
  readonly subject: string;
  readonly steps: readonly ScenarioStep[];
  /** The states at the start and after each step. */
  readonly states: readonly ScenarioState[];
  /** The source text, YAML or JSON; without one, equivalent YAML. */
  readonly text: string;
  readonly warnings: readonly Diagnostic[];
}

export interface ScenarioStep {
  /** What starts the step: time, an instant, reads of its investment, or a command. */
  readonly trigger: "after" | "at" | "after_reads" | "next";
  /** The trigger in words: `2m later`. */
  readonly when: string;
  /** The time from the start of the run: `1h5m`, `1h..2h`; `?` for a waiting step, `? + 5m` for those after it. */
  readonly since: string;
  /** The effects of the step, in words. */
  readonly effects: readonly string[];
}

/**
 * The state in words. A new investment is an example: a value that the scenario omits differs in each play. The
 * values of an existing investment are null until a step sets them.
 */
export interface ScenarioState {
  readonly status: string | null;
  readonly step: string | null;
  readonly signed: string | null;
  readonly paid: string | null;
  readonly offering: string | null;
}

export interface ScenarioCheck {
  readonly valid: boolean;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** The scenario; null if there are errors. */
  readonly scenario: ScenarioDetail | null;
}

export interface Diagnostic {
  /** The line, counted from 1. @minimum 1 */
  readonly line: Count;
  /** The column, counted from 1. @minimum 1 */
  readonly column: Count;
  readonly message: string;
}

export interface Runs {
  list(): Promise<readonly RunDescription[]>;
  /** Describes a run with its scenario, even if that cannot be played by name. */
  get(id: string): Promise<RunDetail>;
  /** Plays the waiting step. */
  next(id: string): Promise<RunDescription>;
  /** Stops the run; its future changes are removed. */
  stop(id: string): Promise<RunDescription>;
}

/** The subject of a run, by id or alias, in place of the one in the scenario's file. */
export interface PlaySubject {
  readonly offering_id?: string | undefined;
  readonly investment_id?: string | undefined;
}

export interface RunDescription {
  readonly id: string;
  /** The run for people: `closing on #146 Ada Lovelace`; `closing` with repetitions or without the investment. */
  readonly title: string;
  readonly scenario: string;
  readonly status: "running" | "waiting" | "finished" | "stopped";
  /** Why a step or repetition was impossible, which stopped the run; null if none was. */
  readonly problem: string | null;
  /** Number of times that the run plays the scenario. @minimum 1 */
  readonly repetitions: Count;
  /** The date of the next dated step, even of a repetition that has not begun; null if there is none. */
  readonly next_date: Instant | null;
  /** The exact date of the next repetition's first step; null if none is left. */
  readonly next_repetition_date: Instant | null;
  /** The investment of each repetition that has begun. */
  readonly investment_ids: readonly Uuid[];
  /** The names of these investments, in the same order: `#146 Ada Lovelace`. */
  readonly investment_names: readonly string[];
  /** The steps of each repetition that has begun. */
  readonly steps: readonly RunStep[];
}

export interface RunStep {
  /** The step's index in the scenario, counted from 0. */
  readonly index: Count;
  readonly investment_id: Uuid;
  readonly status: "done" | "scheduled" | "waiting" | "pending" | "stopped";
  /** The past or future instant of the step; null while unknown. */
  readonly due: Instant | null;
}

/** A run with its scenario as it was when the run began. */
export interface RunDetail extends RunDescription {
  readonly script: ScenarioDetail;
}
