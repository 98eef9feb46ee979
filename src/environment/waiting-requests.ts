import type { WaitingRequest } from "../public/requests.ts";

/** A request to an environment that waits in another process. */
export interface WaitingElsewhere {
  readonly process: string;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly since: number;
  readonly request: WaitingRequest;
}

export function requestNow({ request, since }: WaitingElsewhere): WaitingRequest {
  return { ...request, duration_ms: Math.floor(performance.now() - since) };
}

/** The requests to an environment that wait for their response. */
export class WaitingRequests {
  readonly #ends = new Map<() => WaitingRequest, () => void>();
  /** The waiting requests of other processes, because this process acts for the environment. */
  elsewhere: readonly WaitingElsewhere[] = [];

  /** Lists a request until the returned function is called. `abort` calls `end`. */
  add(request: () => WaitingRequest, end = (): void => {}): () => void {
    this.#ends.set(request, end);
    return () => void this.#ends.delete(request);
  }

  /** The requests of this process, oldest first. */
  get here(): WaitingRequest[] {
    return Array.from(this.#ends.keys(), (describe) => describe());
  }

  /** The requests of all processes, oldest first. */
  get all(): WaitingRequest[] {
    const all = [...this.elsewhere.map(requestNow), ...this.here];
    return all.toSorted((left, right) => right.duration_ms - left.duration_ms);
  }

  /** Ends the requests of this process. */
  abort(): void {
    for (const end of this.#ends.values()) end();
  }
}
