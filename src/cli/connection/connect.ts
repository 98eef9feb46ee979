import type { Environment } from "../../control.ts";
import type { Connection } from "./connection-flags.ts";

/** The environment that a command speaks to. */
export async function connect({ url, token, environment }: Connection): Promise<Environment> {
  const { connectSandbox } = await import("../../client/connect-sandbox.ts");
  return connectSandbox(url, { token, environment });
}
