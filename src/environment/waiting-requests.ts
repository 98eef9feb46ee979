import type { WaitingRequest } from "../public/requests.ts";

/** A request to an environment that waits for its response in another process. */
export interface RemoteRequest {
  readonly process: string;
  /** The time at which the request arrived, in milliseconds of `performance.now()`. */
  readonly receivedAt: number;
  readonly request: WaitingRequest;
}

export function waitingRequestOf({ request, receivedAt }: RemoteRequest): WaitingRequest {
  return { ...request, duration_ms: Math.floor(performance.now() - receivedAt) };
}

/** The requests to an environment that wait for their response. */
export class WaitingRequests {
  readonly #endCallbacks = new Map<() => WaitingRequest, () => void>();
  /** The waiting requests of other processes. This process lists them while it acts for the environment. */
  remoteRequests: readonly RemoteRequest[] = [];

  /** Lists a request until the returned function is called. `abort` calls `end`. */
  add(request: () => WaitingRequest, end = (): void => {}): () => void {
    this.#endCallbacks.set(request, end);
    return () => void this.#endCallbacks.delete(request);
  }

  /** The requests of this process, oldest first. */
  get localRequests(): WaitingRequest[] {
    return Array.from(this.#endCallbacks.keys(), (describe) => describe());
  }

  /** The requests of all processes, oldest first. */
  get allRequests(): WaitingRequest[] {
    const requests = [...this.remoteRequests.map(waitingRequestOf), ...this.localRequests];
    return requests.toSorted((left, right) => right.duration_ms - left.duration_ms);
  }

  /** Ends the requests of this process. */
  abort(): void {
    for (const end of this.#endCallbacks.values()) end();
  }
}
