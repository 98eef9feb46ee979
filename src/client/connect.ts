import type { Environment, EnvironmentDescription, EnvironmentOptions, Sandbox } from "../control.ts";
import { checkOptionNames } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { AdminConnection } from "./connection.ts";
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

/** How to connect to a sandbox. */
export interface ConnectOptions {
  /** The admin token, where the sandbox asks for one. */
  token?: string | undefined;
  /** The environment that the commands are for. @default "default" */
  environment?: string | undefined;
}

/**
 * Connects to a sandbox that runs, by any address of it. The keys at hand and the offerings are those that there are now;
 * closing only lets go.
 *
 * Rejects with Mistake for what is no address, CannotConnect where no sandbox answers, and ControlError where one refuses.
 */
export async function connectSandbox(url: string, options: ConnectOptions = {}): Promise<Sandbox> {
  checkOptionNames(options, { token: true, environment: true });
  const { token, environment = "default" } = options;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new Mistake("A sandbox is found at an address such as http://localhost:4120.");
  }
  const connection = new AdminConnection(new URL(url).origin, token);
  return new RemoteSandbox(connection, await connection.call("getEnvironment", { environment }));
}
