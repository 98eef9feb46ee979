import type {
  CloseOptions,
  CoverageReport,
  EnvironmentAccess,
  EnvironmentLinks,
  EnvironmentOptions,
  ExampleCall,
  PreviewedResponse,
} from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import type { Environments } from "../environment/environments.ts";
import type { AdminOperationId, ResponseOf, BodyOf, QueryOf } from "./operations.ts";
import type { PreviewedCall } from "./preview.ts";

/** The arguments of a call: everything except its operation and environment. */
export interface CallArguments {
  readonly id?: string | undefined;
  /** Parameters by name; undefined ones are omitted. */
  readonly query?: object | undefined;
  readonly body?: unknown;
}

export interface Caller {
  /** The environment in the path; the default one if the path does not name one. */
  readonly environment: Environment;
  /** The address at which the caller reaches the server. */
  readonly origin: string;
  /** Whether the caller is in another process: the server reads no files for it. */
  readonly isRemote: boolean;
}

/** A call of an operation, its query and body checked. */
export interface HandledCall<Id extends AdminOperationId> extends Caller {
  readonly server: Server;
  /** The id in the path; empty without one. */
  readonly id: string;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
}

/** The handler of each operation. If it throws ValidationError or ControlError, it has not changed anything. */
export type Handlers = {
  readonly [Id in AdminOperationId]: (call: HandledCall<Id>) => ResponseOf<Id> | Promise<ResponseOf<Id>>;
};

/** The server around the environments. */
export interface Server {
  readonly environments: Environments;
  /** The folder in which the server was started. */
  readonly folder: string;
  /** Whether the server is draining: it only serves until its clients have moved. */
  readonly isStopping: boolean;
  /** Opens an environment. Rejects with ControlError or ValidationError. */
  openEnvironment(
    options: EnvironmentOptions,
    caller: Pick<Caller, "origin" | "isRemote">,
  ): Promise<{ readonly environment: Environment; readonly access: EnvironmentAccess }>;
  /** Makes links to the portal at an environment. */
  makeLinks(environment: Environment, origin: string): EnvironmentLinks;
  /** Opens a snapshot's environment with its journal, outside the server's list. Rejects like `openEnvironment`. */
  openSnapshot(snapshot: object): Promise<Environment>;
  /** Deletes an environment, unless it is deleted already. Rejects with ControlError for the default environment. */
  deleteEnvironment(environment: Environment, options?: CloseOptions): Promise<void>;
  examples(environment: Environment): Omit<ExampleCall, "curl">[];
  /** Responds to a call as the service would, without any effect. */
  preview(environment: Environment, call: PreviewedCall): PreviewedResponse;
  /** Returns the behaviors that the clients of an environment have covered; without an environment, those of all. */
  coverage(environment?: Environment): CoverageReport;
  /** Returns the metrics of the process in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Stops the sandbox. Rejects with ControlError if no command line runs it. */
  stop(): Promise<void>;
  /** Resolves when the database has all changes of an environment; at once without a database. */
  commit(environment?: Environment): Promise<void>;
}
