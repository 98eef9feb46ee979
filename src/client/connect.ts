import type { Sandbox } from "../control.ts";
import { ControlSandbox, type KnownEnvironment } from "../control/control-client.ts";
import type { AdminOperationId } from "../control/operations.ts";
import { checkOptionNames } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { plainCopy } from "../model/plain-copy.ts";
import { namedBy } from "../model/tokens.ts";
import { sandboxSettings } from "../settings/settings.ts";
import { AdminConnection, type BodyMapping, TokenInsufficient } from "./connection.ts";

export interface ConnectOptions {
  /** The admin token, that of an environment, or the open token. @default none: a sandbox on loopback asks for none */
  token?: string | undefined;
  /** The id of the environment to command. @default that of the token, or "default" */
  environment?: string | undefined;
}

/**
 * Prepares calls of a sandbox, by any of its addresses. `bodyOf` maps the body of a call to the one that is sent. Throws
 * Mistake for a malformed address or token.
 */
export function connectionTo(url: unknown, { token, environment }: ConnectOptions, bodyOf?: BodyMapping) {
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new Mistake("The address of a sandbox looks like http://localhost:4120.");
  }
  if (token !== undefined && !sandboxSettings.adminToken.kind.accepts(token)) {
    throw new Mistake(`token: expected ${sandboxSettings.adminToken.kind.expected}.`);
  }
  const id = environment ?? namedBy(token ?? "")?.id ?? "default";
  return new AdminConnection(new URL(url).origin, token, id, bodyOf);
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
  const connection = connectionTo(plainCopy(url, "The address"), copy, withDocuments);
  const known = await connection.call("getEnvironment").catch((error: unknown): KnownEnvironment => {
    if (copy.environment !== undefined || !(error instanceof TokenInsufficient)) throw error;
    // With the open token one can open environments, and not see the default one.
    return { id: connection.environment, offerings: [], marketing_key: null, partner_key: null };
  });
  return new ControlSandbox(connection, known);
}

/** Puts documents in place of files. Most calls name none. */
export async function withDocuments(id: AdminOperationId, body: unknown): Promise<unknown> {
  if (id !== "openEnvironment" && id !== "playScenario") return body;
  const files = await import("../control/files.ts");
  return id === "openEnvironment" ? files.withDocuments(body as object) : files.withScenario(body as object);
}
