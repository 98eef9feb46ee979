/** An answer of the service that is not what was asked for. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;

  constructor(status: number) {
    // The specification leaves open what the body of an error looks like, so nothing is read from it.
    super(`The service answered ${status}.`);
    this.status = status;
  }
}

/** The service gave no answer, or none that could be read. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** Whether the same question may well be answered in a moment. */
export function mayPass(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refusal && error.status >= 500);
}
