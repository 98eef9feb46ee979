import type { Sandbox } from "../public/control.ts";
import { ControlSandbox, type KnownEnvironment } from "../control/control-client.ts";
import { fromCaller } from "../validation/from-caller.ts";
import { checkOptionNames, plainCopy } from "../validation/members.ts";
import { AdminConnection, InsufficientTokenError } from "./connection.ts";

// The public types reach this file, so it exports nothing of the admin calls.

export interface ConnectOptions {
  /** The admin token, an environment's token, or the open token. @default none: a sandbox on loopback needs none */
  token?: string | undefined;
  /** The id of the environment to command. @default the environment of the token, or "default" */
  environment?: string | undefined;
}

/**
 * Connects to a running sandbox by any of its addresses. `keys.marketing`, `keys.partner` and `offerings` stay as they
 * were at this moment; `close` only disconnects: pending calls reject with ConnectionError.
 *
 * Rejects with ValidationError for a malformed address, with ConnectionError when no sandbox responds, and with
 * ControlError when the sandbox refuses the call.
 */
export function connectSandbox(url: string, options: ConnectOptions = {}): Promise<Sandbox> {
  return fromCaller(connectSandbox, () => connect(url, options));
}

async function connect(url: string, options: ConnectOptions): Promise<Sandbox> {
  const checkedOptions = plainCopy(options, "options");
  checkOptionNames(checkedOptions, { token: true, environment: true });
  const connection = new AdminConnection(plainCopy(url, "The address"), { ...checkedOptions, readsFiles: true });
  const knownEnvironment = await connection.call("getEnvironment").catch((error: unknown): KnownEnvironment => {
    if (checkedOptions.environment !== undefined || !(error instanceof InsufficientTokenError)) throw error;
    // The open token allows opening environments, but not reading the default one.
    return { id: connection.environment, offerings: [], marketing_key: null, partner_key: null };
  });
  return new ControlSandbox(connection, knownEnvironment);
}
