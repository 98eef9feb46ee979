import type { ProfileName } from "../assumptions/assume.ts";
import type { CalibratedValues } from "../assumptions/calibration.ts";
import type { Assumptions } from "../assumptions/catalogue.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Change } from "../model/change.ts";
import type { Bounds } from "../model/duration.ts";
import type { Key } from "../model/resources.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { ClockSetting } from "./clock.ts";
import type { JournalContent } from "./journal.ts";
import type { KeyUse } from "./limits.ts";
import type { Run } from "./run.ts";

/** The setup with which an environment opens, and to which a reset returns. */
export interface EnvironmentSetup {
  readonly id: string;
  /** A name for people. */
  readonly label?: string | undefined;
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly clock: ClockSetting;
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  readonly calibrated?: CalibratedValues | undefined;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  /** Bounds of the milliseconds before an answer. */
  readonly delay: Bounds;
  /** Its fixture came with the command that opened it; the server has it nowhere else. */
  readonly ownFixture?: boolean | undefined;
  /** The content that it begins with, that of a snapshot; undefined if nothing has happened before. */
  readonly begins?: WholeContent | undefined;
  /** Played at once. */
  readonly scenarios: readonly Scenario[];
  /** Playable by name, beside the shipped ones. */
  readonly known: readonly Scenario[];
  /** Milliseconds of real time without a request or command after which the environment is dropped. */
  readonly lifetime: number;
  /** Number of requests that the journal keeps. */
  readonly journalCapacity: number;
}

/** Everything that commands and steps have made of an environment. Plain data, for snapshots and the database. */
export interface EnvironmentContent {
  readonly clock: ClockSetting;
  /** The keys from the beginning, if they are those of another environment's snapshot and not those of the setup. */
  readonly keys?: readonly Key[] | undefined;
  /** The days by which the dates of its dataset are moved. */
  readonly days: number;
  readonly assumptions: Assumptions;
  /** Its calibration, if it is not that of the setup. */
  readonly calibrated?: CalibratedValues | undefined;
  readonly changes: readonly Change[];
  /** Number of changes ever put on the timeline. */
  readonly issued: number;
  /** Number of resources that commands have created. */
  readonly creations: number;
  readonly runs: readonly Run[];
  readonly fault_uses: Readonly<Record<string, number>>;
  /** The requests that matched, of faults that meet only a share of them. */
  readonly fault_matches: Readonly<Record<string, number>>;
}

/** Everything that requests alone have made of an environment. Plain data, for snapshots; the database does not keep it. */
export interface Traffic {
  readonly limits: readonly KeyUse[];
  readonly journal: JournalContent;
  /** Number of answers whose delay was one of a range. */
  readonly answers: number;
}

/** An environment as plain data, with or without its traffic. */
export type WholeContent = EnvironmentContent & Partial<Traffic>;
