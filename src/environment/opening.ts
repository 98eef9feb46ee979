import type { Assumptions } from "../assumptions/catalogue.ts";
import type { ProfileName } from "../assumptions/profiles.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { Key } from "../model/resources.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Change } from "./change.ts";
import type { ClockSetting } from "./clock.ts";
import type { Run } from "./runs/run.ts";

/** What an environment is opened with, and goes back to when it is reset. */
export interface Opening {
  readonly id: string;
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly clock: ClockSetting;
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  /** The least and the most milliseconds before an answer. */
  readonly delay: readonly [least: number, most: number];
  /** To be played at once. */
  readonly scenarios: readonly Scenario[];
  /** Those that can be played by name, beside the shipped ones. */
  readonly known: readonly Scenario[];
  /** Milliseconds of real time without a request or command after which it is dropped. */
  readonly lifetime: number;
  /** How many requests the journal keeps. */
  readonly journalCapacity: number;
}

/** What commands and steps have made of an environment, as plain data: what a snapshot keeps. */
export interface Kept {
  readonly clock: ClockSetting;
  readonly assumptions: Assumptions;
  readonly changes: readonly Change[];
  /** How many changes were ever put on the timeline. */
  readonly issued: number;
  readonly runs: readonly Run[];
  readonly fault_uses: Readonly<Record<string, number>>;
}
