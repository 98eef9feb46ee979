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
