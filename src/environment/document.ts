import type { ProfileName, Assumptions } from "../assumptions/catalogue.ts";
import type { CalibratedValues } from "../assumptions/calibration.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Change } from "../model/change.ts";
import type { DurationRange } from "../model/duration.ts";
import type { Key } from "../model/resources.ts";
import type { Tokens } from "../model/tokens.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { ClockContent } from "./clock.ts";
import type { JournalContent } from "./journal.ts";
import type { KeyUse } from "./limits.ts";
import type { Run } from "./run.ts";

/** The setup with which an environment opens, and to which a reset returns. */
export interface EnvironmentSetup {
  readonly id: string;
  /** A random name, generated when the environment is opened. */
  readonly uid?: string | undefined;
  /** The environment's mark in generated secrets, by which a proxy can send its requests to the same process. */
  readonly mark?: string | undefined;
  /** A name for people. */
  readonly label?: string | undefined;
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  /** Digests of this environment's tokens. Undefined: only the server's tokens open it. */
  readonly tokens?: Tokens | undefined;
  readonly clock: ClockContent;
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  readonly calibrated?: CalibratedValues | undefined;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  /** Bounds of the milliseconds before an answer. */
  readonly delay: DurationRange;
  /** The fixture came with the command; the server has it nowhere else. */
  readonly ownFixture?: boolean | undefined;
  /** The content of a snapshot to begin with; undefined if nothing has happened before. */
  readonly initialState?: SnapshotContent | undefined;
  /** The scenarios that play at once. */
  readonly scenarios: readonly Scenario[];
  /** Scenarios that can be played by name, in addition to the shipped ones. */
  readonly loadedScenarios: readonly Scenario[];
  /** Milliseconds of real time without a request or command after which the environment is dropped; null: never. */
  readonly lifetime: number | null;
}

/** The effects of commands and steps on an environment. Plain data, for snapshots and the database. */
export interface EnvironmentContent {
  readonly clock: ClockContent;
  /** The keys from the beginning, if not the setup's: a snapshot may be of another environment. */
  readonly keys?: readonly Key[] | undefined;
  /** The days by which the dates of its dataset are moved. */
  readonly days: number;
  readonly assumptions: Assumptions;
  /** The calibration, if not the setup's. */
  readonly calibrated?: CalibratedValues | undefined;
  readonly changes: readonly Change[];
  /** Number of changes ever put on the timeline. */
  readonly issued: number;
  /** Number of resources created by commands. */
  readonly creations: number;
  readonly runs: readonly Run[];
  readonly fault_uses: Readonly<Record<string, number>>;
  /** Matching requests of each fault with a share, whether it was applied or not. */
  readonly fault_matches: Readonly<Record<string, number>>;
}

/** The effects of requests on an environment. Plain data, for snapshots; the database does not store it. */
export interface Traffic {
  readonly limits: readonly KeyUse[];
  readonly journal: JournalContent;
  /** Number of answers whose delay was one of a range. */
  readonly answers: number;
}

/** Everything that an environment takes from one process to the next, except its content and traffic. */
export interface Handover {
  /** Milliseconds since this handover was written. */
  readonly age: number;
  /** Milliseconds from the latest entry of the journal until this handover was written. */
  readonly idle: number;
  /** The counter of changes that is part of the environment's revision. */
  readonly changes?: number;
  readonly commands: number;
}

/** An environment as plain data, with or without its traffic. */
export type SnapshotContent = EnvironmentContent & Partial<Traffic> & { readonly handover?: Handover };

/** The setup of an environment. The server adds its delay, scenarios and bounds; keys are derived if absent. */
export type OwnSetup = Omit<EnvironmentSetup, "keys" | "delay" | "loadedScenarios"> &
  Partial<Pick<EnvironmentSetup, "keys">>;

/** The members of a setup that are stored in addition to its content, whose assumptions are the default. */
export type StoredSetup = Omit<OwnSetup, "id" | "dataset" | "profile" | "rateLimit" | "assumptions"> &
  Partial<Pick<EnvironmentSetup, "assumptions">>;
