import type pg from "pg";
import type { ClientBase, ClientConfig } from "pg";
import { codeOf } from "../../validation/errors.ts";
import { DatabaseError } from "../file-lock.ts";
import { sessionModeMessage } from "./errors.ts";
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

/** Adds timeouts of the client: over a silent network, PostgreSQL cannot report that its own timeout is over. */
export function boundedConfig(config: ClientConfig, queryTimeoutMs: number, statementMs = queryTimeoutMs) {
  return { ...config, connectionTimeoutMillis: queryTimeoutMs, query_timeout: 1.2 * statementMs, keepAlive: true };
}

/** The timeouts of a statement, of its wait for a lock, and of a session that sends nothing; 0: none. */
interface SessionTimeouts {
  readonly statementMs?: number;
  readonly lockMs: number;
  readonly idleSessionMs?: number;
}

/** Sets the timeouts of a connection, and locks the id of its session, if any. A pooler refuses startup parameters. */
export async function prepareConnection(client: ClientBase, timeouts: SessionTimeouts, sessionId?: string) {
  const { statementMs = 0, lockMs, idleSessionMs = 0 } = timeouts;
  await client.query(statements.prepare, [...[statementMs, lockMs, idleSessionMs].map(Math.ceil), sessionId ?? null]);
}

/** Prepares a connection, and reads back its settings and its lock. Rejects if one of them is missing. */
export async function prepareSession(client: ClientBase, schema: string, timeouts: SessionTimeouts, sessionId: string) {
  await prepareConnection(client, timeouts, sessionId);
  const [check] = (await client.query<SessionCheck>(statements.check, [schema, sessionId])).rows;
  if (!check?.isPrepared) throw new Error(sessionModeMessage);
  return check;
}

/** Adds the schema to the tables of a statement. The name of the schema needs no escapes. */
export function inSchema(statement: string, schema: string): string {
  return statement.replace(/\bsandbox_(?:meta|environments|ids)\b/g, `"${schema}".$&`);
}
