import type { EnvironmentSummary } from "../public/descriptions.ts";
import type { EnvironmentConfig } from "./document.ts";
import type { Histogram } from "../time/histogram.ts";
import type { Environment } from "./environment.ts";

/** The environments of a database that several processes share; some are open here. */
export interface SharedEnvironments {
  /** Opens an environment; its first use claims it. Rejects with ControlError as `Environments.open` throws. */
  add(config: EnvironmentConfig): Promise<Environment>;
  /** Removes an environment for all processes. Rejects with ControlError if the database may have it all the same. */
  remove(environment: Environment): Promise<void>;
  /** Opens or drops this process's copy of an environment, so that `find` and `ownerOf` are right about its id. */
  syncCopy(id: string): Promise<void>;
  /** Opens the environment of a secret that is not known here, so that `findKey` is right about the secret. */
  syncCopyByKey(secret: string): Promise<void>;
  /** Opens the environment of a token that is valid, so that `ownerOf` is right about the token. */
  syncCopyByToken(token: string): Promise<void>;
  /** Rejects with ControlError if another environment, here or not, has one of these secrets. */
  refuseForeign(secrets: readonly string[], environment: Environment): Promise<void>;
  nextId(): Promise<string>;
  /** Describes the environments of all processes, oldest first. One that another process holds is a copy. */
  describeAll<Description>(describe: (environment: Environment) => Promise<Description>): Promise<Description[]>;
  /** Describes all environments as they are now, without opening any. */
  summaries(): Promise<readonly EnvironmentSummary[]>;
  /** Warnings for the person who starts the process. */
  readonly warnings: readonly string[];
  /** How long PostgreSQL took for statements. */
  readonly queries: Histogram;
  /** How many environments came from the database or another process. */
  readonly transferCount: number;
  /** Has a function called when PostgreSQL is lost, and when it responds again. */
  onConnectionChange(listener: (isConnected: boolean) => void): void;
  /** The number of this process in the database, a new one for each session; undefined while PostgreSQL is away. */
  readonly sessionId: string | undefined;
}
