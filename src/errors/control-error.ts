import { Impossible, Mistake } from "../model/mistakes.ts";

/** Why a command is rejected. */
export const controlErrorCodes = ["invalid", "not_found", "conflict", "refused", "not_kept"] as const;

export type ControlErrorCode = (typeof controlErrorCodes)[number];

/**
 * A command that cannot be done, in words that say why; nothing has changed, except where it is `not_kept`. The same in
 * process and over the admin API.
 */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /**
   * `invalid`: what was given is wrong; `not_found`: what it names is not there; `conflict`: it is there already, or the
   * state does not admit it; `refused`: not allowed; `not_kept`: it was done, but could not be written to the database.
   */
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Does something for a command: what a person got wrong makes it invalid, what the state does not admit a conflict. */
export async function asControlError<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = error instanceof Impossible ? "conflict" : "invalid";
    if (error instanceof Mistake) throw new ControlError(code, error.message, { cause: error });
    throw error;
  }
}
