import { ControlError } from "../../errors/control-error.ts";
import { codeOf, messageOf } from "../../validation/errors.ts";

/** The message of an error, worded like those of PostgreSQL. */
export const sessionModeMessage =
  "a pooler in between is not in session mode, so a session loses its lock and its settings";

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
  const isPoolerError = code === "08P01" && poolerMessages.test(messageOf(error));
  return isUnreachable(error) || isPoolerError || /^(?:080|53300)/.test(code);
}

/** Whether the connection was lost or could not be made. Then the statement may still arrive. */
export function isConnectionLost(error: unknown): boolean {
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
