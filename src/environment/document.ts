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
  /** A random name, generated when the environment is opened. */
  readonly uid?: string | undefined;
  /**
   * The environment's routing prefix in generated secrets, by which a proxy can send its requests to the same process.
   */
  readonly routingPrefix?: string | undefined;
  /** A name for people. */
  readonly label?: string | undefined;
  /** Digests of this environment's tokens. Undefined: only the server's tokens open it. */
  readonly tokens?: Tokens | undefined;
  /** Derived from the fixture if absent. */
  readonly keys?: readonly Key[] | undefined;
  readonly clock: EnvironmentClock["data"];
  /** Those of the content if absent. */
  readonly assumptions?: Assumptions | undefined;
  readonly calibrated?: CalibratedValues | undefined;
  /** The fixture came with the command; the server has it nowhere else. */
  readonly ownFixture?: boolean | undefined;
  /** The content of a snapshot to begin with; undefined if nothing has happened before. */
  readonly initialState?: EnvironmentData | undefined;
  /** The scenarios that play at once. */
  readonly scenarios: readonly Scenario[];
  /** Milliseconds of real time without a request or command after which the environment is dropped; null: never. */
  readonly lifetime: number | null;
}

/** The same with everything that it depends on in this process. */
export interface EnvironmentConfig extends StoredConfig {
  readonly id: string;
  readonly dataset: Dataset;
  readonly keys: readonly Key[];
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  /** Requests a minute a key; 0 is off. */
  readonly rateLimit: number;
  /** Bounds of the milliseconds before a response. */
  readonly delay: DurationRange;
  /** Scenarios that can be played by name, in addition to the shipped ones. */
  readonly loadedScenarios: readonly Scenario[];
}

/** The effects of commands and steps on an environment. */
export interface EnvironmentData {
  readonly clock: EnvironmentClock["data"];
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
  /** The saved scenarios, which a reset does not remove. A document has only their texts. */
  readonly scenarios: readonly SavedScenario[];
  readonly fault_uses: Readonly<Record<string, number>>;
  /** Matching requests of each fault with a share, whether it was applied or not. */
  readonly fault_matches: Readonly<Record<string, number>>;
}

/** The effects of requests on an environment. */
export interface RequestData {
  /** Undefined in the snapshot of another environment: then keys that begin at their limit have used it up. */
  readonly limits?: ReturnType<Limits["uses"]> | undefined;
  readonly journal: JournalData;
  /** Number of responses whose delay was one of a range. */
  readonly responses: number;
  /** What another process of the same database continues with. A snapshot has none: its journal begins again. */
  readonly transfer?:
    | {
        /** Milliseconds from the latest entry of the journal until this was written. */
        readonly idle: number;
        /** The counter of changes that is part of the environment's revision. */
        readonly changes: number;
        readonly commands: number;
        readonly undoSteps: readonly UndoStep[];
      }
    | undefined;
}

/** What undoes a command: the reading of the clock before it, or the values before it of an investment. */
export type UndoStep =
  | { readonly last: Instant; readonly clock: { readonly now: Instant; readonly speed: number | undefined } }
  | { readonly last: string; readonly values: object };

/** An environment as a snapshot, in a file and in PostgreSQL. The checksum next to it is that of these members. */
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
  /** In a database; a snapshot has none, because another environment has its own. */
  readonly setup?: StoredConfig | undefined;
  readonly content: EnvironmentData;
  /** In a snapshot, and between two processes: each request would cause a write. */
  readonly traffic?: RequestData | undefined;
}

/** A document over the fixtures of this process. */
export interface OpenedDocument {
  readonly config: EnvironmentConfig;
  readonly data: EnvironmentData;
  readonly requestData?: RequestData | undefined;
}
