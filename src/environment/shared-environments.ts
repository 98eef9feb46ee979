import type { EnvironmentSummary } from "../descriptions.ts";
import type { EnvironmentSetup } from "./environment-content.ts";
import type { Environment } from "./environment.ts";

/** The environments of a database that several processes share; some are open here. */
export interface SharedEnvironments {
  /** Opens an environment; its first use claims it. Rejects with ControlError as `Environments.open` throws. */
  add(setup: EnvironmentSetup): Promise<Environment>;
  /** Makes `find` and `ownerOf` true for an id: opens or drops the copy of this process. */
  arrive(id: string): Promise<void>;
  /** Makes `findKey` true for a secret that is not known here. */
  arriveByKey(secret: string): Promise<void>;
  /** Returns a free id. */
  nextId(): Promise<string>;
  /** The environments of all processes, oldest first; those that others hold as copies. */
  all(): Promise<readonly Environment[]>;
  /** Descriptions of all, as of now, for which none is opened. */
  summaries(): Promise<readonly EnvironmentSummary[]>;
  /** The milliseconds since which the database does not answer; undefined while it does. */
  readonly awaySince: number | undefined;
}
