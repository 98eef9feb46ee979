import { relative } from "node:path";
import type { AdminConnection } from "../client/connection.ts";
import type { Sandbox } from "../public/control.ts";
import { formatErrors, ValidationError } from "../validation/errors.ts";
import { formatPlace } from "../text/origin.ts";
import { onOrOff, origin, text } from "../settings/kinds.ts";
import { sandboxSettings, type Settings, type Values } from "../settings/settings.ts";
import { type TextValue, readValues } from "../settings/values.ts";
import { checkVariables } from "../settings/variables.ts";
import { printError } from "./output/terminal.ts";

/** Prepares calls to the sandbox and environment of a command. The first call shows whether the sandbox responds. */
export async function callerOf(connection: Connection): Promise<AdminConnection> {
  const client = await import("../client/connection.ts");
  return new client.AdminConnection(connection.url, { ...connection, readsFiles: true });
}

/** Connects to the sandbox and environment of a command. Returns the interface in code. */
export async function connect({ url, token, environment }: Connection): Promise<Sandbox> {
  const { connectSandbox } = await import("../client/connect.ts");
  return connectSandbox(url, { token, environment });
}

const group = "Target:";

export const jsonFlag = { json: { kind: onOrOff, default: false, help: "print JSON" } } as const satisfies Settings;

export const connectionFlags = {
  url: {
    group,
    kind: origin,
    default: "http://localhost:4120",
    help: "address of the sandbox (or OFFERING_SANDBOX_URL)",
  },
  token: {
    group,
    kind: sandboxSettings.adminToken.kind,
    help: "admin token or token of an environment, if the sandbox requires a token (or OFFERING_SANDBOX_ADMIN_TOKEN)",
  },
  environment: {
    group,
    kind: text("id", "an environment's id", /^[\w-]+$/),
    defaultText: "the environment of the token, else default",
    help: "environment to act on",
  },
  ...jsonFlag,
} as const satisfies Settings;

/** The sandbox and environment of a command. */
export interface Connection extends Values<typeof connectionFlags> {
  /** Whether a flag or a variable names the address. */
  readonly isNamed: boolean;
}

/** Returns the connection from environment variables. An empty variable counts as not set. */
function connectionVariables(): TextValue[] {
  const names = { url: "OFFERING_SANDBOX_URL", token: "OFFERING_SANDBOX_ADMIN_TOKEN" };
  return Object.entries(names).flatMap(([setting, place]) => {
    const { [place]: value = "" } = process.env;
    return value === "" ? [] : [{ setting, text: value, place }];
  });
}

/** Reads the flags of a command and its connection. Throws one ValidationError for all invalid values. */
export function readConnected<Flags extends Settings>(ownFlags: Flags, flagValues: readonly TextValue[]) {
  const errors: string[] = [];
  checkVariables(process.env, errors);
  const flags = readValues(ownFlags, [flagValues], errors);
  const variables = connectionVariables();
  const connection = readValues(connectionFlags, [variables, flagValues], errors);
  if (errors.length > 0) throw new ValidationError(formatErrors(errors));
  const isNamed = [...variables, ...flagValues].some(({ setting }) => setting === "url");
  return { flags, connection: { ...connection, isNamed } };
}

/** Prints a note if a command has changed the sandbox of another folder: the command does not run in or below it. */
export async function noteOtherFolder(sandbox: AdminConnection): Promise<void> {
  const server = await sandbox.call("getServer").catch(() => undefined);
  if (!server?.folder || !relative(server.folder, process.cwd()).startsWith("..")) return;
  printError(`This changed the sandbox at ${sandbox.url}${formatPlace(server)}. To change another sandbox, use --url.`);
}
