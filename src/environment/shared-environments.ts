import type { EnvironmentSummary } from "../public/descriptions.ts";
import type { EnvironmentConfig } from "./document.ts";
import type { Histogram } from "../time/histogram.ts";
import type { Environment } from "./environment.ts";

/** The environments of a database that several processes share. This process has some of them open. */
export interface SharedEnvironments {
  /** Adds an environment, which its first use claims. Rejects with the same ControlErrors as `Environments.open`. */
  add(config: EnvironmentConfig): Promise<Environment>;
  /** Removes an environment for all processes. Rejects with ControlError if it may or may not have been removed. */
  remove(environment: Environment): Promise<void>;
  /** Opens or forgets this process's copy of an environment, so that `find` and `ownerOf` are right about its id. */
  syncCopy(id: string): Promise<void>;
  /** Opens the environment of a secret that this process does not know, so that `findKey` is right about the secret. */
  syncCopyByKey(secret: string): Promise<void>;
  /** Opens the environment of a valid token, so that `ownerOf` is right about the token. */
  syncCopyByToken(token: string): Promise<void>;
  /** Rejects with ControlError if another environment, in any process, has one of these secrets. */
  refuseForeign(secrets: readonly string[], environment: Environment): Promise<void>;
  nextId(): Promise<string>;
  /** Describes the environments of all processes, oldest first; those of other processes as of their last write. */
  describeAll<Description>(describe: (environment: Environment) => Promise<Description>): Promise<Description[]>;
  /** Describes all environments as they are now, without opening any. */
  summaries(): Promise<readonly EnvironmentSummary[]>;
  /** The warnings for the person who starts the process. */
  readonly warnings: readonly string[];
  /** The durations of statements. */
  readonly queries: Histogram;
  /** The number of environments that this process took over from the database or another process. */
  readonly transferCount: number;
  /** Calls the listener when PostgreSQL is lost, and when it responds again. */
  onConnectionChange(listener: (isConnected: boolean) => void): void;
  /** The id of this process in the database, new for each session; undefined while PostgreSQL is unreachable. */
  readonly sessionId: string | undefined;
}
