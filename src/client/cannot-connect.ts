/** No sandbox answers: the message is one line that says where and why. */
export class CannotConnect extends Error {
  override readonly name = "CannotConnect";

  constructor(url: string, reason: string, options?: ErrorOptions) {
    super(`No sandbox answers at ${url}: ${reason}.`, options);
  }
}
