import type { WaitingRequest } from "../requests.ts";

/** The requests to an environment that wait for their answer. */
export class WaitingRequests {
  readonly #ends = new Map<() => WaitingRequest, () => void>();

  /** Lists a request until the returned function is called. `abort` calls `end`. */
  add(request: () => WaitingRequest, end = (): void => {}): () => void {
    this.#ends.set(request, end);
    return () => void this.#ends.delete(request);
  }

  /** The requests, oldest first. */
  get all(): WaitingRequest[] {
    return Array.from(this.#ends.keys(), (describe) => describe());
  }

  /** Ends the requests. */
  abort(): void {
    for (const end of this.#ends.values()) end();
  }
}
