import type pg from "pg";
import type { ClientBase, ClientConfig } from "pg";
import { ControlError } from "../../errors/control-error.ts";
import { codeOf, messageOf } from "../../validation/errors.ts";
import { DatabaseError } from "../file-lock.ts";
import { statements } from "./statements.ts";

/** The package, which loads only for a PostgreSQL address. */
export type PgModule = Pick<typeof pg, "Client" | "Pool">;

/** Rejects with DatabaseError if the package is missing. */
export async function importPg(): Promise<PgModule> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new DatabaseError("--db postgres://…", 'needs the package "pg": npm install pg', "");
  }
}

interface Check {
  /** The process of PostgreSQL. */
  readonly pid: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
  /** Whether the connection is as it was prepared, with its lock. */
  readonly isPrepared: boolean;
  readonly isCreated: boolean;
  /** The statements that would give the role the rights that it lacks. */
  readonly grants: readonly string[];
}

/** A clause, as PostgreSQL would say it. */
export const notInSessionMode =
  "a pooler in between is not in session mode, so a session loses its lock and its settings";

/** PostgreSQL cannot report its own timeout over a silent network, so the client waits for a bounded time too. */
export function boundedConfig(config: ClientConfig, patience: number, statement = patience): ClientConfig {
  return { ...config, connectionTimeoutMillis: patience, query_timeout: 1.2 * statement, keepAlive: true };
}

/** Milliseconds that a statement takes at most, that it waits for a lock, and that a session is silent; 0: any. */
interface Bounds {
  readonly statement?: number;
  readonly lock: number;
  readonly silence?: number;
}

/** Sets what must hold over a connection; a pooler would refuse it as a parameter of its start. */
export async function prepare(client: ClientBase, bounds: Bounds, number: string | null = null): Promise<void> {
  const { statement = 0, lock, silence = 0 } = bounds;
  await client.query(statements.prepare, [...[statement, lock, silence].map(Math.ceil), number]);
}

/** Prepares a connection that holds the lock of a number, and reads back what is so. Rejects if that does not hold. */
export async function prepareSession(client: ClientBase, schema: string, bounds: Bounds, number: string) {
  await prepare(client, bounds, number);
  const [check] = (await client.query<Check>(statements.check, [schema, number])).rows;
  if (!check?.isPrepared) throw new Error(notInSessionMode);
  return check;
}

/** A statement with its tables in their schema, whose name needs no escapes. */
export function inSchema(statement: string, schema: string): string {
  return statement.replace(/\bsandbox_(?:meta|environments|ids)\b/g, `"${schema}".$&`);
}

/** Whether nobody is there: no connection came about, or it broke, or PostgreSQL begins or ends. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if ((error as { readonly severity?: string }).severity !== undefined) return code.startsWith("57P0");
  const ofNetwork = /^E(?:CONN|HOST|NET|AI_|PIPE|TIMEDOUT|NOTFOUND|NOENT)/;
  const ofPackage = /^(?:Connection terminated|timeout e|Query read timeout|Client |The operation was aborted)/;
  return ofNetwork.test(code) || ofPackage.test(messageOf(error));
}

/** Whether the same may soon succeed: PostgreSQL is away or full, or a pooler says so. */
export function isTransient(error: unknown): boolean {
  const ofPooler = /login has been failing|timeout|server conn|no more connections|cannot connect|shutting down/i;
  const code = codeOf(error) ?? "";
  return isAway(error) || /^(?:080|53300)/.test(code) || (code === "08P01" && ofPooler.test(messageOf(error)));
}

/** Whether the connection broke, or could not be made: the statement may still arrive. */
export function isBroken(error: unknown): boolean {
  const { code, severity } = error as { readonly code?: string; readonly severity?: string };
  return severity === undefined || /^(?:08|57P0|53300)/.test(code ?? "");
}

/** Whether a statement failed because another session holds its row. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** The reason of an error: `connect ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  const { errors: [first = error] = [] } = error as { readonly errors?: unknown[] };
  return messageOf(first).replace(/ \S+:\d+$/, "");
}

/** What a caller is told when PostgreSQL is away, and when it refuses a statement. */
export const nothingDone = {
  away: "The database of the sandbox does not respond; nothing was done.",
  refused: "The database of the sandbox refused; nothing was done.",
};
export const notKnown: typeof nothingDone = {
  away: "The connection to the database was lost. The command may or may not have been applied.",
  refused: "The database of the sandbox refused: whether the command was applied is not known.",
};

/** The refusal of a call that cannot have what it needs of the database now; PostgreSQL's own words if it has any. */
export function unavailable({ away, refused }: typeof nothingDone, cause?: unknown): ControlError {
  const message = cause === undefined || isAway(cause) ? away : `${refused} PostgreSQL says: ${reasonOf(cause)}.`;
  return new ControlError("storage_unavailable", message, { cause });
}
