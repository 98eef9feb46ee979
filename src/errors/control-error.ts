import { ConflictError, ValidationError, FileReadError } from "../validation/errors.ts";

export const controlErrorCodes = [
  "invalid",
  "not_found",
  "conflict",
  "refused",
  "not_saved",
  "storage_unavailable",
] as const;

export type ControlErrorCode = (typeof controlErrorCodes)[number];

/**
 * A rejected command, equal in process and over the admin API. Nothing has changed, except with `not_saved`, and
 * perhaps with `storage_unavailable`.
 */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /**
   * `invalid`: invalid input; `not_found`: a named resource is missing; `conflict`: the resource exists already, or the
   * state does not allow the command; `refused`: not allowed; `not_saved`: done, but not written to the database;
   * `storage_unavailable`: PostgreSQL does not respond, or another process acts for the environment.
   */
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Runs part of a command. A ValidationError or FileReadError becomes `invalid`, a ConflictError `conflict`. */
export async function asControlError<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = error instanceof ConflictError ? "conflict" : "invalid";
    if (error instanceof ValidationError || error instanceof FileReadError) {
      throw new ControlError(code, error.message, { cause: error });
    }
    throw error;
  }
}

/** No sandbox responds at an address. The message is one line with the address and the reason. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";

  constructor(url: string, reason: string, options?: { readonly cause?: unknown }) {
    super(`No sandbox responds at ${url}: ${reason}.`, options);
  }
}

/** The address cannot be bound. The message is one line with the reason and the remedy. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  /** The system's code: `EADDRINUSE`, `EACCES`, … */
  readonly code: string;
  /** The version of the sandbox that uses the port, and where it runs; undefined for another program. */
  readonly sandbox: string | undefined;

  constructor(port: number, host: string, cause: Error & { readonly code?: string | undefined }, sandbox?: string) {
    const otherPort = "choose another with --port, or any free one with --port 0.";
    const stop = `offering-sandbox stop${port === 4120 ? "" : ` --url http://localhost:${port}`}`;
    const reasons: Record<string, string> = {
      EADDRINUSE:
        sandbox === undefined
          ? `Port ${port} on ${host} is in use; ${otherPort}`
          : `Port ${port} is in use by an offering-sandbox ${sandbox}. Stop that sandbox: ${stop}. Or ${otherPort}`,
      EACCES: `Port ${port} on ${host} may not be used by this user; ${otherPort}`,
      EADDRNOTAVAIL: `${host} is not an address of this machine; choose one with --host.`,
      ENOTFOUND: `${host} is not an address of this machine; choose one with --host.`,
    };
    const code = cause.code ?? "";
    super(reasons[code] ?? `Cannot listen on port ${port} of ${host}: ${code || cause.message}.`, { cause });
    this.code = code;
    this.sandbox = sandbox;
  }
}

/** Finds the resource in the path of a call. A missing resource is `not_found` here; in a body it is `invalid`. */
export function orNotFound<Found>(find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    return notFound(error);
  }
}

/** Throws ControlError `not_found` for the resource in the path of a call. */
export function notFound(error: unknown): never {
  throw error instanceof ValidationError ? new ControlError("not_found", error.message, { cause: error }) : error;
}
