/** A response of the service that is not the requested document. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;

  constructor(status: number) {
    // The specification leaves open what the body of an error looks like, so it is not read.
    super(`The service returned ${status}.`);
    this.status = status;
  }
}

/** The service did not respond, or its response could not be read. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

/** Whether the same request may well succeed in a moment. */
export function mayPass(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refusal && error.status >= 500);
}
