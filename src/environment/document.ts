import type { ProfileName, Assumptions, CalibratedValues } from "../assumptions/catalog.ts";
import type { Snapshot } from "../public/control.ts";
import type { Dataset } from "../fixture/dataset.ts";
import type { DurationRange } from "../time/duration.ts";
import type { Instant } from "../time/instant.ts";
import type { Key, Change } from "../model/resources.ts";
import type { Tokens } from "../secrets/tokens.ts";
import type { SavedScenario, Scenario } from "../scenario/scenario.ts";
import type { EnvironmentClock } from "./clock.ts";
import type { JournalData } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type { Run } from "./run.ts";

/** How an environment was opened, as the database stores it. A reset returns to it. */
export interface StoredConfig {
  /** A random id, generated when the environment is opened. */
  readonly uid?: string | undefined;
  /** The prefix in generated secrets by which a proxy can send the environment's requests to one process. */
  readonly routingPrefix?: string | undefined;
  /** The display name. */
  readonly label?: string | undefined;
  /** Digests of this environment's tokens. Undefined: only the server's tokens open it. */
  readonly tokens?: Tokens | undefined;
  /** Derived from the fixture if absent. */
  readonly keys?: readonly Key[] | undefined;
  readonly clock: EnvironmentClock["data"];
  /** The assumptions; if absent, those of the content. */
  readonly assumptions?: Assumptions | undefined;
  readonly calibrated?: CalibratedValues | undefined;
  /** Whether the fixture came with the command, so that the server does not have it otherwise. */
  readonly ownFixture?: boolean | undefined;
  /** The data of the snapshot from which the environment begins; undefined without a snapshot. */
  readonly initialState?: EnvironmentData | undefined;
  /** The scenarios that are played at the start. */
  readonly scenarios: readonly Scenario[];
  /** The milliseconds of real time after which the unused environment is deleted; null if it is not. */
  readonly lifetime: number | null;
}

/** A stored configuration, with everything that it depends on in this process. */
export interface EnvironmentConfig extends StoredConfig {
  readonly id: string;
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  /** The bounds of the milliseconds before a response. */
  readonly delay: DurationRange;
  /** The scenarios that can be played by name, in addition to the shipped ones. */
  readonly loadedScenarios: readonly Scenario[];
}

/** The effects of commands and steps on an environment. */
export interface EnvironmentData {
  readonly clock: EnvironmentClock["data"];
  /** The initial keys, if they are not those of the configuration: a snapshot may be of another environment. */
  readonly keys?: readonly Key[] | undefined;
  /** The days by which the dates of its dataset are moved. */
  readonly days: number;
  readonly assumptions: Assumptions;
  /** The calibration, if it is not that of the configuration. */
  readonly calibrated?: CalibratedValues | undefined;
  readonly changes: readonly Change[];
  /** The number of changes ever put on the timeline. */
  readonly issued: number;
  /** The number of resources that commands have created. */
  readonly creations: number;
  readonly runs: readonly Run[];
  /** The saved scenarios, which a reset does not remove. A document has only their text. */
  readonly scenarios: readonly SavedScenario[];
  readonly fault_uses: Readonly<Record<string, number>>;
  /** The number of requests that match each fault with a share, whether it was applied or not. */
  readonly fault_matches: Readonly<Record<string, number>>;
}

/** The effects of requests on an environment. */
export interface RequestData {
  /** The counts of requests. They are undefined in the snapshot of another environment: keys may be at their limit. */
  readonly limits?: ReturnType<Limits["uses"]> | undefined;
  readonly journal: JournalData;
  /** The number of responses with a random delay. */
  readonly responses: number;
  /** The state with which another process continues. A snapshot has none, because its journal begins again. */
  readonly transfer?:
    | {
        /** The milliseconds from the latest entry of the journal until this was written. */
        readonly idle: number;
        /** The counter of changes that is part of the environment's revision. */
        readonly changes: number;
        readonly commands: number;
        readonly undoSteps: readonly UndoStep[];
      }
    | undefined;
}

/** The step that undoes a command: the reading of the clock before it, or the values of an investment before it. */
export type UndoStep =
  | { readonly last: Instant; readonly clock: { readonly now: Instant; readonly speed: number | undefined } }
  | { readonly last: string; readonly values: object };

/** An environment as a snapshot, in a file and in PostgreSQL. A checksum of these members is stored next to them. */
export interface EnvironmentDocument {
  readonly format: Snapshot["format"];
  readonly version: Snapshot["version"];
  readonly program: string;
  readonly environment: string;
  readonly fixture: string;
  readonly seed: number;
  readonly fixture_checksum: string;
  /** Null if it is too large to be in the document, omitted if it ships. */
  readonly fixture_document?: Readonly<Record<string, unknown>> | null;
  readonly profile: ProfileName;
  readonly rate_limit: number;
  /** The configuration, in a database. A snapshot has none, because another environment has its own. */
  readonly setup?: StoredConfig | undefined;
  readonly content: EnvironmentData;
  /** The data of requests, in a snapshot and between two processes. Saving it for each request would cost a write. */
  readonly traffic?: RequestData | undefined;
}

/** A document that was opened over the fixtures of this process. */
export interface OpenedDocument {
  readonly config: EnvironmentConfig;
  readonly data: EnvironmentData;
  readonly requestData?: RequestData | undefined;
}
