import type {
  Environment,
  EnvironmentDescription,
  EnvironmentOptions,
  EnvironmentSummary,
  InEitherCase,
  Sandbox,
} from "../control.ts";
import { asControlError } from "../errors/control-error.ts";
import { checkOptionNames } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { idOf, plainCopy, plainOptions } from "../model/plain-copy.ts";
import { environmentSettings } from "../settings/environment-settings.ts";
import { sandboxSettings } from "../settings/settings.ts";
import { checkedOptions } from "../settings/values.ts";
import { AdminConnection } from "./connection.ts";
import { data, RemoteEnvironment } from "./remote-environment.ts";

/** Most calls name no file. */
const files = () => import("../control/files.ts");

/** A sandbox in another process, and one of its environments. */
class RemoteSandbox extends RemoteEnvironment implements Sandbox {
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

  async openEnvironment(options: InEitherCase<EnvironmentOptions> = {}): Promise<Environment> {
    const body = await asControlError(async () => {
      const given = plainOptions(options);
      const { withDocuments } = await files();
      return withDocuments(checkedOptions(environmentSettings, given, "the environment"));
    });
    return new RemoteEnvironment(this.#connection, await this.#connection.call("openEnvironment", { body }));
  }

  async environment(id: string): Promise<Environment> {
    const environment = idOf(id);
    return new RemoteEnvironment(this.#connection, await this.#connection.call("getEnvironment", { environment }));
  }

  environments(): Promise<readonly EnvironmentDescription[]> {
    return data(this.#connection.call("listEnvironments")) as Promise<readonly EnvironmentDescription[]>;
  }

  environmentSummaries(): Promise<readonly EnvironmentSummary[]> {
    return data<EnvironmentSummary>(this.#connection.call("listEnvironments", { query: { summary: true } }));
  }

  async stop(): Promise<void> {
    await this.#connection.call("stopSandbox");
    await this.#connection.ended();
  }

  /** Disconnects, and gives up the calls that are not answered yet; the server keeps running. */
  override close(): Promise<void> {
    this.#connection.close();
    return Promise.resolve();
  }
}

export interface ConnectOptions {
  /** The admin token. @default none: a sandbox on loopback asks for none */
  token?: string | undefined;
  /** The id of the environment to command. @default "default" */
  environment?: string | undefined;
}

/**
 * Connects to a running sandbox by any of its addresses. `keys.marketing`, `keys.partner` and `offerings` are those of the
 * moment it connects; `close` only disconnects: calls that
 * are not answered yet reject with CannotConnect.
 *
 * Rejects with Mistake for a malformed address, with CannotConnect when no sandbox answers, and with ControlError when the
 * sandbox refuses the call.
 */
export async function connectSandbox(url: string, options: ConnectOptions = {}): Promise<Sandbox> {
  const given = plainCopy(options, "options");
  checkOptionNames(given, { token: true, environment: true });
  const { token, environment = "default" } = given;
  const address: unknown = plainCopy(url, "The address");
  if (typeof address !== "string" || !URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new Mistake("The address of a sandbox looks like http://localhost:4120.");
  }
  if (token !== undefined && !sandboxSettings.adminToken.kind.accepts(token)) {
    throw new Mistake(`token: expected ${sandboxSettings.adminToken.kind.expected}.`);
  }
  const connection = new AdminConnection(new URL(address).origin, token);
  return new RemoteSandbox(connection, await connection.call("getEnvironment", { environment }));
}
