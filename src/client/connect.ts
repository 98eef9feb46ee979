import type { Sandbox } from "../control.ts";
import { ControlSandbox, pathId } from "../control/control-client.ts";
import { checkOptionNames } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { plainCopy } from "../model/plain-copy.ts";
import { sandboxSettings } from "../settings/settings.ts";
import { AdminConnection } from "./connection.ts";

export interface ConnectOptions {
  /** The admin token. @default none: a sandbox on loopback asks for none */
  token?: string | undefined;
  /** The id of the environment to command. @default "default" */
  environment?: string | undefined;
}

/**
 * Connects to a running sandbox by any of its addresses. `keys.marketing`, `keys.partner` and `offerings` are those of the
 * moment it connects; `close` only disconnects: unanswered calls reject with CannotConnect.
 *
 * Rejects with Mistake for a malformed address, with CannotConnect when no sandbox answers, and with ControlError when the
 * sandbox refuses the call.
 */
export async function connectSandbox(url: string, options: ConnectOptions = {}): Promise<Sandbox> {
  const copy = plainCopy(options, "options");
  checkOptionNames(copy, { token: true, environment: true });
  const { token, environment = "default" } = copy;
  const address: unknown = plainCopy(url, "The address");
  if (typeof address !== "string" || !URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new Mistake("The address of a sandbox looks like http://localhost:4120.");
  }
  if (token !== undefined && !sandboxSettings.adminToken.kind.accepts(token)) {
    throw new Mistake(`token: expected ${sandboxSettings.adminToken.kind.expected}.`);
  }
  const connection = new AdminConnection(new URL(address).origin, token);
  return new ControlSandbox(connection, await connection.findEnvironment(pathId(environment)));
}
