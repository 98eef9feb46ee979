import { Impossible, Mistake } from "../model/mistakes.ts";

/** The reasons to reject a command. */
export const controlErrorCodes = ["invalid", "not_found", "conflict", "refused", "not_kept"] as const;

export type ControlErrorCode = (typeof controlErrorCodes)[number];

/**
 * A rejected command; nothing has changed, except with `not_kept`. The same in process and over the admin API.
 */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /**
   * `invalid`: invalid input; `not_found`: it names a missing thing; `conflict`: the thing exists already, or the state
   * does not allow it; `refused`: not allowed; `not_kept`: done, but not written to the database.
   */
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Runs part of a command and turns a Mistake into `invalid`, an Impossible into `conflict`. */
export async function asControlError<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = error instanceof Impossible ? "conflict" : "invalid";
    if (error instanceof Mistake) throw new ControlError(code, error.message, { cause: error });
    throw error;
  }
}
