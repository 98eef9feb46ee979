import type { Sandbox } from "../control.ts";
import { checkOptionNames } from "../model/known-members.ts";
import { Mistake } from "../model/mistake.ts";
import { AdminConnection } from "./admin-connection.ts";
import { RemoteSandbox } from "./remote-sandbox.ts";

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
