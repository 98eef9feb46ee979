import type pg from "pg";
import type { ClientBase, ClientConfig } from "pg";
import { ControlError } from "../../errors/control-error.ts";
import { codeOf, messageOf } from "../../validation/errors.ts";
import { DatabaseError } from "../file-lock.ts";
import { statements } from "./statements.ts";

/** The package, which loads only for a PostgreSQL address. */
export type PgModule = Pick<typeof pg, "Client" | "Pool">;

/** Imports the package. Rejects with DatabaseError if it is missing. */
export async function importPg(): Promise<PgModule> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new DatabaseError("--db postgres://…", 'needs the package "pg": npm install pg', "");
  }
}

interface SessionCheck {
  /** The id of the server process of PostgreSQL. */
  readonly pid: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
  /** Whether the connection still has the settings and the lock that it was prepared with. */
  readonly isPrepared: boolean;
  /** Whether all tables exist. */
  readonly isCreated: boolean;
  /** The statements that would grant the missing rights to the role. */
  readonly grants: readonly string[];
}

/** The message of an error, worded like those of PostgreSQL. */
export const notInSessionModeMessage =
  "a pooler in between is not in session mode, so a session loses its lock and its settings";

/** Adds timeouts of the client: over a silent network, PostgreSQL cannot report that its own timeout is over. */
export function boundedConfig(
  config: ClientConfig,
  queryTimeoutMs: number,
  statementMs = queryTimeoutMs,
): ClientConfig {
  return { ...config, connectionTimeoutMillis: queryTimeoutMs, query_timeout: 1.2 * statementMs, keepAlive: true };
}

/** The timeouts of a statement, of its wait for a lock, and of a session that sends nothing; 0: none. */
interface SessionTimeouts {
  readonly statementMs?: number;
  readonly lockMs: number;
  readonly idleSessionMs?: number;
}

/** Sets the timeouts of a connection, and locks the id of its session, if any. A pooler refuses startup parameters. */
export async function prepareConnection(
  client: ClientBase,
  timeouts: SessionTimeouts,
  sessionId: string | null = null,
): Promise<void> {
  const { statementMs = 0, lockMs, idleSessionMs = 0 } = timeouts;
  await client.query(statements.prepare, [...[statementMs, lockMs, idleSessionMs].map(Math.ceil), sessionId]);
}

/** Prepares a connection, and reads back its settings and its lock. Rejects if one of them is missing. */
export async function prepareSession(client: ClientBase, schema: string, timeouts: SessionTimeouts, sessionId: string) {
  await prepareConnection(client, timeouts, sessionId);
  const [check] = (await client.query<SessionCheck>(statements.check, [schema, sessionId])).rows;
  if (!check?.isPrepared) throw new Error(notInSessionModeMessage);
  return check;
}

/** Adds the schema to the tables of a statement. The name of the schema needs no escapes. */
export function inSchema(statement: string, schema: string): string {
  return statement.replace(/\bsandbox_(?:meta|environments|ids)\b/g, `"${schema}".$&`);
}

/** Whether PostgreSQL did not respond: a connection failed or was lost, or PostgreSQL is starting or stopping. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if ((error as { readonly severity?: string }).severity !== undefined) return code.startsWith("57P0");
  const networkCodes = /^E(?:CONN|HOST|NET|AI_|PIPE|TIMEDOUT|NOTFOUND|NOENT)/;
  const packageMessages = /^(?:Connection terminated|timeout e|Query read timeout|Client |The operation was aborted)/;
  return networkCodes.test(code) || packageMessages.test(messageOf(error));
}

/** Whether a retry may soon succeed: PostgreSQL is unreachable or full, or a pooler says so. */
export function isTransient(error: unknown): boolean {
  const poolerMessages = /login has been failing|timeout|server conn|no more connections|cannot connect|shutting down/i;
  const code = codeOf(error) ?? "";
  return (
    isUnreachable(error) || /^(?:080|53300)/.test(code) || (code === "08P01" && poolerMessages.test(messageOf(error)))
  );
}

/** Whether the connection was lost or could not be made. Then the statement may still arrive. */
export function isConnectionFailure(error: unknown): boolean {
  const { code, severity } = error as { readonly code?: string; readonly severity?: string };
  return severity === undefined || /^(?:08|57P0|53300)/.test(code ?? "");
}

/** Whether a statement failed because another session holds its row. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** Returns the reason of an error without its address: `connect ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { errors: [first = error] = [] } = error as { readonly errors?: unknown[] };
  return messageOf(first).replace(/ \S+:\d+$/, "");
}

/** The messages for a caller when PostgreSQL is unreachable, and when it refuses a statement. */
export const notAppliedMessages = {
  unreachable: "The database of the sandbox does not respond; nothing was applied.",
  refused: "The database of the sandbox refused; nothing was applied.",
};
export const outcomeUnknownMessages: typeof notAppliedMessages = {
  unreachable: "The connection to the database was lost. The command may or may not have been applied.",
  refused: "The database of the sandbox refused. The command may or may not have been applied.",
};

/** Returns the error for a call that the database cannot serve now. Its message includes the reason of PostgreSQL. */
export function unavailableError({ unreachable, refused }: typeof notAppliedMessages, cause?: unknown): ControlError {
  const message =
    cause === undefined || isUnreachable(cause) ? unreachable : `${refused} PostgreSQL says: ${reasonOf(cause)}.`;
  return new ControlError("storage_unavailable", message, { cause });
}
