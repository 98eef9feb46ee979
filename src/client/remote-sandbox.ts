import type { Environment, EnvironmentDescription, EnvironmentOptions, Sandbox } from "../control.ts";
import type { AdminConnection } from "./admin-connection.ts";
import { RemoteEnvironment } from "./remote-environment.ts";

/** A sandbox somewhere else, and one environment of it. */
export class RemoteSandbox extends RemoteEnvironment implements Sandbox {
  readonly #connection: AdminConnection;

  constructor(connection: AdminConnection, description: EnvironmentDescription) {
    super(connection, description);
    this.#connection = connection;
  }

  get url(): string {
    return this.#connection.url;
  }

  get adminUrl(): string {
    return this.#connection.adminUrl;
  }

  async openEnvironment(options: EnvironmentOptions = {}): Promise<Environment> {
    return new RemoteEnvironment(this.#connection, await this.#connection.call("openEnvironment", { body: options }));
  }

  async environment(id: string): Promise<Environment> {
    return new RemoteEnvironment(this.#connection, await this.#connection.call("getEnvironment", { environment: id }));
  }

  async environments(): Promise<readonly EnvironmentDescription[]> {
    type Listed = { readonly data: readonly EnvironmentDescription[] };
    return (await this.#connection.call<Listed>("listEnvironments")).data;
  }

  /** Lets go of the server, which goes on. */
  override close(): Promise<void> {
    return Promise.resolve();
  }
}
